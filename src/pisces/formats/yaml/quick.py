"""A fast path for the usual header: `key: text`, and below a key plain items, plain entries or a block scalar.

It answers only where the full reader would answer the same (property tests hold it to that), else it says so. It uses
no regular expressions, so that a listing which meets one YAML file does not have to load them.
"""

from __future__ import annotations

from pisces.formats.yaml.scalars import has_no_character, value_of

UNSURE = object()

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_TEXT_START = _LETTERS - frozenset("nNtTfF")  # no value but text begins with these
_PLAIN_START = _LETTERS | frozenset("0123456789/(.+~<")
_IN_WORDS = _LETTERS | frozenset("0123456789./*()-")
_NO_STRINGS = frozenset(("null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"))
_BLOCKS = ("|", "|-", ">", ">-")
_USUAL_KEYS = frozenset(("name", "description", "license", "tools", "model", "allowed-tools", "metadata", "version"))


def flat_mapping(header: str) -> object:
    """The mapping, or UNSURE."""
    header = header.replace("\r\n", "\n")
    if not header.replace("\n", "").isprintable() and any(map(_is_odd, set(header))):
        return UNSURE
    lines = header.removesuffix("\n").split("\n")
    mapping: dict[str, object] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line or line[0] == "#":
            continue
        key, colon, rest = line.partition(":")
        if key in mapping or not colon or not (key in _USUAL_KEYS or _is_key(key)):
            return UNSURE
        text = rest.strip(" ")
        if text and rest[0] == " " and text[0] in _TEXT_START:
            value = _scalar(text)
        else:
            value, at = _value(rest, text, lines, at)
        if value is UNSURE:
            return UNSURE
        mapping[key] = value
    return mapping or UNSURE


def _is_odd(char: str) -> bool:
    """A control character, or what is no character at all."""
    return (char < " " and char != "\n") or "\x7f" <= char <= "\x9f" or has_no_character(char)


def _is_key(key: str) -> bool:
    is_name = key.replace("-", "_").isidentifier() and key.isascii() and key[0] != "-"
    return is_name and key not in _NO_STRINGS


def _value(rest: str, value: str, lines: list[str], at: int) -> tuple[object, int]:
    """The value behind a key, and the number of the line after it. `rest` is what stands there, with its blanks."""
    if not value:
        return _collection(lines, at)
    if rest[0] != " ":
        return UNSURE, at
    if value[0] in "|>":
        return _block_scalar(lines, at, value[0], value[1:]) if value in _BLOCKS else (UNSURE, at)
    return (_words(value) if value[0] == "[" else _scalar(value)), at


def _scalar(text: str) -> object:
    """Of one line, without blanks at its ends."""
    first = text[0]
    if first in _TEXT_START:
        return UNSURE if ": " in text or " #" in text or text[-1] == ":" else text
    inside = text[1:-1]
    if first in "'\"":
        if len(text) < 2 or text[-1] != first:
            return UNSURE
        if first == '"':
            return UNSURE if '"' in inside or "\\" in inside else inside
        return UNSURE if "'" in inside.replace("''", "") else inside.replace("''", "'")
    is_plain = first in _PLAIN_START or first > "\xa0" or (first == "-" and text[1:2] not in ("", " "))
    return value_of(text) if is_plain and ": " not in text and " #" not in text and text[-1] != ":" else UNSURE


def _words(text: str) -> object:
    """A list of words, or of texts in quotes without a comma, on one line; or of nothing."""
    found: list[object] = []
    if text == "[]":
        return found
    for word in text[1:-1].split(",") if text[-1] == "]" else ("",):
        word = word.strip(" ")
        if word[:1] in _LETTERS and _IN_WORDS.issuperset(word):
            found.append(value_of(word))
        elif len(word) > 1 and word[0] == word[-1] and word[0] in "'\"" and not {word[0], "\\"} & set(word[1:-1]):
            found.append(word[1:-1])
        else:
            return UNSURE
    return found


def _collection(lines: list[str], at: int) -> tuple[object, int]:
    """The items or the entries that follow, all equally deep."""
    listed = at < len(lines) and lines[at].lstrip(" ").startswith("- ")
    found: dict[object, object] = {}
    depth = -1
    while at < len(lines):
        line = lines[at].lstrip(" ")
        key, mark, rest = (len(found), "- ", line[2:]) if listed else line.partition(": ")
        if not line.startswith("- ") if listed else not (mark and line != lines[at] and _is_key(str(key))):
            break
        value = _scalar(rest.strip(" ")) if rest.strip(" ") else UNSURE
        if value is UNSURE or key in found or depth not in (-1, len(lines[at]) - len(line)):
            return UNSURE, at
        depth = len(lines[at]) - len(line)
        found[key] = value
        at += 1
    if not found:
        return UNSURE, at
    return (list(found.values()) if listed else found), at


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
