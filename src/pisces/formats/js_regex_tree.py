"""The parts of a JavaScript regular expression as a tree, for a matcher that does not backtrack.

Only patterns that `js_regex` accepts come here. Back references are refused: no linear matcher can follow them. The
pattern is read in 16-bit units, because JavaScript matches those without the flag `u`.
"""

from __future__ import annotations

import re

from pisces.formats.js_regex import GROUP_START, QUANTIFIER, class_member, has_named_group, times
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    Ranges = tuple[tuple[int, int], ...]

WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_LAST = 0xFFFF
_LINE_ENDS: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
_SHORTHANDS: dict[str, Ranges] = {
    "d": ((48, 57),),
    "w": WORD,
    "s": (
        *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
        *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
    ),
}


class NotRegularError(Exception):
    """No linear matcher can follow the pattern: it has a back reference, or is too large or too deep."""


class Unit(Value):
    """One unit of the text, in one of these ranges."""

    ranges: Ranges


class Sequence(Value):
    parts: tuple[Node, ...]


class Alternatives(Value):
    parts: tuple[Node, ...]


class Repeat(Value):
    """`most` is None where there is no limit."""

    part: Node
    least: int
    most: int | None


class At(Value):
    """Takes no text: `^`, `$`, `b` (a word boundary) or `B` (none)."""

    what: str


class LookAround(Value):
    """Takes no text: the part follows here (`ahead`) or precedes, or does not (`negated`)."""

    part: Node
    ahead: bool
    negated: bool


if TYPE_CHECKING:
    Node = Unit | Sequence | Alternatives | Repeat | At | LookAround


def units(text: str) -> str:
    """The text with a surrogate pair for each character above 16 bits."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2))


def tree(pattern: str) -> Node:
    """Raises `NotRegularError` for a back reference."""
    return _Reader(units(pattern)).whole()


class _Group:
    """A group that is still open: its finished alternatives, and the parts of the current one."""

    def __init__(self, start: str) -> None:
        self.start = start
        self.alternatives: list[Node] = []
        self.parts: list[Node] = []

    def end_alternative(self) -> None:
        self.alternatives.append(self.parts[0] if len(self.parts) == 1 else Sequence(tuple(self.parts)))
        self.parts = []

    def node(self) -> Node:
        self.end_alternative()
        part = self.alternatives[0] if len(self.alternatives) == 1 else Alternatives(tuple(self.alternatives))
        if self.start in ("(?=", "(?!", "(?<=", "(?<!"):
            return LookAround(part, "<" not in self.start, self.start.endswith("!"))
        return part


class _Reader:
    """Reads one pattern from left to right. `at` is the current offset."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open = [_Group("")]
        groups = re.findall(r"\\.|(\((?!\?)|\(\?<(?![=!]))", text, re.DOTALL)
        self.captures = len([*filter(None, groups)])  # or fewer: a `(` in a class counts too
        self.has_names = has_named_group(text)

    def whole(self) -> Node:
        while self.at < len(self.text):
            self.step(self.text[self.at])
        return self.open[0].node()

    def step(self, char: str) -> None:
        group = self.open[-1]
        if char == "(":
            start = re.compile(GROUP_START).match(self.text, self.at)
            self.open.append(_Group(start[0] if start else ""))
            self.at = start.end() if start else self.at + 1
        elif char == ")":
            self.at += 1
            self.open.pop()
            self.open[-1].parts.append(group.node())
        elif char == "|":
            self.at += 1
            group.end_alternative()
        elif quantifier := re.compile(QUANTIFIER).match(self.text, self.at):
            self.at = quantifier.end()
            group.parts[-1] = _repeated(group.parts[-1], quantifier)
        else:
            group.parts.append(self.single(char))

    def single(self, char: str) -> Node:
        if char == "[":
            return self.character_class()
        if char == "\\":
            return self.escape(self.text[self.at + 1])
        self.at += 1
        if char in "^$":
            return At(char)
        return Unit(_others(_LINE_ENDS) if char == "." else ((ord(char), ord(char)),))

    def escape(self, following: str) -> Node:
        number = re.compile("[1-9][0-9]{0,9}").match(self.text, self.at + 1)
        if (following == "k" and self.has_names) or (number and int(number[0]) <= self.captures):
            raise NotRegularError
        if following in "bB":
            self.at += 2
            return At(following)
        if following == "c" and re.compile("[0-9_]").match(self.text, self.at + 2):
            self.at += 1
            return Unit(((92, 92),))  # a backslash that means itself; in a class it would begin a control character
        return Unit(self.member()[0])

    def character_class(self) -> Unit:
        negated = self.text.startswith("[^", self.at)
        self.at += 1 + negated
        ranges: list[tuple[int, int]] = []
        while self.text[self.at] != "]":
            first, is_single = self.member()
            if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
                ranges += first
                continue
            self.at += 1
            last, is_last_single = self.member()
            ranges += [(first[0][0], last[0][1])] if is_single and is_last_single else [*first, (45, 45), *last]
        self.at += 1
        return Unit(_others(tuple(ranges)) if negated else tuple(ranges))

    def member(self) -> tuple[Ranges, bool]:
        """The units that a member of a class stands for, and whether it is one unit that may begin a range."""
        start = self.at
        code, self.at = class_member(self.text, start)
        if code is not None:
            return (code,), True
        letter = self.text[start + 1]
        ranges = _SHORTHANDS[letter.lower()]
        return ranges if letter.islower() else _others(ranges), False


def _repeated(part: Node, quantifier: re.Match[str]) -> Node:
    if quantifier[1] is None:
        sign = quantifier[0][0]
        return Repeat(part, int(sign == "+"), 1 if sign == "?" else None)
    least = times(quantifier[1])
    most = least if quantifier[2] is None else times(quantifier[3]) if quantifier[3] else None
    return Repeat(part, least, most)


def _others(ranges: Ranges) -> Ranges:
    """All units outside the ranges."""
    found, following = [], 0
    for first, last in sorted(ranges):
        if first > following:
            found.append((following, first - 1))
        following = max(following, last + 1)
    return (*found, (following, _LAST)) if following <= _LAST else tuple(found)
