"""Reads context files and what they import: contained, bounded in number and size, each problem reported once.

A harness says in `imports.py` how its files import others, with `texts(path, room, reader)`; without that file nothing
is imported.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.denied import CONTEXT_UNREADABLE
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.instructions.rooms import Room, leads_out
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.harness import Run
    from pisces.places import Places

IMPORT_OUTSIDE = Rule("import-outside", WARNING, "A context file imports a file that it may not reach")
IMPORT_UNREADABLE = Rule("import-unreadable", WARNING, "A context file imports a file that cannot be read")
IMPORT_LIMIT = Rule("import-limit", WARNING, "Context files import too much")

MOST_IMPORTS = 1_000
_LONGEST = 200  # characters of a path in a message
_MOST_PROBLEMS = 200  # that are reported
MOST_BYTES = 8 * 1024 * 1024  # of all context files together


class ContextText(Value):
    """The text of one file as a model reads it. `importer` is the file that imports it, `condition` when it counts."""

    path: str
    text: str
    importer: str = ""
    condition: str = ""


class ContextReader:
    """One for all context files of a workspace. `seen` has the real paths of files that are texts of their own."""

    def __init__(self, places: Places, run: Run) -> None:
        self.places, self.run = places, run
        self.seen: set[str] = set()
        self._diagnostics: dict[Diagnostic, None] = {}
        self._imports = MOST_IMPORTS
        self._bytes = MOST_BYTES

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._diagnostics)

    def shown(self, path: str) -> str:
        """A path for a message: what an author writes behind an `@` may be of any length."""
        shown = self.places.shown(path)
        return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"

    def report(self, diagnostic: Diagnostic) -> None:
        if len(self._diagnostics) < _MOST_PROBLEMS:
            self._diagnostics.setdefault(diagnostic)

    def text(self, path: str, room: Room) -> str | None:
        """The text of a context file; None, with a diagnostic, where it is not given to a model."""
        if not room.holds(path):
            self.report(leads_out(path))
            return None
        try:
            return self._read(path)
        except Unreadable as error:
            self.report(CONTEXT_UNREADABLE.at(path, f"the file {error.message}", about=os.path.basename(path)))
            return None

    def next_import(self) -> bool:
        """Counts an import, whatever it names; false, and reported, where it is one too many."""
        self._imports -= 1
        if self._imports < 0:
            self._limit(f"{MOST_IMPORTS:,} imports")
        return self._imports >= 0

    def imported(self, path: str, room: Room, importer: str) -> str:
        """The text of a file that another one imports; `Unreadable` says why there is none, and is reported."""
        name = self.shown(path)
        if not room.holds(path):
            self.outside(path, importer)
            raise Unreadable(MISSING, "lies outside")
        try:
            return self._read(path)
        except Unreadable as error:
            if error.kind != MISSING or _looks_like_a_path(path):
                self.report(IMPORT_UNREADABLE.at(importer, f"`{name}`, which it imports, {error.message}"))
            raise

    def outside(self, path: str, importer: str) -> None:
        """Reports an import that is not read because of where the file lies."""
        message = f"`{self.shown(path)}`, which it imports, lies outside of what this file may reach: not read"
        hint = "copy the file into the folder, or import it from a context file of your own"
        self.report(IMPORT_OUTSIDE.at(importer, message, hint=hint))

    def _limit(self, most: str) -> None:
        message = f"context files are read in part: {most} are the most for all of them"
        self.report(IMPORT_LIMIT.at("", message, hint="remove imports, or the circle among them"))

    def _read(self, path: str) -> str:
        data = read_bytes(path)
        if b"\0" in data:
            raise Unreadable("binary", "is not text")
        if len(data) > self._bytes:
            self._limit(f"{MOST_BYTES:,} bytes")
            raise Unreadable("limit", "is more than is read")
        self._bytes -= len(data)
        return data.decode("utf-8", "replace").removeprefix("\ufeff")


def texts(path: str, room: Room, reader: ContextReader) -> Iterator[ContextText]:
    """For a harness whose context files import nothing."""
    text = reader.text(path, room)
    if text is not None:
        yield ContextText(path, text)


def _looks_like_a_path(path: str) -> bool:
    """`@someone` and `@types/node` are no imports that somebody misses."""
    return "." in os.path.basename(path)
