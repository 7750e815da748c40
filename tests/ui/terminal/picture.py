"""A screen of tmux as an SVG picture: text on a grid, with the colours that the program chose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from pisces.ui.width import width_of

CELL, LINE, MARGIN = 8.4, 18, 14
_COLOURS = "#3b4252 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d8dee9".split()
_BACKGROUND, _TEXT, _DIM = "#1e222a", "#d8dee9", "#7f8899"
_CODES = re.compile("\x1b\\[([0-9;]*)m")
_LEVELS = (0, 95, 135, 175, 215, 255)


def svg_of(text: str, columns: int) -> str:
    """`text` has colours as escape codes, as `tmux capture-pane -e` prints them: they last beyond the end of a line."""
    height = (text.count("\n") + 1) * LINE + 2 * MARGIN
    width = round(columns * CELL + 2 * MARGIN)
    font = "font-family=\"ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{_BACKGROUND}"/>\n'
        f'<g {font} fill="{_TEXT}">\n' + "\n".join(_placed(text)) + "\n</g>\n</svg>\n"
    )


def _placed(text: str) -> Iterator[str]:
    """Each run of one style at its own place: a browser with another font keeps the columns."""
    row = column = 0
    for run, style in _runs(text):
        for at, part in enumerate(run.split("\n")):
            row, column = (row + 1, 0) if at else (row, column)
            words = part.strip(" ")
            if words:
                x = MARGIN + (column + len(part) - len(part.lstrip(" "))) * CELL
                place = f'x="{x:.1f}" y="{MARGIN + LINE * row + 13}" textLength="{width_of(words) * CELL:.1f}"'
                yield f"<text {place}{style}>{escape(words).replace(' ', chr(0xA0))}</text>"
            column += width_of(part)


def _runs(whole: str) -> Iterator[tuple[str, str]]:
    first, *rest = _CODES.split(whole)
    colour, is_bold, is_dim = "", False, False
    yield first, ""
    for codes, text in zip(rest[::2], rest[1::2], strict=True):
        numbers = [int(each or 0) for each in codes.split(";")]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                colour, is_bold, is_dim = "", False, False
            elif number in (1, 2, 22):
                is_bold, is_dim = number == 1, number == 2
            elif number == 38:
                colour = _wide(numbers)
            elif number == 39 or 30 <= number % 60 <= 37:
                colour = "" if number == 39 else _COLOURS[number % 10]
        fill = colour or (_DIM if is_dim else "")
        yield text, (f' fill="{fill}"' if fill else "") + (' font-weight="bold"' if is_bold else "")


def _wide(numbers: list[int]) -> str:
    """A colour of 256 or of all; takes its numbers away."""
    if numbers.pop(0) == 2:
        red, green, blue = (numbers.pop(0) for _ in range(3))
    else:
        index = numbers.pop(0)
        if index < 16:
            return _COLOURS[index % 8]
        cube = divmod(index - 16, 36)
        red, green, blue = (
            (_LEVELS[each] for each in (cube[0], *divmod(cube[1], 6)))
            if index < 232
            else ((8 + 10 * (index - 232),) * 3)
        )
    return f"#{red:02x}{green:02x}{blue:02x}"
