"""An aligned table: columns two spaces apart, the last one free, wide characters counted as they are drawn."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table. Rows may end early; trailing blanks are cut."""
    widths: list[int] = []
    for row in rows:
        for index, cell in enumerate(row[:-1]):
            width = width_of(cell)
            if index == len(widths):
                widths.append(width)
            elif width > widths[index]:
                widths[index] = width
    for row in rows:
        cells = [cell + " " * (widths[index] - width_of(cell)) for index, cell in enumerate(row[:-1])]
        yield "  ".join([*cells, row[-1]]).rstrip() if row else ""


def width_of(text: str) -> int:
    """How many columns a terminal uses."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # a large table, needed for non-English text only

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
