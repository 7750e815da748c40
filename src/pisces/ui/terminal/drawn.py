"""Lines that fit: foreign text made visible and cut into rows without losing a character, and a window onto them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pisces.formats.visible import visible
from pisces.processes.clean import Cleaner
from pisces.ui.width import cut, folded, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.ui.terminal.themes import Palette

_LONGEST = 4000  # characters of one row of foreign text: no screen is wider
_STYLED = re.compile("(\x1b\\[[0-9;:]*m)")
MOST_ROWS = 20_000  # of one text: more than anybody scrolls through


def exact_rows(text: str, width: int, indent: str = "") -> Iterator[str]:
    """A text to the letter: lines where it has line ends, rows where the screen ends, all else as visible escapes."""
    room = max(width - len(indent), 1)
    for line in text.split("\n"):
        for row in _rows(visible(line), room):
            yield indent + row


def _rows(line: str, width: int) -> Iterator[str]:
    """Hard cuts: a fold at a blank would hide how many there are."""
    if line.isascii():
        for at in range(0, len(line) or 1, width):
            yield line[at : at + width]
        return
    row: list[str] = []
    used = 0
    for char in line:
        cells = width_of(char)
        if used + cells > width and row:
            yield "".join(row)
            row, used = [], 0
        row.append(char)
        used += max(cells, 0)
    yield "".join(row)


def prose_rows(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Foreign prose, folded at blanks; a word that is too long for a row is cut into several."""
    room = max(width - len(indent), 1)
    for line in text.split("\n"):
        for part in folded(visible(line), room, hang=0):
            yield from (indent + row for row in _rows(part, room))


def one_row(text: str, width: int) -> str:
    """Foreign text as one row, with a mark where it was cut."""
    return cut(visible(text), max(width, 1)) if width > 1 else visible(text)[:width]


class Scroll:
    """A window onto rows. `top` is the first row that is shown."""

    def __init__(self) -> None:
        self.top = 0
        self._height = 1

    def shown(self, rows: Sequence[str], height: int, palette: Palette) -> list[str]:
        """All rows where they fit; else a part of them, and a line that says how many there are."""
        if height <= 0:
            return []
        if len(rows) <= height:
            self.top = 0
            return list(rows)
        self._height = max(height - 1, 1)
        self.top = max(0, min(self.top, len(rows) - self._height))
        last = self.top + self._height
        where = f"lines {self.top + 1}-{last} of {len(rows)}: up, down"
        part = list(rows[self.top : last])
        return [*part, palette.paint(where, "dim")] if height > 1 else part

    def key(self, key: str) -> bool:
        """Whether the key moved the window."""
        steps = {"up": -1, "down": 1, "pageup": -self._height, "pagedown": self._height, "home": -MOST_ROWS}
        steps["end"] = MOST_ROWS
        if key not in steps:
            return False
        self.top = max(0, self.top + steps[key])
        return True


def coloured_row(text: str, width: int) -> str:
    """One row of foreign text with its colours: no other escape code, no more cells than there are, colours undone."""
    cleaner = Cleaner(colours=True)
    data = text[:_LONGEST].replace("\n", " ").replace("\t", "    ").encode("utf-8", "replace")
    safe = (cleaner.clean(data) + cleaner.end()).decode().replace("\n", " ")
    parts, used = [], 0
    for part in _STYLED.split(safe):
        if part.startswith("\x1b"):
            parts.append(part)
            continue
        row = next(_rows(part, max(width - used, 0)), "") if width > used else ""
        parts.append(row)
        used += width_of(row)
    return "".join(parts)
