"""Why a text is not JSON, and exactly where. Loaded only for a text that the scanner refused."""

from __future__ import annotations

import re

from pisces.formats.json import DEEPEST, TOO_DEEP
from pisces.formats.malformed import Malformed, place_at

_STRING = r'"[^"\\\x00-\x1f]*+(?>(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*)"'
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])"
_TOKEN = rf"[ \t\n\r]*+(?:(?P<string>{_STRING})|(?P<plain>{_NUMBER}|(?:true|false|null)(?!\w))|(?P<mark>[\[\]{{}},:]))?"
_BRACKETS = r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"|[\[{]|[\]}]'

# The state machine: what may follow in each state. The state `after` (a value has ended) depends on the container.
_VALUE = {"string": "after", "plain": "after", "[": "element", "{": "member"}
_NEXT = {
    "value": _VALUE,
    "item": _VALUE,  # after a comma in a list
    "element": {**_VALUE, "]": "after"},
    "member": {"string": "colon", "}": "after"},
    "key": {"string": "colon"},  # after a comma in an object
    "colon": {":": "value"},
}
_CLOSES = {"{": "}", "[": "]"}

_CURLY_QUOTES = "\u201c\u201d\u2018\u2019"
_NAMES = {
    "NaN": "`NaN` is not allowed in JSON",
    "Infinity": "`Infinity` is not allowed in JSON",
    "-Infinity": "`-Infinity` is not allowed in JSON",
    "undefined": "`undefined` is not allowed in JSON: write `null` or leave the key out",
    "True": "`True` is not JSON: write `true`",
    "False": "`False` is not JSON: write `false`",
    "None": "`None` is not JSON: write `null`",
}


def is_too_deep(text: str) -> bool:
    depth = 0
    for found in re.finditer(_BRACKETS, text, re.DOTALL):
        first = text[found.start()]
        if first != '"':
            depth += 1 if first in "{[" else -1
        if depth > DEEPEST:
            return True
    return False


def fault_in(text: str) -> Malformed | None:
    """The first thing in the text that JSON does not allow."""
    brackets: list[int] = []
    wanted = "value"
    end = comma = 0
    while True:
        kind, at, end = _token(text, end)
        if kind == "end" and wanted == "after" and not brackets:
            return None
        step = _after(text, kind, brackets) if wanted == "after" else _NEXT[wanted].get(kind)
        if step is None and wanted in ("key", "item") and kind in "}]":
            return Malformed(f"trailing comma before `{kind}`", *place_at(text, comma))
        if step is None:
            message, at = _why_not(text, at, wanted, brackets)
            return Malformed(message, *place_at(text, at))
        if kind == ",":
            comma = at
        elif kind in _CLOSES:
            brackets.append(at)
            if len(brackets) > DEEPEST:
                return Malformed(TOO_DEEP, *place_at(text, at))
        elif kind in "}]":
            brackets.pop()
        wanted = step


def _token(text: str, at: int) -> tuple[str, int, int]:
    """The kind, start and end of the next token. The kind is `other` for text that is no token."""
    found = re.compile(_TOKEN).match(text, at)
    if found is None or found.lastgroup is None:
        start = found.end() if found else at
        return ("end" if start == len(text) else "other"), start, start
    start = found.start(found.lastgroup)
    return (text[start] if found.lastgroup == "mark" else found.lastgroup), start, found.end()


def _after(text: str, kind: str, brackets: list[int]) -> str | None:
    if not brackets:
        return None
    container = text[brackets[-1]]
    if kind == ",":
        return "key" if container == "{" else "item"
    return "after" if kind == _CLOSES[container] else None


def _why_not(text: str, at: int, wanted: str, brackets: list[int]) -> tuple[str, int]:
    """The reason and its offset, which for a string may lie inside the token."""
    if at == len(text):
        return _unfinished(text, wanted, brackets), at
    character = text[at]
    if character == '"':
        return _broken_string(text, at) or (_misplaced(text, at, wanted, brackets), at)
    if character == "\ufeff" and at == 0:
        return "byte order mark at the start: save the file as UTF-8 without it", at
    if character == "#" or text.startswith(("//", "/*"), at):
        return "comments are not allowed in JSON", at
    if character == "'":
        return "single quotes: JSON wants double quotes", at
    if character in _CURLY_QUOTES:
        return "curly quotes: JSON wants straight double quotes", at
    if not character.isprintable():
        return f"invisible character U+{ord(character):04X}: delete it or write a plain space", at
    return _misplaced(text, at, wanted, brackets), at


def _unfinished(text: str, wanted: str, brackets: list[int]) -> str:
    if brackets:
        return f"the text ends, but the `{text[brackets[-1]]}` of line {place_at(text, brackets[-1])[0]} is not closed"
    return "the text is empty" if wanted == "value" else "the text ends too early"


def _broken_string(text: str, at: int) -> tuple[str, int] | None:
    """Why the string that starts here is invalid; None if it is valid."""
    sound = re.compile(_STRING[:-1]).match(text, at)
    end = sound.end() if sound else at + 1
    if text.startswith('"', end):
        return None
    if end == len(text) or text[end] in "\r\n":
        return "the string is not closed on its line", at
    if text[end] != "\\":
        code = f"{ord(text[end]):04x}"
        return f"the string contains the control character U+{code.upper()}: write it as `\\u{code}`", end
    if text.startswith("\\u", end):
        return "`\\u` needs four hexadecimal digits", end
    return f"`{text[end : end + 2]}` is not an escape in JSON: a backslash itself is written `\\\\`", end


def _misplaced(text: str, at: int, wanted: str, brackets: list[int]) -> str:
    found = re.compile(rf"{_STRING}|[\w.+$-]+").match(text, at)
    word = found[0] if found else text[at]
    shown = word if len(word) <= 40 else word[:40] + "..."
    if wanted == "after":
        return _after_value(text, shown, brackets)
    if wanted == "colon":
        return f"missing `:` before `{shown}`"
    if wanted in ("member", "key"):
        return f"keys are written in double quotes, `{shown}` is not" if found else f"expected a key, found `{shown}`"
    if word in _NAMES:
        return _NAMES[word]
    if word[0] in "+-." or word[0].isdigit():
        return f"`{shown}` is not a number in JSON"
    return f"text is written in double quotes, `{shown}` is not" if found else f"expected a value, found `{shown}`"


def _after_value(text: str, shown: str, brackets: list[int]) -> str:
    if not brackets:
        return f"unexpected `{shown}` after the end of the value"
    if shown in ("}", "]"):
        return f"`{shown}` does not close the `{text[brackets[-1]]}` of line {place_at(text, brackets[-1])[0]}"
    if shown == ":":
        return "unexpected `:`"
    return f"missing comma before `{shown}`"
