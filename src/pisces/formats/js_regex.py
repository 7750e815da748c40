"""Would JavaScript compile this regular expression? Decided without running JavaScript, in linear time.

Without flags JavaScript accepts a lone `]`, `{` or `\\-` as itself, so this looks only for what it refuses. It reads
16-bit units, not characters, and so does this.
"""

from __future__ import annotations

import re

# Compiled when first needed: few patterns have any of it.
QUANTIFIER = r"[*+?]\??|\{([0-9]+)(,([0-9]*))?\}\??"
GROUP_START = r"\((?!\?)|\(\?(?:[:=!]|<[=!]|<((?:[^\\<>()]|\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4})+)>)"
_NAME_ESCAPE = r"(?:\\u\{([0-9A-Fa-f]+)\}|\\u([0-9A-Fa-f]{4}))"
BACK_REFERENCE = r"k<((?:[^\\<>()]|\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4})+)>"
CLASS_ESCAPE = r"c([A-Za-z0-9_])|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([0-3][0-7]{0,2}|[4-7][0-7]?)"
_CONTROLS = {"b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
MOST = 2**31 - 1  # JavaScript treats larger repetition counts as infinite


def regex_flaw(pattern: str) -> str:
    """Why JavaScript refuses the pattern; empty if it does not."""
    try:
        _Walk(pattern).whole()
    except _RefusedError as refused:
        return str(refused)
    return ""


def has_named_group(pattern: str) -> bool:
    """Without named groups `\\k` matches itself. The group may come after the reference."""
    return re.search(r"\(\?<(?![=!])", pattern) is not None


class _RefusedError(Exception):
    pass


class _Walk:
    """Reads one pattern from left to right. `at` is the current offset."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0
        self.repeatable = False
        self.open_groups: list[bool] = []
        self.names: set[str] = set()
        self.references: list[str] = []  # an empty one is a `\\k` without a name
        self.has_names = has_named_group(pattern)

    def whole(self) -> None:
        while self.at < len(self.text):
            self.step(self.text[self.at])
        if self.open_groups:
            raise _RefusedError("a group is not closed")
        for name in self.references if self.names else ():
            if name not in self.names:
                raise _RefusedError(f"`\\k<{name}>` names no group" if name else "`\\k` needs the name of a group")

    def step(self, char: str) -> None:
        if char == "\\":
            self.escape()
        elif char == "[":
            self.at, self.repeatable = _class_end(self.text, self.at), True
        elif char == "(":
            self.group()
        elif char == ")":
            if not self.open_groups:
                raise _RefusedError("a `)` closes nothing")
            self.repeatable, self.at = self.open_groups.pop(), self.at + 1
        elif quantifier := re.compile(QUANTIFIER).match(self.text, self.at):
            _repeat(quantifier, self.repeatable)
            self.at, self.repeatable = quantifier.end(), False
        else:
            self.at, self.repeatable = self.at + 1, char not in "|^$"

    def escape(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if not following:
            raise _RefusedError("it ends with a lone backslash")
        if following == "k":
            found = re.compile(BACK_REFERENCE).match(self.text, self.at + 1)
            name = _group_name(found[1]) if found else ""
            self.references.append(name)
            if name and found and self.has_names:
                self.at = found.end() - 2
        self.at, self.repeatable = self.at + 2, following not in "bB"

    def group(self) -> None:
        start = re.compile(GROUP_START).match(self.text, self.at)
        if not start:
            raise _RefusedError("`(?` does not start a group that exists")
        if start[1]:
            name = _group_name(start[1])
            if not name:
                raise _RefusedError(f"`{start[1]}` is not a name for a group")
            if name in self.names:
                raise _RefusedError(f"two groups are called `{name}`")
            self.names.add(name)
        self.open_groups.append(not start[0].startswith(("(?<=", "(?<!")))  # a lookbehind cannot be repeated
        self.at, self.repeatable = start.end(), False


def _repeat(quantifier: re.Match[str], repeatable: bool) -> None:
    if not repeatable:
        raise _RefusedError(f"`{quantifier[0]}` has nothing to repeat")
    if quantifier[3] and times(quantifier[1]) > times(quantifier[3]):
        raise _RefusedError(f"the numbers in `{quantifier[0]}` are out of order")


def times(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    return MOST if len(digits) > 10 else min(int(digits), MOST)


def _group_name(written: str) -> str:
    """The name with its escapes resolved; nothing where it is not an identifier."""
    name = re.sub(_NAME_ESCAPE, lambda found: _character(int(found[1] or found[2], 16)), written)
    name = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    plain = name.replace("$", "a").replace("\u200c", "").replace("\u200d", "")
    starts_well = name[:1] not in ("\u200c", "\u200d")
    return name if starts_well and plain.isidentifier() else ""


def _character(code: int) -> str:
    return chr(code) if code <= 0x10FFFF else "\ufffd"


def _class_end(text: str, start: int) -> int:
    """The offset after a `[...]`."""
    at = start + (2 if text.startswith("[^", start) else 1)
    while at < len(text):
        if text[at] == "]":
            return at + 1
        unit, at = class_member(text, at)
        if not text.startswith("-", at) or text.startswith("]", at + 1) or at + 1 >= len(text):
            continue
        other, at = class_member(text, at + 1)
        if unit and other and unit[1] > other[0]:
            raise _RefusedError("a range in `[...]` is out of order")
    raise _RefusedError(f"the `[` at {start + 1} is not closed")


def class_member(text: str, at: int) -> tuple[tuple[int, int] | None, int]:
    """The first and last unit of one member of a class, and the offset after it."""
    if text[at] != "\\":
        units = _units(text[at])
        return (units[0], units[-1]), at + 1
    following = text[at + 1 : at + 2]
    if following and following in "dDsSwW":
        return None, at + 2
    if following in _CONTROLS:
        code = _CONTROLS[following]
        return (code, code), at + 2
    if found := re.compile(CLASS_ESCAPE).match(text, at + 1):
        code = _escaped_code(found)
        return (code, code), found.end()
    if following == "c" or not following:
        return (92, 92), at + 1  # a backslash that means itself
    units = _units(following)
    return (units[0], units[-1]), at + 2


def _escaped_code(found: re.Match[str]) -> int:
    control, short, long, octal = found.groups()
    if control:
        return ord(control) % 32
    return int(octal, 8) if octal else int(short or long, 16)


def _units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)]
