"""Members of a JSON text set and removed, with the rest of it as its author wrote it: comments, order, line ends.

Removing is the inverse of adding, so that text to which something was added and removed again is the same.
"""

from __future__ import annotations

from pisces.formats import json
from pisces.formats.jsonc import without_comments
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BLANK = " \t\r\n"
_UNIT = "  "


class JsoncMember(Value):
    """Offsets of a member: of its name, of its value, and behind that."""

    name: str
    start: int
    value_start: int
    end: int


class JsoncObject(Value):
    """`start` is the offset of its `{`, `end` that of its `}`."""

    start: int
    end: int
    members: tuple[JsoncMember, ...]

    def member(self, name: str) -> JsoncMember | None:
        """Of a name that is there twice the last one, which counts."""
        return next((each for each in reversed(self.members) if each.name == name), None)


def object_in(text: str, *path: str) -> JsoncObject | None:
    """The object at a path of names; None where there is none. `Malformed` for a text that is no JSON."""
    bare = without_comments(text)
    if not isinstance(json.parse(bare), dict):
        raise Malformed("it is no JSON object")
    found = _object(bare, _after_blanks(bare, 0))
    for name in path:
        member = found.member(name)
        if member is None or bare[member.value_start] != "{":
            return None
        found = _object(bare, member.value_start)
    return found


def with_member(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with a value at a path whose object exists."""
    *above, name = path
    inside = object_in(text, *above)
    if inside is None:
        raise Malformed(f"there is no object at `{'.'.join(above)}`")
    known = inside.member(name)
    indent = _indent(text, inside)
    written = f"{_dumped(name)}: {_dumped(value, _unit(text))}".replace("\n", f"{_line_end(text)}{indent}")
    if known:
        return text[: known.start] + written + text[known.end :]
    return _added(text, inside, written, indent)


def without_member(text: str, path: tuple[str, ...]) -> str:
    """The text without a member; unchanged where it is not there."""
    *above, name = path
    inside = object_in(text, *above)
    known = inside.member(name) if inside else None
    if inside is None or known is None:
        return text
    at = inside.members.index(known)
    start = _before_blanks(text, known.start)
    if at + 1 < len(inside.members):
        comma = without_comments(text).index(",", known.end)
        return text[:start] + text[comma + 1 :]
    if at == 0:
        rest = text[known.end : inside.end]
        return text[:start] + (rest if rest.strip(_BLANK) else "") + text[inside.end :]
    before = inside.members[at - 1].end
    comma = without_comments(text).index(",", before)
    return text[:comma] + text[comma + 1 : start] + text[known.end :]


def _added(text: str, inside: JsoncObject, written: str, indent: str) -> str:
    """Behind the last member and the comments that follow it."""
    place = _before_blanks(text, inside.end)
    line_end = _line_end(text)
    if not inside.members:
        close = "" if "\n" in text[place : inside.end] else line_end + _line_indent(text, inside.start)
        return f"{text[:place]}{line_end}{indent}{written}{close}{text[place:]}"
    comma = inside.members[-1].end
    is_one_line = "\n" not in text[inside.start : inside.members[0].start]
    gap = " " if is_one_line else f"{line_end}{indent}"
    return f"{text[:comma]},{text[comma:place]}{gap}{written}{text[place:]}"


def _object(bare: str, at: int) -> JsoncObject:
    members: list[JsoncMember] = []
    start, at = at, _after_blanks(bare, at + 1)
    while bare[at] != "}":
        name, end = json.scan(bare, at)
        value = _after_blanks(bare, bare.index(":", end) + 1)
        behind = json.scan(bare, value)[1]
        members.append(JsoncMember(name, at, value, behind))
        at = _after_blanks(bare, behind)
        at = _after_blanks(bare, at + 1) if bare[at] == "," else at
    return JsoncObject(start, at, tuple(members))


def _indent(text: str, inside: JsoncObject) -> str:
    """That of its members, or the one that they would have."""
    if inside.members and "\n" in text[inside.start : inside.members[0].start]:
        return _line_indent(text, inside.members[0].start)
    return _line_indent(text, inside.start) + _unit(text)


def _unit(text: str) -> str:
    """What one level is indented by: that of the first member of the whole."""
    whole = object_in(text)
    if whole and whole.members and "\n" in text[whole.start : whole.members[0].start]:
        return _line_indent(text, whole.members[0].start) or _UNIT
    return _UNIT


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _dumped(value: Any, indent: str | None = None) -> str:
    from json import dumps  # slow to import, and needed only where something is written

    return dumps(value, ensure_ascii=False, indent=indent)


def _after_blanks(text: str, at: int) -> int:
    while text[at] in _BLANK:
        at += 1
    return at


def _before_blanks(text: str, at: int) -> int:
    while text[at - 1] in _BLANK:
        at -= 1
    return at
