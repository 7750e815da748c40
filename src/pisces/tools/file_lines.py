"""Some lines of a file that is too large to be read whole. Memory stays the same however large it is."""

from __future__ import annotations

import os
import stat
from time import monotonic
from typing import TYPE_CHECKING

from pisces.shapes.tool import ToolFailed

if TYPE_CHECKING:
    from typing import BinaryIO

LONGEST_LINE = 2_000  # characters that are shown
_PIECE = 1 << 16
_SECONDS = 20.0


def some_lines(path: str, given: str, first: int, count: int) -> tuple[list[str], bool]:
    """Lines from number `first` on, and whether more follow. Raises OSError, `ToolFailed`."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ToolFailed(f"`{given}` is not a file")
        _skip(file, given, first - 1)
        lines: list[str] = []
        while len(lines) < count:
            line = _line(file)
            if not line:
                return lines, False
            if b"\0" in line:
                raise ToolFailed(f"`{given}` is not text: use `shell` to examine it")
            lines.append(line.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r"))
        return lines, bool(file.read(1))


def _skip(file: BinaryIO, given: str, count: int) -> None:
    """Counts line ends in large pieces, then goes back to where the wanted line begins."""
    until = monotonic() + _SECONDS
    while count > 0:
        start = file.tell()
        piece = file.read(_PIECE)
        if not piece:
            return
        ends = piece.count(b"\n")
        if ends < count:
            count -= ends
            if monotonic() > until:
                raise ToolFailed(f"`{given}` is too large to be searched for that line: use `shell`, as in `sed -n`")
            continue
        at = -1
        for _ in range(count):
            at = piece.index(b"\n", at + 1)
        file.seek(start + at + 1)
        return


def _line(file: BinaryIO) -> bytes:
    """The beginning of the next line; the rest of a longer one is skipped."""
    line = file.readline(_PIECE)
    rest = line
    until = monotonic() + _SECONDS
    while rest and not rest.endswith(b"\n") and monotonic() < until:
        rest = file.readline(_PIECE)
    return line
