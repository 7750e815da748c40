"""Edits of a JSON text that leave the rest of it as its author wrote it. Comments and trailing commas are allowed."""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.checking.fix import TextEdit
from pisces.formats import json
from pisces.formats.jsonc import without_comments
from pisces.formats.trailing_commas import without_trailing_commas
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_BLANK = " \t\r\n\ufeff"
_COMMENT = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_REFUSED = (*json.REFUSALS, IndexError)


class JsonMember(Value):
    """A member of an object by the offsets of its name and its value; `end` is behind the value."""

    name: str
    start: int
    name_end: int
    value_start: int
    end: int
    value: Any


@lru_cache(maxsize=4)
def plain(text: str) -> str:
    """The same offsets, without comments and trailing commas."""
    return without_trailing_commas(without_comments(text))


def member_at(text: str, offset: int) -> JsonMember | None:
    """The member whose name begins here."""
    bare = plain(text)
    try:
        name, name_end = json.scan(bare, offset)
        start = _after_blanks(bare, name_end)
        if not isinstance(name, str) or bare[start] != ":":
            return None
        start = _after_blanks(bare, start + 1)
        value, end = json.scan(bare, start)
    except _REFUSED:
        return None
    return JsonMember(name, offset, name_end, start, end, value)


def value_at(text: str, offset: int) -> tuple[Any, int] | None:
    """The value that begins here, an element of a list for example, and the offset behind it."""
    try:
        value, end = json.scan(plain(text), offset)
    except _REFUSED:
        return None
    return value, end


def renamed(text: str, member: JsonMember, name: str) -> TextEdit:
    return TextEdit(member.start, text[member.start : member.name_end], json_text_of(name))


def revalued(text: str, member: JsonMember, value: Any) -> TextEdit:
    return TextEdit(member.value_start, text[member.value_start : member.end], json_text_of(value))


def removed(text: str, member: JsonMember) -> TextEdit:
    """With the comma that belongs to it, and with its line where nothing else is on it."""
    bare = plain(text)
    after = _after_blanks(bare, member.end)
    if bare[after] == ",":
        return _without_line(text, member.start, after + 1)
    before = member.start - 1
    while bare[before] in _BLANK:
        before -= 1
    return _cut(text, before if bare[before] == "," else before + 1, member.end)


def added(text: str, behind: JsonMember, name: str, value: Any) -> TextEdit:
    """A new member behind another one, on a line of its own where that one has its own line."""
    line = text.rfind("\n", 0, behind.start) + 1
    indent = text[line : behind.start]
    between = f",\n{indent}" if line and not indent.strip() else ", "
    if between != ", " and text[line - 2 : line] == "\r\n":
        between = f",\r\n{indent}"
    return TextEdit(behind.end, "", f"{between}{json_text_of(name)}: {json_text_of(value)}")


def first_member(text: str) -> JsonMember | None:
    """The first member of the object that the text is."""
    bare = plain(text)
    start = bare.find("{")
    if start < 0 or bare[:start].strip(_BLANK):
        return None
    try:
        return member_at(text, _after_blanks(bare, start + 1))
    except IndexError:
        return None


@lru_cache(maxsize=4)
def members(text: str) -> tuple[JsonMember, ...]:
    """Those of the object that the text is, in order."""
    return tuple(_members(text))


def _members(text: str) -> Iterator[JsonMember]:
    bare = plain(text)
    member = first_member(text)
    while member is not None:
        yield member
        after = _after_blanks(bare, member.end)
        member = member_at(text, _after_blanks(bare, after + 1)) if bare[after : after + 1] == "," else None


def made_strict(text: str) -> list[TextEdit]:
    """The edits after which nothing is left that only forgiving readers take."""
    bare = without_comments(text)
    commas = [at for at, (old, new) in enumerate(zip(bare, without_trailing_commas(bare), strict=True)) if old != new]
    edits = [_without_line(text, *found.span()) for found in _COMMENT.finditer(text) if found[0][0] == "/"]
    edits += [TextEdit(at, ",", "") for at in commas]
    return ([TextEdit(0, "\ufeff", "")] if text.startswith("\ufeff") else []) + edits


def json_text_of(value: Any) -> str:
    from json import dumps  # slow to import, and needed only where something is mended

    return dumps(value, ensure_ascii=False)


def _without_line(text: str, start: int, end: int) -> TextEdit:
    """With the rest of a line that has nothing else on it, or with the blanks before."""
    line, after = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if not text[line:start].strip() and after >= 0 and not text[end:after].strip():
        return _cut(text, line, after + 1)
    while start > line and text[start - 1] in " \t":
        start -= 1
    return _cut(text, start, end)


def _cut(text: str, start: int, end: int) -> TextEdit:
    return TextEdit(start, text[start:end], "")


def _after_blanks(text: str, at: int) -> int:
    while text[at] in _BLANK:
        at += 1
    return at
