"""Would JavaScript compile this regular expression? Ours has to know without running JavaScript.

Without flags JavaScript forgives much (a lone `]`, `{` or `\\-` is itself), so only what it refuses is looked for.
"""

from __future__ import annotations

import re

_QUANTIFIER = re.compile(r"[*+?]\??|\{(\d+)(,(\d*))?\}\??")
_GROUP_START = re.compile(r"\((?!\?)|\(\?(?:[:=!]|<[=!]|<([A-Za-z_$][\w$]*)>)")
_NESTED_QUANTIFIER = re.compile(r"\([^)]*[*+?{].*\)[*+?{]")
LONGEST_SAFE = 2048


def regex_flaw(pattern: str) -> str:
    """Why JavaScript refuses the pattern, or nothing."""
    try:
        _walk(pattern)
    except _RefusedError as refused:
        return str(refused)
    return ""


def is_dangerous(pattern: str) -> bool:
    """Gemini's guard against patterns that can take for ever: too long, or a quantifier on a quantified group."""
    return len(pattern) > LONGEST_SAFE or _NESTED_QUANTIFIER.search(pattern) is not None


class _RefusedError(Exception):
    pass


def _walk(pattern: str) -> None:
    at, repeatable = 0, False
    depth: list[bool] = []
    names: set[str] = set()
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            if at + 1 >= len(pattern):
                raise _RefusedError("it ends with a lone backslash")
            at, repeatable = at + 2, pattern[at + 1] not in "bB"
        elif char == "[":
            at, repeatable = _class_end(pattern, at), True
        elif char == "(":
            at, repeatable = _group(pattern, at, depth, names), False
        elif char == ")":
            if not depth:
                raise _RefusedError("a `)` closes nothing")
            repeatable, at = depth.pop(), at + 1
        elif quantifier := _QUANTIFIER.match(pattern, at):
            _repeat(quantifier, repeatable)
            at, repeatable = quantifier.end(), False
        else:
            at, repeatable = at + 1, char not in "|^$"
    if depth:
        raise _RefusedError("a group is not closed")


def _group(pattern: str, at: int, depth: list[bool], names: set[str]) -> int:
    start = _GROUP_START.match(pattern, at)
    if not start:
        raise _RefusedError("`(?` does not start a group that exists")
    if start[1]:
        if start[1] in names:
            raise _RefusedError(f"two groups are called `{start[1]}`")
        names.add(start[1])
    depth.append(not start[0].startswith(("(?<=", "(?<!")))  # what looks behind cannot be repeated
    return start.end()


def _repeat(quantifier: re.Match[str], repeatable: bool) -> None:
    if not repeatable:
        raise _RefusedError(f"`{quantifier[0]}` has nothing to repeat")
    if quantifier[3] and int(quantifier[1]) > int(quantifier[3]):
        raise _RefusedError(f"the numbers in `{quantifier[0]}` are out of order")


def _class_end(pattern: str, at: int) -> int:
    start = at
    at += 2 if pattern.startswith("[^", at) else 1
    previous = ""
    while at < len(pattern):
        char = pattern[at]
        if char == "]":
            return at + 1
        width = 2 if char == "\\" else 1
        if char == "-" and previous and at + 1 < len(pattern) and pattern[at + 1] not in "]\\":
            if previous > pattern[at + 1]:
                raise _RefusedError(f"the range `{previous}-{pattern[at + 1]}` is out of order")
            previous, width = "", 2
        else:
            previous = char if width == 1 else ""
        at += width
    raise _RefusedError(f"the `[` at {start + 1} is not closed")
