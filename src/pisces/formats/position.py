"""The line and column of a key or list element in a text, found by its path.

If the path does not exist to its end, the result is the place of the last part that exists. Called only for a
diagnostic, so a text without faults costs nothing. The last few texts are remembered with what was found in them: a
file with a diagnostic on each of its lines is read once, not once for each.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.by_name import export_of
from pisces.formats import json, toml
from pisces.formats.jsonc import without_comments
from pisces.formats.malformed import Malformed, place_at

Path = tuple[str | int, ...]
Parts = dict[str | int, tuple[int, int]]  # of a container: the offsets of a part's name and of its value

_REFUSED = (*json.REFUSALS, IndexError)
_BARE_VALUE = re.compile(r"[^,\]}#\r\n]*+")


def json_place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1; comments may be in the text. Of a key that is there twice, the last, which counts."""
    return place_at(text, _json_places(text).offset(path))


def json_value_span(text: str, path: Path) -> tuple[int, int] | None:
    """Where the value at a path begins and ends, as offsets; None where the path does not exist to its end."""
    places = _json_places(text)
    try:
        at = places.value_offset(path)
        return None if at is None else (at, json.scan(places.text, at)[1])
    except _REFUSED:
        return None


@lru_cache(maxsize=4)
def _json_places(text: str) -> _JsonPlaces:
    return _JsonPlaces(text)


class _JsonPlaces:
    """The parts of each container that a path has led to, so that thousands of places cost one reading."""

    def __init__(self, text: str) -> None:
        self.text = "" if json.is_too_deep(text) else text  # no reader has values of such a text
        self.is_plain = False  # without comments and trailing commas
        self.containers: dict[int, Parts] = {}

    def offset(self, path: Path) -> int:
        """Of the last part of the path that exists and has no fault before it."""
        found = 0
        try:
            at = _after_blanks(self.text, 0)
            for part in path:
                parts = self.parts(at) if self.text[at] in "[{" else {}
                if part not in parts:
                    return found
                found, at = parts[part]
        except _REFUSED:  # comments, trailing commas or a fault
            return found if self.is_plain else self.made_plain().offset(path)
        return found

    def value_offset(self, path: Path) -> int | None:
        try:
            at = _after_blanks(self.text, 0)
            for part in path:
                parts = self.parts(at) if self.text[at] in "[{" else {}
                if part not in parts:
                    return None
                at = parts[part][1]
        except _REFUSED:
            if self.is_plain:
                raise
            return self.made_plain().value_offset(path)
        return at

    def made_plain(self) -> _JsonPlaces:
        without_trailing_commas = export_of("pisces.formats", "trailing_commas", "without_trailing_commas")
        self.text, self.is_plain = without_trailing_commas(without_comments(self.text)), True
        self.containers.clear()
        return self

    def parts(self, at: int) -> Parts:
        if at not in self.containers:
            self.containers[at] = _parts_of(self.text, at)
        return self.containers[at]


def _parts_of(text: str, at: int) -> Parts:
    """The standard library's scanner steps over the values."""
    is_list, close = text[at] == "[", "]" if text[at] == "[" else "}"
    parts: Parts = {}
    at = _after_blanks(text, at + 1)
    while text[at] != close:
        start, name = at, len(parts)
        if not is_list:
            name, at = json.scan(text, at)
            at = _after_blanks(text, text.index(":", at) + 1)
        parts[name] = start, at
        at = _after_blanks(text, json.scan(text, at)[1])
        at = _after_blanks(text, at + 1) if text[at] == "," else at
    return parts


def _after_blanks(text: str, at: int) -> int:
    while text[at] in " \t\n\r\ufeff":  # a byte order mark is allowed in some files
        at += 1
    if text[at] == "/":
        raise ValueError  # a comment
    return at


def toml_place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1, of the first mention; an element of a list of tables is where its header names it."""
    return place_at(text, _toml_places(text).offset(path))


@lru_cache(maxsize=4)
def _toml_places(text: str) -> _TomlPlaces:
    places = _TomlPlaces(text)
    try:
        places.document()
    except (Malformed, RecursionError):  # only what comes before a fault has a place
        return places
    return places


class _TomlPlaces(toml.TomlReader):
    """Notes where each part stands. Bare values are not checked: TOML 1.0 allows more than the parent's dialect."""

    mixes_kinds = True

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.noted: tuple[int, str | int] = (0, "")  # the last part: the identity of its container, and its name
        self.offsets: dict[tuple[int, str | int], int] = {}  # of the first mention of a part
        self.containers: dict[tuple[int, str | int], object] = {}  # what is below a part; so no identity is reused

    def note(self, container: object, part: str | int, at: int) -> None:
        self.noted = (id(container), part)
        self.offsets.setdefault(self.noted, at)

    def enter(self, container: object) -> None:
        self.containers.setdefault(self.noted, container)

    def moment_or_number(self) -> object:
        self.skip(_BARE_VALUE)
        return None

    def offset(self, path: Path) -> int:
        """Of the last part of the path that exists."""
        found, container = 0, id(self.root)
        for part in path:
            if (container, part) not in self.offsets:
                return found
            found = self.offsets[container, part]
            container = id(self.containers.get((container, part)))
        return found
