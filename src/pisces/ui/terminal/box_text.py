"""The input box as lines: the text broken into rows, and where the caret is in them."""

from __future__ import annotations

from pisces.ui.terminal.cells import cells, shown_char
from pisces.value import Value

PROMPT, GOING_ON = "> ", "  "


class BoxLines(Value):
    lines: tuple[str, ...]
    row: int
    column: int


def box_lines(text: str, cursor: int, width: int, height: int) -> BoxLines:
    """At most `height` lines, those about the caret."""
    room = max(1, width - len(PROMPT))
    rows: list[list[str]] = [[]]
    used = row = column = 0
    for at, char in enumerate((*text, "")):
        shown = shown_char(char) if char and char != "\n" else ""
        wide = cells(shown)
        if wide > room:
            shown, wide = "?", 1
        if used + max(wide, 1 if at == cursor else 0) > room:
            rows.append([])
            used = 0
        if at == cursor:
            row, column = len(rows) - 1, used
        if char == "\n":
            rows.append([])
            used = 0
            continue
        rows[-1].append(shown)
        used += wide
    first = min(max(0, row - height + 1), max(0, len(rows) - height))
    begin = [PROMPT, *[GOING_ON] * (len(rows) - 1)]
    lines = [start + "".join(each) for start, each in zip(begin, rows, strict=True)]
    narrow = width <= len(PROMPT)
    return BoxLines(
        tuple(line[len(PROMPT) :] if narrow else line for line in lines[first : first + height]),
        row - first,
        min(column + (0 if narrow else len(PROMPT)), max(0, width - 1)),
    )
