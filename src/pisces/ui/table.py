"""An aligned table: columns two spaces apart, the last one free, wide characters counted as they are drawn."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ASCII = frozenset(map(chr, range(128)))


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table. Rows may end early; trailing blanks are cut."""
    widths: list[int] = []
    for column in range(max(map(len, rows), default=1) - 1):
        cells = [row[column] for row in rows if len(row) > column + 1]
        widths.append(max(map(len if _is_narrow("".join(cells)) else width_of, cells)))
    whole_row = "".join(f"%-{width}s  " for width in widths) + "%s"
    for row in rows:
        if len(row) > len(widths) and _is_narrow("".join(row)):
            yield (whole_row % tuple(row)).rstrip()
        else:
            cells = [cell + " " * (width - width_of(cell)) for cell, width in zip(row[:-1], widths, strict=False)]
            yield "  ".join([*cells, *row[-1:]]).rstrip()


def _is_narrow(text: str) -> bool:
    """Whether each character is one column. The mark of a text that was cut is the only other one in most tables."""
    return text.isascii() or text.replace("…", "").isascii()


def width_of(text: str) -> int:
    """How many columns a terminal uses."""
    if _is_narrow(text):
        return len(text)
    from unicodedata import combining, east_asian_width  # a large table, needed for non-English text only

    width = len(text)
    for char in set(text).difference(_ASCII):
        width += text.count(char) * (-1 if combining(char) else east_asian_width(char) in "WF")
    return width
