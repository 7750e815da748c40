"""A harness as a table of contents: for each capability, where it looks, in its own order of precedence.

A `Look` names a finder (a file in `finders/`) and a place; finders are loaded only when their capability is asked for.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, folders_in
from pisces.discovery.found import PROJECT, USER, Found, Source
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeVar

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places
    from pisces.shapes.package import Package

    Kept = TypeVar("Kept")


HARNESSES = "pisces.harnesses"
FINDERS = "pisces.discovery.finders"

_TWICE = os.sep * 2
_HERE = f"{os.sep}.{os.sep}"
_ENDS = (os.sep, f"{os.sep}.")


class Look(Value):
    """`at` is `user:…`, `project:…` (below the harness's folder there), `home:…`, `cwd:…`, `package:…`, or empty."""

    finder: str
    at: str = ""
    options: Mapping[str, Any] = EMPTY


class Harness(Value):
    """`user_dir` and `project_dir` are the harness's own folders; `user_dir_variable` can move the first."""

    id: str
    label: str
    priority: int
    looks: Mapping[str, tuple[Look, ...]]
    user_dir: str = "~"
    project_dir: str = "."
    user_dir_variable: str = ""

    def user_path(self, places: Places) -> str:
        moved = places.env.get(self.user_dir_variable, "") if self.user_dir_variable else ""
        return places.absolute(moved or self.user_dir)


class Run:
    """What one discovery has already read, so that a manifest asked for by ten capabilities is read once."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def once(self, key: tuple[object, ...], make: Callable[[], Kept]) -> Kept:
        if key not in self._kept:
            self._kept[key] = make()
        kept: Kept = self._kept[key]
        return kept


class Where(Value):
    """All that a finder is told: whose item it will be, what is asked for, and the path to look at."""

    places: Places
    run: Run
    capability: str
    provider: str
    label: str
    level: str = ""
    path: str = ""
    options: Mapping[str, Any] = EMPTY
    package: Package | None = None
    harness: Harness | None = None

    def found(self, item: Any, path: str = "") -> Found:
        path = path or item.path
        source = Source(self.provider, self.label, path if _is_plain(path) else os.path.abspath(path), self.level)
        return Found(item, source, str(self.package.name) if self.package else "")


def finder_named(name: str, export: str = "find") -> Any:
    """`skill_folders` is a finder for everybody, `gemini.hooks` one of the harness `gemini`."""
    owner, dot, own = name.rpartition(".")
    return export_of(f"{HARNESSES}.{owner}.finders" if dot else FINDERS, own, export)


def search(harness: Harness, capability: str, places: Places, run: Run) -> Iterator[Found | Diagnostic]:
    """Everything that this harness would load for a capability, best first.

    Where there is nothing at the place of a look, its finder is not even loaded.
    """
    seen = set()
    for look in harness.looks.get(capability, ()):
        level, path = _resolved(harness, look.at, places)
        again = bool(look.at) and (look.finder, path) in seen  # the same folder twice: the project is home itself
        if look.at:
            seen.add((look.finder, path))
        if not again and os.path.lexists(path):
            where = Where(places, run, capability, harness.id, harness.label, level, path, look.options, None, harness)
            yield from finder_named(look.finder)(where)


def _is_plain(path: str) -> bool:
    """Absolute and normal already, as nearly all are: a quick look spares each a slow one."""
    rooted = path.startswith(os.sep) and _TWICE not in path and ".." not in path
    return rooted and _HERE not in path and not path.endswith(_ENDS)


def all_harnesses() -> list[Harness]:
    """Every harness that has a file here, highest priority first; among equals, by name."""
    found: list[Harness] = [export_of(HARNESSES, name, "HARNESS") for name in folders_in(HARNESSES)]
    return sorted(found, key=lambda harness: -harness.priority)


def _resolved(harness: Harness, at: str, places: Places) -> tuple[str, str]:
    base, _, rest = at.partition(":")
    if base == "user":
        return USER, os.path.join(harness.user_path(places), rest) if rest else harness.user_path(places)
    if base == "home":
        return USER, os.path.join(places.home, rest)
    folder = places.absolute(harness.project_dir) if base == "project" else places.cwd
    return PROJECT, os.path.join(folder, rest) if rest else folder
