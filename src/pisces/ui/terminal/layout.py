"""What the frame shows, from the top: what is under way, a panel or the input box, and one status line.

The frame itself is a rule, the box and the status line. In a small window the rule goes first, then the status line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.box_text import box_lines
from pisces.ui.terminal.cells import cells, clipped
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.ui.terminal.panel import Panel
    from pisces.ui.terminal.themes import Palette

_FEWEST_FOR_STATUS, _FEWEST_FOR_RULE = 3, 4
_MOST_WIDGET_LINES = 10


def most_rows(height: int) -> int:
    """Of the frame. Half of the window: where a window of half the width breaks every line, it still holds all rows."""
    return max(_FEWEST_FOR_RULE, height // 2)


class FrameParts(Value):
    """`live` and `status` make lines that fit. `hint` says what the keys do now, inside the rule."""

    text: str
    cursor: int
    live: Callable[[int, int], Sequence[str]]
    status: Callable[[int], str]
    hint: str = ""
    panel: Panel | None = None
    choices: Sequence[str] = ()
    above: Sequence[str] = ()
    below: Sequence[str] = ()


class FrameLines(Value):
    lines: tuple[str, ...]
    row: int
    column: int
    width: int


def frame_lines(parts: FrameParts, width: int, height: int, palette: Palette) -> FrameLines:
    """At most `most_rows`; more for a panel that is taller, and never more than the window has."""
    status = [palette.paint(parts.status(width), "dim")] if height >= _FEWEST_FOR_STATUS else []
    rule = [_rule(parts.hint, width, palette)] if height >= _FEWEST_FOR_RULE else []
    frame = len(status) + len(rule)
    room = max(1, min(most_rows(height), height) - frame)
    if parts.panel is not None:
        most = max(1, height - frame)
        middle = tuple(clipped(line, width) for line in parts.panel.lines(width, most)[:most]) or ("",)
        row, column = len(middle) - 1, min(cells(middle[-1]), width - 1)
    else:
        box = box_lines(parts.text, parts.cursor, width, room - room // 3)
        middle, row, column = box.lines, box.row, box.column
    room = max(0, room - len(middle))
    choices = [clipped(line, width) for line in parts.choices[:room]]
    room -= len(choices)
    below = [clipped(line, width) for line in parts.below[: min(room, _MOST_WIDGET_LINES)]]
    room -= len(below)
    above = [clipped(line, width) for line in parts.above[: min(room, _MOST_WIDGET_LINES)]]
    room -= len(above)
    live = [clipped(line, width) for line in parts.live(width, room)]
    top = [*live, *above, *rule]
    return FrameLines((*top, *middle, *choices, *below, *status), len(top) + row, column, width)


def _rule(hint: str, width: int, palette: Palette) -> str:
    if not hint:
        return palette.paint("─" * width, "border")
    words = clipped(f"── {hint} ", width)
    return palette.paint(words + "─" * (width - cells(words)), "border")
