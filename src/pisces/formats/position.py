"""The line and column of a key or list element in a text, found by its path.

If the path does not exist to its end, the result is the place of the last part that exists. Called only for a
diagnostic, so a text without faults costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pisces.by_name import export_of
from pisces.formats import json, toml
from pisces.formats.jsonc import without_comments
from pisces.formats.malformed import Malformed, place_at

Path = tuple[str | int, ...]

_REFUSED = (*json.REFUSALS, IndexError, RuntimeError)  # the last is a StopIteration inside a generator
_BARE_VALUE = re.compile(r"[^,\]}#\r\n]*+")


def json_place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1; comments may be in the text. Of a key that is there twice, the last, which counts."""
    try:
        return place_at(text, [0, *_steps(text, path)][-1])
    except _REFUSED:  # comments, trailing commas or a fault
        without_trailing_commas = export_of("pisces.formats", "trailing_commas", "without_trailing_commas")
        plain = without_trailing_commas(without_comments(text))
    found = 0
    try:
        for offset in _steps(plain, path):
            found = offset
    except _REFUSED:  # only what comes before a fault has a place
        return place_at(text, found)
    return place_at(text, found)


def _steps(text: str, path: Path) -> Iterator[int]:
    """The offset of each part of a path. The standard library's scanner skips all that is not on the path."""
    at = _after_blanks(text, 0)
    for part in path:
        found = _part_of(text, at, part) if text[at] in "[{" else None
        if found is None:
            return
        start, at = found
        yield start


def _part_of(text: str, at: int, part: str | int) -> tuple[int, int] | None:
    """The offsets of a part of the container at an offset: of its name and of its value."""
    is_list, close = text[at] == "[", "]" if text[at] == "[" else "}"
    found, index = None, 0
    at = _after_blanks(text, at + 1)
    while text[at] != close:
        start, name = at, index
        if not is_list:
            name, at = json.scan(text, at)
            at = _after_blanks(text, text.index(":", at) + 1)
        if name == part:
            found = start, at
        at = _after_blanks(text, json.scan(text, at)[1])
        at = _after_blanks(text, at + 1) if text[at] == "," else at
        index += 1
    return found


def _after_blanks(text: str, at: int) -> int:
    while text[at] in " \t\n\r\ufeff":  # a byte order mark is allowed in some files
        at += 1
    if text[at] == "/":
        raise ValueError  # a comment
    return at


def toml_place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1, of the first mention; an element of a list of tables is where its header names it."""
    reader = _PathReader(text, path)
    try:
        reader.document()
    except (Malformed, RecursionError, _FoundError):  # only what comes before a fault has a place
        return place_at(text, reader.found[-1])
    return place_at(text, reader.found[-1])


class _FoundError(Exception):
    """The path is found to its end, so the rest is not read."""


class _PathReader(toml.TomlReader):
    """Finds the parts of one path. Bare values are not checked: TOML 1.0 allows more than the dialect of the parent."""

    mixes_kinds = True

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text)
        self.path = path
        self.found = [0]  # then the offset of each part of the path; the first mention of a part counts
        self.depths = {id(self.root): 0}  # of the containers on the path, by identity
        self.depth = -1  # of the part noted last; -1 if it is not on the path

    def note(self, container: object, part: str | int, at: int) -> None:
        above = self.depths.get(id(container), -1)
        is_on_path = 0 <= above < len(self.path) and self.path[above] == part
        self.depth = above + 1 if is_on_path else -1
        if self.depth == len(self.found):
            self.found.append(at)
        if len(self.found) > len(self.path):
            raise _FoundError

    def enter(self, container: object) -> None:
        if self.depth >= 0:
            self.depths[id(container)] = self.depth

    def moment_or_number(self) -> object:
        self.skip(_BARE_VALUE)
        return None
