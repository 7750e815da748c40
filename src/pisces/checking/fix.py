"""A fix: what to write instead of exactly which text of one file. Applying it is for `fixing`.

`fixes/<code>.py`, in this folder or in that of a harness, exports `fix(spot) -> Fix | None` for the diagnostics of one
rule. A fix of a harness is offered only where no other harness loads the file. Safe fixes change nothing that works
today and need no decision; the others may change what happens, and are applied only when asked for.
"""

from __future__ import annotations

import os
import stat
from functools import lru_cache

from pisces.by_name import export_of, folders_with, names_in
from pisces.checking.subject import Subject
from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import HARNESSES
from pisces.discovery.package_format import all_formats
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FIXES = "pisces.checking.fixes"
_MOST_IN_A_FILE = 50  # each reads its whole file; what is left is for the next round of mending


class TextEdit(Value):
    """`start` counts characters of the file's text; `old` is what must stand there."""

    start: int
    old: str
    new: str

    @property
    def end(self) -> int:
        return self.start + len(self.old)


class Fix(Value):
    """`title` completes the sentence "pisces can ..."; edits do not overlap and are in the order of the text.

    `folder` is what the file must be in, without a link between.
    """

    path: str
    folder: str
    edits: tuple[TextEdit, ...]
    title: str
    safe: bool = True


class Spot(Value):
    """A diagnostic with the text of its file."""

    diagnostic: Diagnostic
    text: str
    subject: Subject

    @property
    def offset(self) -> int:
        """Of the place of the diagnostic; -1 if it has none in this text."""
        return offset_of(self.text, self.diagnostic.line, self.diagnostic.column)

    def fix(self, title: str, *edits: TextEdit, safe: bool = True) -> Fix | None:
        """None where nothing would change."""
        changing = tuple(sorted((each for each in edits if each.old != each.new), key=lambda each: each.start))
        return Fix(self.diagnostic.path, self.subject.folder, changing, title, safe) if changing else None


def offset_of(text: str, line: int, column: int) -> int:
    """Of a line and a column that count from 1; -1 outside of the text."""
    starts = _line_starts(text)
    if not 0 < line < len(starts):
        return -1
    start = starts[line - 1] + max(column, 1) - 1
    return start if start < starts[line] else -1


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """The offset of each line, and one behind the end."""
    starts = [0]
    while (at := text.find("\n", starts[-1])) >= 0:
        starts.append(at + 1)
    return [*starts, len(text) + 1]


class Fixers:
    """Finds the fix of a diagnostic. Files are listed once, and only those that are needed are loaded.

    `asked` are the files and folders that somebody asked to check: what a harness loads from elsewhere is not mended.
    """

    def __init__(self, asked: Iterable[str]) -> None:
        self._asked = [os.path.realpath(path) for path in asked]
        self._tried: dict[str, int] = {}
        self._folders = dict.fromkeys(names_in(FIXES), FIXES)
        for folder in folders_with(HARNESSES, "fixes"):
            self._folders.update(dict.fromkeys(names_in(folder), folder))

    def fixes(self, diagnostics: Iterable[Diagnostic], subject: Subject) -> dict[Diagnostic, Fix]:
        here = os.path.realpath(subject.path)
        if not any(here == path or here.startswith(path.rstrip(os.sep) + os.sep) for path in self._asked):
            return {}
        found = ((each, self._fix(each, subject)) for each in diagnostics)
        return {diagnostic: fix for diagnostic, fix in found if fix is not None}

    def _fix(self, diagnostic: Diagnostic, subject: Subject) -> Fix | None:
        name = diagnostic.code.replace("-", "_")
        folder = self._folders.get(name)
        if folder is None or not is_own_file(diagnostic.path, subject.folder):
            return None
        if folder != FIXES and _harnesses_with(diagnostic.path, subject) - {_harness_of(folder)}:
            return None
        tried = self._tried.get(diagnostic.path, 0)
        text = _text(subject.pages.data(diagnostic.path)) if tried < _MOST_IN_A_FILE else None
        if text is None:
            return None
        self._tried[diagnostic.path] = tried + 1
        fix: Fix | None = export_of(folder, name, "fix")(Spot(diagnostic, text, subject))
        return fix


def is_own_file(path: str, folder: str) -> bool:
    """Whether this is a regular file in the folder, with no link on the way to it."""
    inside = os.path.relpath(path, folder) if path else ".."
    if inside.split(os.sep)[0] == ".." or os.path.isabs(inside):
        return False
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        return os.path.realpath(path) == os.path.join(os.path.realpath(folder), inside)
    except (OSError, ValueError):
        return False


def _text(data: bytes | None) -> str | None:
    """None for what is not UTF-8: whoever writes it again would lose something."""
    try:
        return None if data is None or b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _harness_of(folder: str) -> str:
    return str(export_of(HARNESSES, folder.split(".")[-2], "HARNESS").id)


def _harnesses_with(path: str, subject: Subject) -> set[str]:
    """The harnesses that load something from this file."""
    owners = {each.id: each.harness for each in all_formats()}
    return {
        owners.get(dialect, dialect)
        for dialect, kinds in subject.found.items()
        if any(found.item.path == path for kind in kinds.values() for found in kind)
    }
