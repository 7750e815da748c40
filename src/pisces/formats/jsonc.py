"""JSON with comments: `parse` as Gemini CLI reads its settings, `parse_lenient` as VS Code reads its own.

Comments are replaced by blanks, so that lines and columns stay as the author sees them.
"""

from __future__ import annotations

import re

from pisces.formats import json
from pisces.formats.malformed import Malformed

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_COMMENT = rf"{_STRING}|(?://[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"
# All but JavaScript's white space: strip-json-comments leaves that in place, so exotic white space stays an error.
_VISIBLE = "[^\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
# The first branch skips strings; the second skips a comma without a value before it, which is not a trailing comma.
_TRAILING_COMMA = rf"{_STRING}|[\[{{,:]\s*+,|(,)(?=\s*+[\]}}])"


def parse(text: str) -> object:
    """Comments are allowed, also an unclosed one. Trailing commas and a byte order mark are not."""
    try:
        return json.parse(text)
    except Malformed:
        plain = without_comments(text)
    return json.parse(plain)


def parse_lenient(text: str) -> object:
    """Comments, trailing commas and a byte order mark are allowed."""
    try:
        return json.parse(text)
    except Malformed:
        plain = without_comments(text)
    if plain.startswith("\ufeff"):
        plain = " " + plain[1:]
    return json.parse(re.sub(_TRAILING_COMMA, _blank_comma, plain, flags=re.DOTALL))


def without_comments(text: str) -> str:
    return re.sub(_COMMENT, _blank_comment, text, flags=re.DOTALL)


def _blank_comment(found: re.Match[str]) -> str:
    whole = found[0]
    return re.sub(_VISIBLE, " ", whole) if whole[0] == "/" else whole


def _blank_comma(found: re.Match[str]) -> str:
    return " " if found[1] else found[0]
