"""What a build would change, as a unified diff: for people, and for a log of continuous integration."""

from __future__ import annotations

import os

from pisces.converting.origin import ORIGIN
from pisces.converting.output import STALE
from pisces.files import Unreadable, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.building.writing import PlannedBuild

MOST_SHOWN = 2_000  # lines
MOST_LINES = 4_000  # of one file: comparing longer ones can take minutes


def diff_lines(plan: PlannedBuild, folder: str) -> Iterator[str]:
    """Lines without their ends. Paths are relative to `folder`.

    Behind the first lines, files are only counted: a first build would fill a log.
    """
    shown = unshown = 0
    for lines in _diffs(plan, folder):
        if shown >= MOST_SHOWN:
            unshown += 1
            continue
        for line in lines:
            shown += 1
            yield line
    if unshown:
        yield f"... {unshown:,} more files differ"


def _diffs(plan: PlannedBuild, folder: str) -> Iterator[Iterator[str]]:
    """One for each file. The record of a folder only repeats what its other files show."""
    for edit in plan.edits:
        yield _file_diff(_below(edit.path, folder), edit.before, edit.after)
    for package in plan.packages:
        others = [each for each in package.changes if each.path != ORIGIN]
        for each in others or package.changes:
            path = os.path.join(package.package.out, *each.path.split("/"))
            after = None if each.state == STALE else each.data or b""
            yield _file_diff(_below(path, folder), _content(path), after, is_executable=each.is_executable)


def _file_diff(path: str, before: bytes | None, after: bytes | None, *, is_executable: bool = False) -> Iterator[str]:
    old, new = (f"{side}/{path}" if data is not None else "/dev/null" for side, data in (("a", before), ("b", after)))
    if before == after:
        yield f"mode of {path} is not that of {'a program' if is_executable else 'a plain file'}"
        return
    texts = [_lines(each) for each in (before, after)]
    if None in texts:
        yield f"{old} and {new} differ"
        return
    from difflib import unified_diff  # slow to import, and needed only where something differs

    left, right = (each or [] for each in texts)
    yield from unified_diff(left, right, old, new, lineterm="")


def _lines(data: bytes | None) -> list[str] | None:
    """None for what is no text, or too long to be compared."""
    try:
        lines = (data or b"").decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
    if "\0" in "".join(lines) or len(lines) > MOST_LINES:
        return None
    last = [] if lines[-1] == "" else [f"{lines[-1]}\n\\ No newline at end of file"]
    return [*lines[:-1], *last]


def _content(path: str) -> bytes | None:
    try:
        return read_bytes(path)
    except Unreadable:
        return None


def _below(path: str, folder: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")
