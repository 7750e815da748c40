"""An aligned table: columns two spaces apart, the last one free, wide characters counted as they are drawn."""

from __future__ import annotations

from pisces.ui.width import folded, is_narrow, short_path, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = 2
_LEAST_PATH = 24
_MOST_OF_A_CELL = 24


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table. Rows may end early; trailing blanks are cut."""
    widths: list[int] = []
    for column in range(max(map(len, rows), default=1) - 1):
        cells = [row[column] for row in rows if len(row) > column + 1]
        widths.append(max(map(len if is_narrow("".join(cells)) else width_of, cells)))
    whole_row = "".join(f"%-{width}s  " for width in widths) + "%s"
    for row in rows:
        if len(row) > len(widths) and is_narrow("".join(row)):
            yield (whole_row % tuple(row)).rstrip()
        else:
            cells = [cell + " " * (width - width_of(cell)) for cell, width in zip(row[:-1], widths, strict=False)]
            yield "  ".join([*cells, *row[-1:]]).rstrip()


def path_rows(rows: Sequence[Sequence[str]], width: int) -> Iterator[list[str]]:
    """The lines of each row of a table whose last column is a path. All rows have the same number of cells.

    Where it is too wide, cells are folded and paths shortened; where that is not enough, cells stand below each other.
    """
    natural = [max(map(width_of, column)) for column in zip(*rows, strict=True)] if rows else []
    if not width or sum(natural) + _GAP * (len(natural) - 1) <= width:
        yield from ([line] for line in table(rows))
        return
    widths = [min(each, _MOST_OF_A_CELL) for each in natural[:-1]]
    for_path = width - sum(widths) - _GAP * len(widths)
    for row in rows:
        if for_path < min(_LEAST_PATH, natural[-1]):
            yield list(_stacked(row, width))
        else:
            yield list(_folded_row(row, widths, for_path))


def _folded_row(row: Sequence[str], widths: Sequence[int], for_path: int) -> Iterator[str]:
    """Cells that are too wide go on below."""
    cells = [list(folded(cell, width, 0)) for cell, width in zip(row, widths, strict=False)]
    cells.append([short_path(row[-1], for_path)])
    for at in range(max(map(len, cells))):
        line = [cell[at] if at < len(cell) else "" for cell in cells]
        padded = [text + " " * (width - width_of(text)) for text, width in zip(line, widths, strict=False)]
        yield "  ".join([*padded, line[-1]]).rstrip()


def _stacked(row: Sequence[str], width: int) -> Iterator[str]:
    """The first cell, and the others below it."""
    first, *rest = row
    yield from folded(first, width)
    indent = " " * (len(first) - len(first.lstrip(" ")) + 2)
    for cell in rest:
        if cell:
            yield from folded(indent + cell, width)
