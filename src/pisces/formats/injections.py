"""Where a prompt injects something: a trigger, then braces are counted; quotes and escapes mean nothing."""

from __future__ import annotations

import re

from pisces.formats.js_text import trimmed
from pisces.value import Value

UNCLOSED = -1
_BRACE = re.compile(r"[{}]")


def injections(prompt: str, trigger: str) -> list[tuple[int, int]]:
    """Start and end of every `!{...}` or `@{...}`. An unclosed one ends the list, with `UNCLOSED` as its end."""
    found = []
    start = prompt.find(trigger)
    while start >= 0:
        end = _closed(prompt, start + len(trigger))
        found.append((start, end))
        start = prompt.find(trigger, end) if end != UNCLOSED else -1
    return found


def _closed(prompt: str, at: int) -> int:
    depth = 1
    for brace in _BRACE.finditer(prompt, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return UNCLOSED


def offset_in_file(text: str, prompt: str, offset: int) -> int:
    """Where a character of a prompt stands in the text of its file; -1 where escapes hide it."""
    piece = prompt[offset : offset + 40].split("\n", 1)[0]
    if not piece:
        return -1
    before = prompt.count(piece, 0, offset)
    at = text.find(piece)
    while before and at >= 0:
        at = text.find(piece, at + 1)
        before -= 1
    return at


class Piece(Value):
    """`written` as it stands in the prompt, from `start` on; `inside` is what an injection holds, None in text."""

    written: str
    start: int
    inside: str | None = None


class Unclosed(Exception):
    """An injection that begins at `start` and never ends."""

    def __init__(self, start: int) -> None:
        super().__init__(f"not closed: {start}")
        self.start = start


def pieces(text: str, trigger: str, start: int = 0) -> list[Piece]:
    """All of the text in order, without empty pieces; `start` is where the text stands in the whole prompt."""
    found = []
    last = 0
    for begin, end in injections(text, trigger):
        if end == UNCLOSED:
            raise Unclosed(start + begin)
        if begin > last:
            found.append(Piece(text[last:begin], start + last))
        found.append(Piece(text[begin:end], start + begin, trimmed(text[begin + len(trigger) : end - 1])))
        last = end
    if last < len(text):
        found.append(Piece(text[last:], start + last))
    return found
