"""Where plans are written while nothing else may be changed: the one folder that the mode `plan` opens.

The user's `config.yml` names it under `plan.directory`, else a package that is on, else it is `.pisces/plans`. A folder
that leads out of the workspace, is the workspace, or holds files that programs obey is not taken.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import Run
from pisces.discovery.own_switches import own_settings
from pisces.gates.approval_mode import is_obeyed, is_path
from pisces.shapes.session_facts import SessionFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.places import Places
    from pisces.shapes.package import Package

DEFAULT = os.path.join(".pisces", "plans")


def plan_folder(places: Places, packages: Iterable[Package]) -> str:
    facts = SessionFacts(places.cwd, places.cwd, places.home)
    for wanted in _wanted(places, packages):
        if is_path(wanted) and not wanted.startswith("~"):
            folder = os.path.normpath(os.path.join(places.cwd, wanted))
            is_below = folder != places.cwd and stays_inside(folder, places.cwd)
            if is_below and not is_obeyed(folder, facts):
                return folder
    return os.path.join(places.cwd, DEFAULT)


def _wanted(places: Places, packages: Iterable[Package]) -> Iterator[str]:
    path, syntax = own_settings(places)[0]
    file = config_at(path, syntax, Run())
    if isinstance(file, ConfigFile):
        yield from _directory(file.value)
    for each in packages:
        yield from _directory(each.fields)


def _directory(fields: object) -> Iterator[str]:
    plan = fields.get("plan") if isinstance(fields, dict) else None
    directory = plan.get("directory") if isinstance(plan, dict) else None
    if isinstance(directory, str) and directory.strip():
        yield directory.strip()
