"""A fast path for the usual header: `key: text`, and below a key plain items, plain entries or a block scalar.

It returns UNSURE unless the full reader gives the same result. Property tests check that.
"""

from __future__ import annotations

import re

from pisces.formats.yaml.scalars import has_no_character, value_of

UNSURE = object()

_CONTROL = r"[\x00-\x09\x0b-\x1f\x7f-\x9f]"
_PLAIN = r"((?:[A-Za-z0-9/(.+~<_]|-(?=[^ ])|[^\x00-\xa0])[^\n]*)"
_SCALAR = rf"(?:{_PLAIN}|'((?:[^'\n]|'')*)' *|\"([^\"\\\n]*)\" *)"
_KEY = r"([A-Za-z_][A-Za-z0-9_-]*):"
_WORD = r"(?:[A-Za-z_][A-Za-z0-9_./*()-]*|\"[^\"\\\n]*\"|'[^'\n]*')"
_LINE = rf"{_KEY}(?: +{_SCALAR}| +([|>])(-?) *| +\[ *({_WORD}(?: *, *{_WORD})*) *\] *| *)"
_ITEM = rf"( *)-() +{_SCALAR}"
_ENTRY = rf"( +){_KEY} +{_SCALAR}"
_NO_STRINGS = frozenset(("null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"))


def flat_mapping(text: str) -> object:
    """The mapping, or UNSURE."""
    text = text.replace("\r\n", "\n")
    if not text.replace("\n", "").isprintable() and (re.search(_CONTROL, text) or has_no_character(text)):
        return UNSURE
    lines = text.removesuffix("\n").split("\n")
    line_match = re.compile(_LINE).fullmatch  # compiled on first use, then in the cache of `re`
    mapping: dict[str, object] = {}
    at = 0
    while at < len(lines):
        if not lines[at] or lines[at][0] == "#":
            at += 1
            continue
        found = line_match(lines[at])
        if found is None or found[1] in mapping or found[1] in _NO_STRINGS:
            return UNSURE
        value, at = _value(found, lines, at + 1)
        if value is UNSURE:
            return UNSURE
        mapping[found[1]] = value
    return mapping or UNSURE


def _value(found: re.Match[str], lines: list[str], at: int) -> tuple[object, int]:
    """The value that starts on a line, and the number of the line after it."""
    if found[5]:
        return _block_scalar(lines, at, found[5], found[6])
    if found[7]:
        words = re.findall(_WORD, found[7])
        return [word[1:-1] if word[0] in "'\"" else value_of(word) for word in words], at
    if found.lastindex == 1:
        return _collection(lines, at)
    return _scalar(*found.group(2, 3, 4)), at


def _scalar(plain: str | None, single: str | None, double: str | None) -> object:
    if single is not None:
        return single.replace("''", "'")
    if plain is None:
        return double
    if ": " in plain or " #" in plain or plain[-1] == ":":
        return UNSURE
    return value_of(plain.rstrip(" "))


def _collection(lines: list[str], at: int) -> tuple[object, int]:
    """The items or entries that follow, all at one depth."""
    match = re.compile(_ENTRY).fullmatch
    if at < len(lines) and match(lines[at]) is None:
        match = re.compile(_ITEM).fullmatch
    depth = ""
    keys: list[str] = []
    values: list[object] = []
    while at < len(lines) and (found := match(lines[at])):
        if values and found[1] != depth:
            return UNSURE, at
        depth = found[1]
        keys.append(found[2])
        values.append(_scalar(*found.group(3, 4, 5)))
        at += 1
    if not values or UNSURE in values:
        return UNSURE, at
    if not keys[0]:
        return values, at
    repeated = len(set(keys)) < len(keys)
    return (UNSURE if repeated or _NO_STRINGS.intersection(keys) else dict(zip(keys, values, strict=True))), at


def _block_scalar(lines: list[str], at: int, style: str, chomping: str) -> tuple[object, int]:
    """The indented lines that follow, if their depth is unambiguous."""
    first = lines[at] if at < len(lines) else ""
    indent = first[: len(first) - len(first.lstrip(" "))]
    body: list[str] = []
    while at < len(lines) and (not lines[at] or lines[at].startswith(" ")):
        if lines[at] and not (indent and lines[at].startswith(indent)):
            return UNSURE, at
        body.append(lines[at][len(indent) :])
        at += 1
    while body and not body[-1]:
        body.pop()
    odd = any(line.isspace() or (style == ">" and line.startswith(" ")) for line in body)
    if odd or not indent or not body or not body[0]:
        return UNSURE, at
    text = "\n".join(body) if style == "|" else _folded(body)
    return (text if chomping else text + "\n"), at


def _folded(lines: list[str]) -> str:
    """Lines joined by one space, or by as many line ends as there are blank lines between them."""
    parts: list[str] = []
    blank = 0
    for line in lines:
        if line:
            parts += ["\n" * blank if blank or not parts else " ", line]
        blank = 0 if line else blank + 1
    return "".join(parts)
