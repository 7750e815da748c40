"""Scalars without quotes, on one line or folded over several."""

from __future__ import annotations

import re

from pisces.formats.yaml.reader import ABSENT, YamlReader

_WORDS = r"{word}(?:[ \t]++(?!#){word})*+"
_IN_BLOCK = _WORDS.format(word=r"(?:[^ \t\n\0:]++|:(?![ \t\n]))++")
_IN_FLOW = _WORDS.format(word=r"(?:[^ \t\n\0:,\[\]{}]++|:(?![ \t\n,\[\]{}]))++")
_LINE_ENDS = r"[ \t]*\n[ \t\n]*"
_NEVER_FIRST = frozenset(" \t\n\0,[]{}#&*!|>'\"%@`")


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
        breaks = gap[0].count("\n")
        folded.append(" " if breaks == 1 else "\n" * (breaks - 1))
        folded.append(found[0])
        reader.check_printable(at, found.end())
        reader.at = found.end()
    return "".join(folded)
