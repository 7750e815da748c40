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


def frame_lines(parts: FrameParts, width: int, height: int, palette: Palette) -> FrameLines:
    """At most as many lines as the window has rows, so that the terminal never scrolls a part of them away."""
    status = [palette.paint(parts.status(width), "dim")] if height >= _FEWEST_FOR_STATUS else []
    rule = [_rule(parts.hint, width, palette)] if height >= _FEWEST_FOR_RULE else []
    room = max(1, height - len(status) - len(rule))
    if parts.panel is not None:
        middle = tuple(clipped(line, width) for line in parts.panel.lines(width, room)[:room]) or ("",)
        row, column = len(middle) - 1, min(cells(middle[-1]), width - 1)
    else:
        box = box_lines(parts.text, parts.cursor, width, max(1, (room + 1) // 2))
        middle, row, column = box.lines, box.row, box.column
    room -= len(middle)
    choices = [clipped(line, width) for line in parts.choices[: max(0, room)]]
    room -= len(choices)
    below = [clipped(line, width) for line in parts.below[: min(max(0, room), _MOST_WIDGET_LINES)]]
    room -= len(below)
    above = [clipped(line, width) for line in parts.above[: min(max(0, room), _MOST_WIDGET_LINES)]]
    room -= len(above)
    live = [clipped(line, width) for line in parts.live(width, min(max(0, room), height // 2))]
    top = [*live, *above, *rule]
    return FrameLines((*top, *middle, *choices, *below, *status), len(top) + row, column)


def _rule(hint: str, width: int, palette: Palette) -> str:
    if not hint:
        return palette.paint("─" * width, "border")
    words = clipped(f"── {hint} ", width)
    return palette.paint(words + "─" * (width - cells(words)), "border")
