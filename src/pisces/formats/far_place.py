"""The line and column of an offset in a long text, whose lines are counted once for all of its places."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache


def far_place(text: str, offset: int) -> tuple[int, int]:
    starts = _line_starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    starts = [0]
    while (end := text.find("\n", starts[-1])) >= 0:
        starts.append(end + 1)
    return starts
