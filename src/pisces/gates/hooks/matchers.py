"""Matchers of hooks: lists of names, and regular expressions that are matched in linear time.

A pattern that cannot be read is None; the hook then fires for everything, because nobody knows what it should guard.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.formats.js_regex_match import js_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.formats.js_regex_match import JsPattern

_MOST = 256  # patterns that are remembered
_LONGEST = 2000
_FLAGS = re.compile(r"\(\?([a-zA-Z]+)\)")
_NAME = re.compile(r"[\w.*-]+", re.ASCII)
_CALL = re.compile(r"([\w.-]+)\(.*\)", re.ASCII | re.DOTALL)
# One part of a Rust pattern at a time. What none of these fits is a character that means the same in JavaScript.
_PART = re.compile(
    r"(?P<escape>\\.)|(?P<class>\[\^?\]?(?>(?:\\.|[^\]\\])*)\])|(?P<group>\(\?P?<\w+>|\(\?:|\(\??)"
    r"|(?P<count>\{\d+(?:,\d*)?\})|(?P<brace>\{)|(?P<letter>[A-Za-z])|(?P<other>.)",
    re.DOTALL,
)
_LETTERS = re.compile(r"[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z](?!-)")
_SAME_ESCAPES = frozenset("dDwWsSbBnrtfvx")
_OTHER_ESCAPES = {"A": "^", "z": "$"}


def is_open(matcher: object) -> bool:
    """Whether a matcher is written so that every harness lets the hook fire for everything."""
    return matcher is None or (isinstance(matcher, str) and matcher.strip() in ("", "*"))


def listed_names(matcher: str) -> tuple[str, ...]:
    """The names in a list that is not written as its harness wants it: `Write | Bash`, `Write, Bash`, `Bash(rm *)`."""
    parts = [part.strip() for part in re.split(r"[|,]", matcher)]
    if all(_NAME.fullmatch(part) for part in parts):
        return tuple(parts)
    call = _CALL.fullmatch(matcher.strip())
    return (call[1],) if call else ()


@lru_cache(_MOST)
def javascript_pattern(pattern: str) -> JsPattern | None:
    return js_pattern(pattern) if len(pattern) <= _LONGEST else None


@lru_cache(_MOST)
def rust_pattern(pattern: str) -> JsPattern | None:
    """A pattern of Rust's `regex`, where the same can be said in JavaScript."""
    flags = _FLAGS.match(pattern)
    if len(pattern) > _LONGEST or (flags and set(flags[1]) - set("imsu")):
        return None
    ignores_case = flags is not None and "i" in flags[1]
    parts = [_in_javascript(part, ignores_case) for part in _PART.finditer(pattern, flags.end() if flags else 0)]
    return None if None in parts else js_pattern("".join(part or "" for part in parts))


def _in_javascript(part: re.Match[str], ignores_case: bool) -> str | None:
    kind, text = part.lastgroup, part[0]
    if kind == "escape":
        letter = text[1]
        known = letter in _SAME_ESCAPES or (letter.isascii() and not letter.isalnum())
        return _OTHER_ESCAPES.get(letter, text if known else None)
    if kind == "class":
        return _class(text, ignores_case)
    if kind == "group":
        return text.replace("(?P<", "(?<") if text != "(?" else None  # flags, and what Rust does not have
    if kind == "brace":
        return None
    return f"[{text.lower()}{text.upper()}]" if kind == "letter" and ignores_case else text


def _class(text: str, ignores_case: bool) -> str | None:
    """Classes inside classes, sets of them and Unicode's have no counterpart here."""
    if text.startswith(("[]", "[^]")) or re.search(r"\[|&&|--|~~|\\[pPQEhHRXN]", text[1:]):
        return None
    if not ignores_case:
        return text
    plain = _LETTERS.sub("", text)
    if "\\" in text or "-" in plain:
        return None
    return f"{text[:-1]}{''.join(each[0].swapcase() for each in _LETTERS.finditer(text))}]"
