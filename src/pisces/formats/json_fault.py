"""Why a text is not JSON, and exactly where: the second, slower reading, loaded only for a text that was refused."""

from __future__ import annotations

import re

from pisces.formats.json import DEEPEST, TOO_DEEP
from pisces.formats.malformed import Malformed, place_at

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])"
_TOKEN = rf"[ \t\n\r]*+(?:(?P<string>{_STRING})|(?P<plain>{_NUMBER}|(?:true|false|null)(?!\w))|(?P<mark>[\[\]{{}},:]))?"
_BRACKETS = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]'

# What may come next, in the words of the state machine below. `after` (a value has ended) depends on the container.
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
    opened: list[int] = []
    wanted = "value"
    end = comma = 0
    while True:
        kind, at, end = _token(text, end)
        if kind == "end" and wanted == "after" and not opened:
            return None
        step = _after(text, kind, opened) if wanted == "after" else _NEXT[wanted].get(kind)
        if step is None and wanted in ("key", "item") and kind in "}]":
            return Malformed(f"trailing comma before `{kind}`", *place_at(text, comma))
        if step is None:
            message, at = _why_not(text, at, wanted, opened)
            return Malformed(message, *place_at(text, at))
        if kind == ",":
            comma = at
        elif kind in _CLOSES:
            opened.append(at)
            if len(opened) > DEEPEST:
                return Malformed(TOO_DEEP, *place_at(text, at))
        elif kind in "}]":
            opened.pop()
        wanted = step


def _token(text: str, at: int) -> tuple[str, int, int]:
    """The kind, start and end of the next token; what is no token at all is of the kind `other`."""
    found = re.compile(_TOKEN).match(text, at)
    if found is None or found.lastgroup is None:
        start = found.end() if found else at
        return ("end" if start == len(text) else "other"), start, start
    start = found.start(found.lastgroup)
    return (text[start] if found.lastgroup == "mark" else found.lastgroup), start, found.end()


def _after(text: str, kind: str, opened: list[int]) -> str | None:
    if not opened:
        return None
    container = text[opened[-1]]
    if kind == ",":
        return "key" if container == "{" else "item"
    return "after" if kind == _CLOSES[container] else None


def _why_not(text: str, at: int, wanted: str, opened: list[int]) -> tuple[str, int]:
    """The reason and its exact offset, which inside a string is not where the token starts."""
    if at == len(text):
        return _unfinished(text, wanted, opened), at
    character = text[at]
    if character == '"':
        return _broken_string(text, at) or (_misplaced(text, at, wanted, opened), at)
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
    return _misplaced(text, at, wanted, opened), at


def _unfinished(text: str, wanted: str, opened: list[int]) -> str:
    if opened:
        return f"the text ends, but the `{text[opened[-1]]}` of line {place_at(text, opened[-1])[0]} is not closed"
    return "the text is empty" if wanted == "value" else "the text ends too early"


def _broken_string(text: str, at: int) -> tuple[str, int] | None:
    """Why the string that starts here is not one; None when it is."""
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


def _misplaced(text: str, at: int, wanted: str, opened: list[int]) -> str:
    found = re.compile(rf"{_STRING}|[\w.+$-]+").match(text, at)
    word = found[0] if found else text[at]
    shown = word if len(word) <= 40 else word[:40] + "..."
    if wanted == "after":
        return _after_value(text, shown, opened)
    if wanted == "colon":
        return f"missing `:` before `{shown}`"
    if wanted in ("member", "key"):
        return f"keys are written in double quotes, `{shown}` is not" if found else f"expected a key, found `{shown}`"
    if word in _NAMES:
        return _NAMES[word]
    if word[0] in "+-." or word[0].isdigit():
        return f"`{shown}` is not a number in JSON"
    return f"text is written in double quotes, `{shown}` is not" if found else f"expected a value, found `{shown}`"


def _after_value(text: str, shown: str, opened: list[int]) -> str:
    if not opened:
        return f"unexpected `{shown}` after the end of the value"
    if shown in ("}", "]"):
        return f"`{shown}` does not close the `{text[opened[-1]]}` of line {place_at(text, opened[-1])[0]}"
    if shown == ":":
        return "unexpected `:`"
    return f"missing comma before `{shown}`"
