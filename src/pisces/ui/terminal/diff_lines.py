"""The difference of two texts as rows: numbers, signs and colours. Every changed line is in it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from pisces.ui.terminal.drawn import exact_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.ui.terminal.themes import Palette

_AROUND = 3  # unchanged lines above and below a change
_MOST_COMPARED = 2000  # lines: more are shown as all old ones, then all new ones, because comparing is quadratic
_NO_END = "\\ no line end at the end of the file"


def diff_counts(old: str, new: str) -> tuple[int, int]:
    """How many lines come, and how many go."""
    added = removed = 0
    for tag, first, last, start, end in _changes(old.splitlines(), new.splitlines()):
        if tag != "equal":
            added, removed = added + end - start, removed + last - first
    return added, removed


def diff_rows(old: str, new: str, width: int, palette: Palette) -> Iterator[str]:
    before, after = old.split("\n"), new.split("\n")
    is_ended = [not lines[-1] for lines in (before, after)]
    before, after = before[:-1] if is_ended[0] else before, after[:-1] if is_ended[1] else after
    digits = len(str(max(len(before), len(after))))
    changes = _changes(before, after)
    for place, (tag, first, last, start, end) in enumerate(changes):
        if tag == "equal":
            yield from _unchanged(before[first:last], start, (place > 0, place < len(changes) - 1), (width, digits))
            continue
        for number, line in enumerate(before[first:last], first + 1):
            yield from (palette.paint(row, "removed") for row in _row(number, "-", line, width, digits))
        for number, line in enumerate(after[start:end], start + 1):
            yield from (palette.paint(row, "added") for row in _row(number, "+", line, width, digits))
    if new and not is_ended[1] and (is_ended[0] or not old):
        yield palette.paint(_NO_END[:width], "dim")


def _unchanged(lines: Sequence[str], start: int, beside: tuple[bool, bool], sizes: tuple[int, int]) -> Iterator[str]:
    """Those near a change. `beside` says whether there is one above and below."""
    head, tail = (_AROUND if each else 0 for each in beside)
    hidden = len(lines) - head - tail
    width, digits = sizes
    for offset, line in enumerate(lines):
        if hidden > 0 and head <= offset < len(lines) - tail:
            if offset == head:
                yield f"{'':{digits}} ... {hidden} unchanged lines"[:width]
            continue
        yield from _row(start + offset + 1, " ", line, width, digits)


def _row(number: int, sign: str, line: str, width: int, digits: int) -> Iterator[str]:
    indent = " " * (digits + 3)
    for at, row in enumerate(exact_rows(line, width, indent if width > len(indent) + 8 else "")):
        if at == 0 and row.startswith(indent):
            yield f"{number:>{digits}} {sign} {row[len(indent) :]}"
        else:
            yield row if row.startswith(indent) else f"{sign}{row}"[: max(width, 1)]


def _changes(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """As `difflib` says it, with the equal beginning and end taken off first."""
    shorter = min(len(before), len(after))
    head = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    tail = next((at for at in range(shorter - head) if before[-1 - at] != after[-1 - at]), shorter - head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    made = [("equal", 0, head, 0, head)] if head else []
    if max(len(old), len(new)) > _MOST_COMPARED:
        made.append(("replace", head, head + len(old), head, head + len(new)))
    elif old or new:
        matched = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        made += [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in matched]
    if tail:
        made.append(("equal", len(before) - tail, len(before), len(after) - tail, len(after)))
    return made
