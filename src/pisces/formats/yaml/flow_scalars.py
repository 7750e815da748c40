"""Scalars without quotes, in single or in double quotes: on one line or folded over several, with YAML's escapes."""

from __future__ import annotations

import re

from pisces.formats.yaml.reader import ABSENT, YamlReader

_WORDS = r"{word}(?>(?:[ \t]++(?!#){word})*)"
_IN_BLOCK = _WORDS.format(word=r"(?>(?:[^ \t\n\0:]++|:(?![ \t\n]))+)")
_IN_FLOW = _WORDS.format(word=r"(?>(?:[^ \t\n\0:,\[\]{}]++|:(?![ \t\n,\[\]{}]))+)")
_LINE_ENDS = r"[ \t]*\n[ \t\n]*"
_NEVER_FIRST = frozenset(" \t\n\0,[]{}#&*!|>'\"%@`")
_SINGLE = r"'((?>(?:[^'\0]++|'')*))'"
_DOUBLE = r'"((?>(?:[^"\\\0]++|\\[^\0])*))"'
_INNER = (
    r"\\(?:\n[ \t\n]*|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0abt\tnvfre \"/\\N_LP])|())|\n[ \t\n]*"
)
_BREAKS = r"\n[ \t\n]*"
_UNREADABLE = r"[\x00-\x08\x0b-\x1f]"
_ESCAPED = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))


def plain_in_block(reader: YamlReader, indent: int) -> object:
    """The text of a plain scalar whose further lines are indented by at least `indent`, or ABSENT."""
    return _plain(reader, indent, _IN_BLOCK, " \t\n")


def plain_in_flow(reader: YamlReader, indent: int) -> object:
    return _plain(reader, indent, _IN_FLOW, " \t\n,[]{}")


def _plain(reader: YamlReader, indent: int, pattern: str, ends: str) -> object:
    text, start = reader.text, reader.at
    first = text[start]
    if first in _NEVER_FIRST or (first in "-?" and text[start + 1] in ends):
        return ABSENT
    line = re.compile(pattern)
    found = None if start == reader.line_start and reader.is_separator(start) else line.match(text, start)
    if found is None:
        return ABSENT
    reader.check_printable(start, found.end())
    reader.at = found.end()
    after = re.compile(_LINE_ENDS).match(text, reader.at)
    return found[0] if after is None else _continued(reader, indent, found[0], line)


def _continued(reader: YamlReader, indent: int, first: str, line: re.Pattern[str]) -> str:
    """The first line and its continuation lines."""
    text, folded = reader.text, [first]
    line_ends = re.compile(_LINE_ENDS)
    while True:
        gap = line_ends.match(text, reader.at)
        if gap is None:
            break
        line_start = text.rfind("\n", 0, gap.end()) + 1
        lead = text[line_start : gap.end()]
        if len(lead) - len(lead.lstrip(" ")) < indent:
            break
        reader.move_to(gap.end())
        at = gap.end()
        found = None if text[at] == "#" or (not lead and reader.is_separator(at)) else line.match(text, at)
        if found is None:
            break
        folded += (_folded(gap), found[0])
        reader.check_printable(at, found.end())
        reader.at = found.end()
    return "".join(folded)


def single_quoted(reader: YamlReader) -> str:
    body = _body(reader, _SINGLE)
    if "\n" in body:
        body = re.sub(_BREAKS, _folded, body)
    return body.replace("''", "'")


def double_quoted(reader: YamlReader) -> str:
    start = reader.at
    body = _body(reader, _DOUBLE)
    if "\\" not in body and "\n" not in body:
        return body

    def meaning(found: re.Match[str]) -> str:
        code = found[1] or found[2] or found[3]
        if code:
            return _character(int(code, 16))
        if found[4]:
            return _ESCAPED[found[4]]
        if found[5] is not None:
            raise reader.malformed("an unknown escape sequence in a double-quoted string", start + 1 + found.start())
        return "" if found[0][0] == "\\" else _folded(found)

    text = re.sub(_INNER, meaning, body)
    if "\\u" in body:  # two escapes may be the halves of one character
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text


def _body(reader: YamlReader, pattern: str) -> str:
    text, start = reader.text, reader.at
    found = re.compile(pattern).match(text, start)
    if found is None:
        raise reader.malformed("a quoted string is not closed")
    body = found[1]
    if "\n" in body:
        _refuse_separators(reader, found.start(1), found.end(1))
    if reader.unprintable < found.end():
        control = re.compile(_UNREADABLE).search(text, start, found.end())
        if control is not None:
            raise reader.malformed("a control character must be escaped", control.start())
    line_start = text.rfind("\n", start, found.end()) + 1
    reader.at = found.end()
    if line_start:
        reader.enter_line(line_start)
    return body


def _refuse_separators(reader: YamlReader, start: int, end: int) -> None:
    newline = reader.text.find("\n", start, end)
    while newline >= 0:
        if reader.is_separator(newline + 1):
            raise reader.malformed("a document marker inside a quoted string", newline + 1)
        newline = reader.text.find("\n", newline + 1, end)


def _folded(found: re.Match[str]) -> str:
    """One line end becomes a space, more become one less. Blanks after it are dropped, those before it stay."""
    breaks = found[0].count("\n")
    return " " if breaks == 1 else "\n" * (breaks - 1)


def _character(code: int) -> str:
    if code <= 0x10FFFF:
        return chr(code)
    # JavaScript's arithmetic for a code point beyond Unicode: two surrogates that wrap.
    over = code - 0x10000
    return chr(((over >> 10) + 0xD800) & 0xFFFF) + chr((over & 0x3FF) + 0xDC00)
