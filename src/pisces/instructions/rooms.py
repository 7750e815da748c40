"""Where the files of an item must lie: what a project brings in the project, what a package brings in the package.

The user's own files may be anywhere. Links count as what they lead to: a repository could otherwise have any file of
the user sent to a model.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Rule
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.containment import lies_in
from pisces.discovery.found import PROJECT
from pisces.discovery.package_format import format_once
from pisces.discovery.registry import Switches, discover
from pisces.discovery.withheld import is_withheld
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Candidate, Found, Kind
    from pisces.discovery.harness import Run
    from pisces.places import Places
    from pisces.shapes.package import Package

    Packages = dict[tuple[str, str], list[Package]]

OUTSIDE = Rule(
    "instructions-outside", WARNING, "A context file, a skill or a subagent is a link that leads out of its folder"
)


class Room(Value):
    """A file must lie in one of `folders`, which have no links in their paths; anywhere without any.

    `level` says whose file it is.
    """

    folders: tuple[str, ...] = ()
    level: str = ""

    def holds(self, path: str) -> bool:
        """Of what somebody else has written, secrets are held by no room."""
        if not self.folders:
            return True
        real = os.path.realpath(path)
        return any(lies_in(real, folder) and not _is_secret(real[len(folder) :]) for folder in self.folders)


class Rooms(Value):
    """`roots` are the project's folder, as it is called and as it really is; `packages` are by harness and name."""

    roots: tuple[str, str]
    packages: Packages

    def of(self, found: Found) -> Room:
        level, folder = found.source.level, os.path.dirname(found.item.path)
        if found.package:
            return room_in(*([each.path for each in self.packages_of(found)] or [folder]), level=level)
        if level != PROJECT:
            return Room((), level)
        is_above = any(f"{root}{os.sep}".startswith(f"{folder.rstrip(os.sep)}{os.sep}") for root in self.roots)
        return room_in(folder, level=level) if is_above else Room(self.roots[1:], level)

    def dialect_of(self, found: Found, run: Run) -> str:
        """The harness by whose rules a file is written: of a package, the one that the package was made for."""
        written_for = [format_once(each.format, run).harness for each in self.packages_of(found)]
        return (written_for or [found.source.harness])[0]

    def packages_of(self, found: Found) -> list[Package]:
        return self.packages.get((found.source.harness, found.package), [])


def _is_secret(below: str) -> bool:
    """Documentation in packages of npm is imported by many, so that these count here."""
    return any(is_withheld(name) and name != "node_modules" for name in below.split(os.sep))


def room_in(*folders: str, level: str = "") -> Room:
    return Room(tuple(map(os.path.realpath, folders)), level)


def rooms_here(found: Iterable[Found], places: Places, switches: Switches, run: Run) -> Rooms:
    """Packages are asked for only if one of them brings any of these items."""
    packages: Packages = {}
    if any(each.package for each in found):
        for each in discover(PACKAGES, places, switches, run=run).all:
            packages.setdefault((each.found.source.harness, str(each.found.item.name)), []).append(each.found.item)
    *_, top = places.ancestors()
    root = top if os.path.lexists(os.path.join(top, ".git")) else places.cwd
    return Rooms((root, os.path.realpath(root)), packages)


def contained(candidates: Iterable[Candidate[Kind]], rooms: Rooms) -> tuple[list[Candidate[Kind]], list[Diagnostic]]:
    """Those that lie where they must, and what is wrong with the others."""
    inside: list[Candidate[Kind]] = []
    wrong = []
    for each in candidates:
        if rooms.of(each.found).holds(each.found.item.path):
            inside.append(each)
        else:
            wrong.append(leads_out(each.found.item.path))
    return inside, wrong


def leads_out(path: str) -> Diagnostic:
    message = f"the file leads to {os.path.realpath(path)}, outside of its folder, and is not given to a model"
    hint = "put a copy in its place; your own files may lie anywhere"
    return OUTSIDE.at(path, message, hint=hint)
