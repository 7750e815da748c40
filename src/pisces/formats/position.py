"""The line and column of a key or list element in a text, found by its path.

If the path does not exist to its end, the result is the place of the last part that exists. Called only for a
diagnostic, so a text without faults costs nothing.
"""

from __future__ import annotations

import re

from pisces.formats import json, toml
from pisces.formats.malformed import Malformed, place_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    Path = tuple[str | int, ...]

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_COMMENT = r"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_JSON_TOKEN = rf"{_STRING}|{_COMMENT}|[\[\]{{}},:]|[^\s\"\[\]{{}},:/]+|/"
_ELSEWHERE = -1  # the depth reached by what is not on the path


def json_place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1; comments may be in the text. Of a key that is there twice, the last, which counts."""
    try:
        return _scanned_place(text, path)
    except (*json.REFUSALS, IndexError):  # comments, or a fault
        return _tokenised_place(text, path)


def _scanned_place(text: str, path: Path) -> tuple[int, int]:
    """Of plain JSON: the standard library's scanner steps over all that is not on the path."""
    met, at = 0, _after_blanks(text, 0)
    for part in path:
        found = _part_of(text, at, part) if text[at] in "[{" else None
        if found is None:
            break
        met, at = found
    return place_at(text, met)


def _part_of(text: str, at: int, part: str | int) -> tuple[int, int] | None:
    """Where a part of the container at an offset is named, and where its value begins."""
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
    while text[at] in " \t\n\r":
        at += 1
    if text[at] == "/":
        raise ValueError  # a comment
    return at


def _tokenised_place(text: str, path: Path) -> tuple[int, int]:
    trail = _Trail(path)
    inside: list[_Container] = []
    reached = 0
    for token in re.finditer(_JSON_TOKEN, text, re.DOTALL):
        mark, at = token[0][0], token.start()
        if mark == "/":
            continue
        if mark in "]}":
            del inside[-1:]
        elif mark in ",:":
            _pass(inside, mark)
        elif mark == '"' and inside and inside[-1].wants_key:
            reached = trail.replace(inside[-1].reached, _unquoted(token[0]), at)
        else:
            if inside and inside[-1].is_list:
                reached = trail.replace(inside[-1].reached, inside[-1].index, at)
            if mark in "[{":
                inside.append(_Container(mark, reached))
    return trail.place(text)


def _pass(inside: list[_Container], mark: str) -> None:
    """Moves past a comma or a colon."""
    if inside and mark == ",":
        inside[-1].index += 1
    if inside:
        inside[-1].wants_key = mark == "," and not inside[-1].is_list


def _unquoted(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(json.parse(token))
    except Malformed:
        return token


def toml_place(text: str, path: Path) -> tuple[int, int]:
    """Line and column, from 1, of the first mention; an element of a list of tables is where its header names it."""
    trail = _Trail(path)
    try:
        _walk(toml.TomlReader(text), trail)
    except Malformed:  # only what comes before the fault has a place
        return trail.place(text)
    return trail.place(text)


def _walk(reader: toml.TomlReader, trail: _Trail) -> None:
    table = 0
    lists: dict[int, int] = {}
    while len(trail.met) < len(trail.path) and reader.skip(toml.BLANK) and reader.at < len(reader.text):
        if reader.text[reader.at] == "[":
            table = _header(reader, trail, lists)
        else:
            _over_value(reader, trail, _key(reader, trail, table))


def _header(reader: toml.TomlReader, trail: _Trail, lists: dict[int, int]) -> int:
    """The depth that a header reaches on the path. `lists` has the last index of each array of tables so far."""
    repeated = reader.take("[[")
    reader.at += 0 if repeated else 1
    reader.skip(toml.SPACE)
    parts = reader.key()
    reached = 0
    for number, (name, at) in enumerate(parts, 1):
        reached = trail.add(reached, name, at)
        if repeated and number == len(parts):
            lists[reached] = lists.get(reached, -1) + 1
        if reached in lists:
            reached = trail.add(reached, lists[reached], at)
    reader.skip(toml.SPACE)
    reader.at += 2 if repeated else 1
    return reached


def _key(reader: toml.TomlReader, trail: _Trail, reached: int) -> int:
    for name, at in reader.key():
        reached = trail.add(reached, name, at)
    if not reader.skip(toml.EQUALS):
        raise reader.fault("expected `=`")
    return reached


def _over_value(reader: toml.TomlReader, trail: _Trail, reached: int) -> None:
    """Moves past one value of any depth."""
    inside: list[_Container] = []
    while True:
        mark = reader.text[reader.at : reader.at + 1]
        if mark in ("[", "{"):
            reader.at += 1
            inside.append(_Container(mark, reached))
        else:
            reader.value(0)
        _close(reader, inside)
        if not inside:
            return
        current = inside[-1]
        if current.is_list:
            reached = trail.add(current.reached, current.index, reader.at)
        else:
            reached = _key(reader, trail, current.reached)


def _close(reader: toml.TomlReader, inside: list[_Container]) -> None:
    """Moves past what is between two values."""
    while inside:
        reader.skip(toml.BLANK)
        if reader.take("]") or reader.take("}"):
            inside.pop()
        elif reader.take(","):
            inside[-1].index += 1
        else:
            return


class _Container:
    def __init__(self, mark: str, reached: int) -> None:
        self.is_list = mark == "["
        self.wants_key = mark == "{"
        self.reached = reached
        self.index = 0


class _Trail:
    """The offsets of the parts of a path that were found so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.met: list[int] = []

    def place(self, text: str) -> tuple[int, int]:
        return place_at(text, self.met[-1]) if self.met else (1, 1)

    def leads(self, reached: int, part: str | int) -> bool:
        return _ELSEWHERE < reached < len(self.path) and self.path[reached] == part

    def replace(self, reached: int, part: str | int, at: int) -> int:
        """One step further; replaces an earlier part of the same name and everything below it."""
        if not self.leads(reached, part):
            return _ELSEWHERE
        self.met[reached:] = [at]
        return reached + 1

    def add(self, reached: int, part: str | int, at: int) -> int:
        """One step further; the first mention of a part counts, because a table may be mentioned many times."""
        if not self.leads(reached, part):
            return _ELSEWHERE
        if len(self.met) == reached:
            self.met.append(at)
        return reached + 1
