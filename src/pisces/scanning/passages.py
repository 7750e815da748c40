"""A passage: what stands together around a place, in one line and without the marks of a comment or a program."""

from __future__ import annotations

import re

_BEFORE = 600
_AFTER = 500
_HEADING = re.compile(r"\n#{1,6} [^\n]{0,200}\n")
_BLANK = re.compile(r"\n[ \t]{0,9}\n")
_ITEM = re.compile(r"[ \t]{0,12}(?:[-*+]|\d{1,2}[.)])[ \t]")
_MARKS = re.compile(r"[\"'`]\s{0,4}\+?\s{0,4}\n\s{0,40}f?[\"'`]|\\n|\n[ \t]{0,40}(?:#|//|\*|>|--)?")
_SPACES = re.compile(r"\s{2,400}")


def passage_at(text: str, at: int, end: int) -> tuple[int, str]:
    """Where the passage around a place begins, and its words. A list belongs to what stands before and behind it."""
    low, high = max(0, at - _BEFORE), min(len(text), end + _AFTER)
    for heading in _HEADING.finditer(text, low, at):
        low = heading.end()
    for blank in _BLANK.finditer(text, low, at):
        if not _is_in_list(text, blank.start(), blank.end()):
            low = blank.end()
    after = [
        each.start() for each in _BLANK.finditer(text, end, high) if not _is_in_list(text, each.start(), each.end())
    ]
    below = _HEADING.search(text, end, high)
    high = min([high, *after[:1], *([below.start()] if below else [])])
    return low, in_one_line(text[low:high])


def in_one_line(text: str) -> str:
    return _SPACES.sub(" ", _MARKS.sub(" ", text))


def _is_in_list(text: str, before: int, after: int) -> bool:
    """Whether the line before a blank one, or the line behind it, is an item."""
    start = text.rfind("\n", 0, before) + 1
    return bool(_ITEM.match(text, start) or _ITEM.match(text, after))
