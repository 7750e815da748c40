"""Text as cells of a terminal: how wide it is, cut to a width, broken into rows. Colours are codes of no width."""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category, east_asian_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ESC, RESET = "\x1b", "\x1b[0m"
_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,64}m")
_TAB = "    "


@cache
def cell_width(char: str) -> int:
    """0 for what joins the character before it, 2 for what is wide."""
    if " " <= char <= "~":
        return 1
    if category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def cells(text: str) -> int:
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    return len(text) if text.isascii() else sum(map(cell_width, text))


def clipped(text: str, width: int, mark: str = "") -> str:
    """What fits of one line; `mark` at its end says that there was more."""
    if cells(text) <= width:
        return text
    rows = rows_of(text, max(1, width - cells(mark)))
    return next(rows).removesuffix(RESET) + mark + (RESET if "\x1b" in text else "")


def rows_of(line: str, width: int) -> Iterator[str]:
    """A line as a terminal of this width breaks it. Colours go on in the next row."""
    if line.isascii() and len(line) <= width and "\x1b" not in line:
        yield line
        return
    row, used, colour = [], 0, ""
    for piece in _pieces(line):
        if piece.startswith("\x1b"):
            colour = "" if piece in (RESET, "\x1b[m") else colour + piece
            row.append(piece)
            continue
        wide = cell_width(piece)
        if used + wide > width and row:
            yield "".join(row) + (RESET if colour else "")
            row, used = [colour], 0
        row.append(piece)
        used += wide
    yield "".join(row)


def _pieces(line: str) -> Iterator[str]:
    """Characters, and each colour as one piece."""
    at = 0
    for code in _COLOUR.finditer(line):
        yield from line[at : code.start()]
        yield code[0]
        at = code.end()
    yield from line[at:]


def shown_char(char: str) -> str:
    """A character of the input box as it is drawn: controls are named, and tabs are blanks."""
    if char == "\t":
        return _TAB
    code = ord(char)
    if code < 32 or code == 127:
        return "^" + chr(code ^ 64)
    return char if char.isprintable() or (category(char) == "Cf" and char in "\u200c\u200d") else "\ufffd"
