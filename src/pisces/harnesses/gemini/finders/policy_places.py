"""Where Gemini CLI reads policies that no package brings: the system's, then `policyPaths` or the user's folder.

It knows those of a project too, but does not read them.
"""

from __future__ import annotations

import os

from pisces.discovery.denied import denied
from pisces.discovery.found import MANAGED, PROJECT, USER
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import OFF, State
from pisces.harnesses.gemini import Policies
from pisces.harnesses.gemini.finders import policies
from pisces.harnesses.gemini.policy_folders import has_policies, listed_folders, system_policies
from pisces.harnesses.gemini.settings import Settings, is_home
from pisces.harnesses.gemini.system_files import is_secure
from pisces.harnesses.gemini.trust import ground_of

_ADMIN, _USER, _WORKSPACE = 5, 4, 3


def find(where: Where) -> FinderResults:
    settings = ground_of(where.places, where.run).settings
    system = system_policies()
    admin, user = where.given(Policies(_ADMIN), system), where.given(Policies(_USER), "")
    if os.path.isdir(system) and is_secure(system):
        yield from _read(admin.replace(level=MANAGED))
    if not has_policies(system):
        for path in listed_folders("adminPolicyPaths", settings, where.places):
            yield from _read(admin.replace(level=USER, path=path))
    listed = listed_folders("policyPaths", settings, where.places)
    for path in listed:
        yield from _read(user.replace(level=USER, path=path))
    own = os.path.join(where.places.home, ".gemini", "policies")
    if own not in listed:
        yield from _read(user.replace(level=USER, path=own, held=_replaced(settings) if listed else None))
    if not is_home(where.places):
        project = os.path.join(where.places.cwd, ".gemini", "policies")
        yield from _read(where.replace(level=PROJECT).given(Policies(_WORKSPACE), project))


def _read(where: Where[Policies]) -> FinderResults:
    yield from denied(where.path, where.run, below=True)
    yield from policies.find(where)


def _replaced(settings: Settings) -> State:
    scope = settings.last_with("policyPaths")
    path, line = (scope.path, scope.line_of("policyPaths")) if scope else ("", 0)
    reason = f"`policyPaths` of {scope.name if scope else 'the settings'} is read instead of the user's policies"
    return State(OFF, reason, path, line, "add `~/.gemini/policies` to `policyPaths`")
