"""The policies of Gemini CLI: where they are, tier by tier. Packages and the workspace only narrow.

Policies of the workspace are read although Gemini CLI does not read them.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.files import entries
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.policy_folders import has_policies, listed_folders, system_policies
from pisces.harnesses.gemini.settings import WORKSPACE, is_home, scopes_of, settings_from
from pisces.harnesses.gemini.system_files import is_secure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.harness import Run
    from pisces.gates.rulebook import Rulebook, RuleScene
    from pisces.harnesses.gemini.settings import Settings
    from pisces.places import Places

PACKAGE, _WORKSPACE, USER, _ADMIN = 2, 3, 4, 5
_BOOK = "pisces.harnesses.gemini.rules", "book"
_SETTINGS = ("tools", "mcp", "mcpServers", "excludeTools")


def rulebooks(scene: RuleScene) -> Iterator[Rulebook]:
    if _has_rules(scene):
        yield export_of(*_BOOK, "PolicyBook")(scene)


def program_book(scene: RuleScene) -> Rulebook:
    """Gemini CLI as it would decide by itself, with its own rules, for comparing with it."""
    built_in = export_of("pisces.harnesses.gemini.rules", "built_in", "built_in_rules")
    book: Rulebook = export_of(*_BOOK, "GeminiProgram")(scene, built_in())
    return book


def bare_book(scene: RuleScene) -> Rulebook:
    """The same without the rules that the program brings: its policy engine alone, which asks where no rule matches."""
    book: Rulebook = export_of(*_BOOK, "GeminiProgram")(scene)
    return book


def _has_rules(scene: RuleScene) -> bool:
    """So that nothing else is loaded where there is none."""
    places, run = HARNESS.own_places(scene.places), scene.run
    if any(key in scope.values for scope in scopes_of(places, run) for key in _SETTINGS):
        return True
    own = [each.item for each in scene.packages if each.item.format == "gemini"]
    if any("excludeTools" in each.fields or os.path.lexists(os.path.join(each.path, "policies")) for each in own):
        return True
    return any(os.path.isfile(path) or any(entries(path)) for path, _, _ in policy_folders(places, run))


def policy_folders(places: Places, run: Run) -> Iterator[tuple[str, int, bool]]:
    """Each folder or file with its tier, and whether it only narrows."""
    scopes = scopes_of(places, run)
    for path, tier in _trusted_folders(places, settings_from(tuple(each for each in scopes if each.name != WORKSPACE))):
        yield path, tier, False
    if is_home(places):
        return
    project = settings_from(tuple(each for each in scopes if each.name == WORKSPACE))
    listed = [path for key in ("policyPaths", "adminPolicyPaths") for path in listed_folders(key, project, places)]
    for path in dict.fromkeys((os.path.join(places.cwd, ".gemini", "policies"), *listed)):
        yield path, _WORKSPACE, True


def _trusted_folders(places: Places, settings: Settings) -> Iterator[tuple[str, int]]:
    """The administrator's and the user's. `policyPaths` replaces the user's folder, but a project cannot set it."""
    system = system_policies()
    if os.path.isdir(system) and is_secure(system):
        yield system, _ADMIN
    if not has_policies(system):
        yield from ((path, _ADMIN) for path in listed_folders("adminPolicyPaths", settings, places))
    listed = listed_folders("policyPaths", settings, places) or [os.path.join(places.home, ".gemini", "policies")]
    yield from ((path, USER) for path in listed)
