"""Is a hook still what the user agreed to? Asked before each run, so it looks at times and sizes before it reads.

A file that changed back and forth between two looks is found by its times. Folders are looked at too: a new file beside
a script may be what the script loads.
"""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT
from pisces.discovery.hook_acts import hook_acts
from pisces.gates.installed import installed_with, tree_as_agreed
from pisces.gates.workspace import absolute_pins, borrowed_by_line, covered_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.gates.trusted import Trust
    from pisces.gates.workspace import Covered
    from pisces.places import Places
    from pisces.shapes.hook import Hook
    from pisces.shapes.installed import Installed

    Marks = dict[str, tuple[int, ...]]

_NOT_TRUSTED = "it runs files of this project, which nobody trusts yet: `pisces trust` shows them and asks"
_MOST_FILES = 4096  # that are looked at; of a larger package every file is read again


def as_agreed(loaded: LoadedHook, trust: Trust, places: Places, package: str = "") -> LoadedHook | None:
    """The hook with what compares it before each run; None for one of a project that nobody has agreed to as it is.

    `package` is what brings it, where the hook itself does not say so.
    """
    hook = loaded.hook
    if loaded.source.level == PROJECT:
        covered = [covered_line(act.kind, act.name, act.text, act.path, places) for act in hook_acts(hook)]
        if not all(trust.covers(each, places.cwd) for each in covered):
            return None
        return loaded.replace(is_narrowing=True, difference=of_project(hook, covered, places))
    borrowed = borrowing_lines(hook, loaded.folder, places)
    if borrowed and not all(trust.covers(each, places.cwd) for each in borrowed):
        return loaded.replace(flaw=loaded.flaw or _NOT_TRUSTED)
    installed = installed_with(hook.path, places) if loaded.package or package else None
    compared = [of_project(hook, borrowed, places)] if borrowed else []
    compared += [of_package(installed)] if installed else []
    return loaded.replace(difference=_first_of(compared)) if compared else loaded


def _first_of(compared: Sequence[Callable[[], str]]) -> Callable[[], str]:
    return lambda: next(filter(None, (each() for each in compared)), "")


def borrowing_lines(hook: Hook, folder: str, places: Places) -> list[Covered]:
    """The lines of a hook that the workspace did not bring, and that run files of the workspace."""
    own = folder or os.path.dirname(hook.path)
    return [
        covered_line(act.kind, act.name, act.text, act.path, places)
        for act in hook_acts(hook)
        if borrowed_by_line(act.text, act.path, own, places)
    ]


def of_project(hook: Hook, covered: Sequence[Covered], places: Places) -> Callable[[], str]:
    lines = {each.text for each in covered}

    def reads_the_same() -> bool:
        acts = [act for act in hook_acts(hook) if act.text in lines]
        now = [covered_line(act.kind, act.name, act.text, act.path, places) for act in acts]
        return [each.stored for each in now] == [each.stored for each in covered]

    paths = [path for each in covered for path in absolute_pins(each.pins, places)]
    why = "its files changed since you trusted this project: `pisces trust` shows the difference and asks"
    return _Compared(paths, reads_the_same, why)


def of_package(package: Installed) -> Callable[[], str]:
    name = package.name
    why = f"files of `{name}` changed since you agreed to the package: `pisces extensions info {name}` compares"
    tree = tree_as_agreed(package)
    if tree is None:
        return lambda: why
    parts = [file.path.split("/") for file in tree.files]
    paths = [os.path.join(package.folder, *each[:count]) for each in parts for count in range(len(each) + 1)]
    return _Compared(paths, lambda: tree_as_agreed(package) is not None, why)


class _Compared:
    """`()` is why the files are not those of the beginning; empty if they are."""

    def __init__(self, paths: Iterable[str], reads_the_same: Callable[[], bool], why: str) -> None:
        self._paths = frozenset(part for path in paths for part in (path, os.path.dirname(path)))
        self._reads_the_same = reads_the_same
        self._why = why
        self._before = self._marks()

    def __call__(self) -> str:
        now = self._marks()
        if now == self._before and len(self._paths) <= _MOST_FILES:
            return ""
        if not self._reads_the_same():
            return self._why
        self._before = now
        return ""

    def _marks(self) -> Marks:
        return {path: _mark(path) for path in self._paths}


def _mark(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
