"""Lines of a server in linear time and bounded memory. A line over the limit is dropped, but not whose answer it was.

The number of an answer is at one of its ends: `{"jsonrpc": "2.0", "id": 5, "result"` or `"id": 5}`, depending on the
server's library. In between is the server's data, where nothing is looked for.
"""

from __future__ import annotations

import re

from pisces.processes.lines import Lines
from pisces.value import Value

_END = 512  # bytes of a dropped line that stay at either end
_MOST_TIMES = 16  # a line that is so many times over the limit has no end

_VERSION = rb'(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?'
_ID = rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,200}")\s*'
_ID_FIRST = re.compile(rb"\s*\{\s*" + _VERSION + _ID + rb',\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"')
_ANSWER = re.compile(rb"\s*\{\s*" + _VERSION + rb'"(?:result|error)"')
_ID_LAST = re.compile(_ID + rb'(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


class Dropped(Value):
    """A line that is too long. `id` is that of the request which it answers, None where that is not known."""

    size: int
    id: int | str | None = None


class Endless(Exception):
    """A line goes on and on: whoever writes it has to be ended."""


def answered_id(head: bytes, tail: bytes) -> int | str | None:
    """Which of our requests a line answers, from its two ends."""
    found = _ID_FIRST.match(head) or (_ANSWER.match(head) and _ID_LAST.search(tail))
    if not found:
        return None
    text = found[1].decode("utf-8", "replace")
    return text[1:-1] if text.startswith('"') else int(text)


class BoundedLines:
    """Chunks in, lines out, without their ends."""

    def __init__(self, limit: int) -> None:
        self._limit, self._lines = limit, Lines()
        self._size = 0  # of the line that is being dropped
        self._head = self._tail = b""
        self._is_answered = False

    @property
    def start(self) -> bytes:
        """How the line begins that has not ended yet."""
        return self._head or self._lines.start

    def ended(self, chunk: bytes) -> list[bytes | Dropped]:
        """Raises `Endless`. A line is reported as dropped once: as soon as its number is known, or at its end."""
        made: list[bytes | Dropped] = []
        if self._size:
            rest, end, chunk = chunk.partition(b"\n")
            made += self._drop(rest)
            if not end:
                return made
            made += self._end_of_dropped()
        for line in self._lines.ended(chunk):
            is_long = len(line) > self._limit
            made.append(Dropped(len(line), answered_id(line[:_END], line[-_END:])) if is_long else line)
        if self._lines.length > self._limit:
            made += self._drop(self._lines.taken())
        return made

    def _drop(self, part: bytes) -> list[bytes | Dropped]:
        if not self._size:
            self._head = part[:_END]
        self._size += len(part)
        self._tail = (self._tail + part[-_END:])[-_END:]
        if self._size > self._limit * _MOST_TIMES:
            raise Endless
        number = None if self._is_answered else answered_id(self._head, b"")
        if number is None:
            return []
        self._is_answered = True
        return [Dropped(self._size, number)]

    def _end_of_dropped(self) -> list[bytes | Dropped]:
        left: list[bytes | Dropped] = []
        if not self._is_answered:
            left.append(Dropped(self._size, answered_id(self._head, self._tail)))
        self._size, self._head, self._tail, self._is_answered = 0, b"", b"", False
        return left
