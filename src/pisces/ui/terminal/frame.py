"""The few lines at the bottom that are redrawn. What is printed goes above them, once, and is the terminal's then.

The frame knows what it has drawn and where the cursor is, so that only changed lines are written again, and so that
after a resize exactly its own rows are erased.
"""

from __future__ import annotations

from pisces.ui.terminal.cells import ESC, RESET, cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"  # a terminal that knows these marks draws all between them at once
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
_ERASE_BELOW, _ERASE_RIGHT = "\x1b[J", "\x1b[K"


class Frame:
    """`write` gets whole updates. `reflows` says whether the terminal breaks long lines anew when it gets narrower."""

    def __init__(self, write: Callable[[str], None], *, reflows: bool = True) -> None:
        self._write, self._reflows = write, reflows
        self._lines: list[str] = []
        self._row = self._column = 0
        self.width = 0
        self.updates = 0

    def draw(self, lines: Sequence[str], caret: tuple[int, int], width: int) -> None:
        """Nothing is written where nothing has changed. No line may be wider than `width`."""
        if (*self._lines,) == (*lines,) and caret == (self._row, self._column) and width == self.width:
            return
        self._send(self._top() + self._changed(lines, width) + self._to(caret, len(lines)))
        self._remember(lines, caret, width)

    def print(self, text: str, lines: Sequence[str], caret: tuple[int, int], width: int) -> None:
        """Lines above the frame, and the frame as it is now: what was printed is not in it any more."""
        body = text.rstrip("\n").replace("\n", "\r\n")
        body += "" if body.endswith(RESET) or ESC not in body else RESET
        again = self._changed_from((), lines, width) + self._to(caret, len(lines))
        self._send(f"{self._top()}{_cleared(len(self._lines))}{body}\r\n{again}")
        self._remember(lines, caret, width)

    def resized(self, width: int) -> None:
        """Erases the frame as it stands in the window that has this width now."""
        if not self._lines:
            return
        rows = [1] * len(self._lines)
        column = 0
        if self._reflows and width < self.width:
            rows = [_rows(cells(line), width) for line in self._lines]
            column = self._column // width
        self._send(f"\r{_up(sum(rows[: self._row]) + column)}{_cleared(sum(rows))}")
        self._forget()

    def erase(self) -> None:
        if self._lines:
            self._send(self._top() + _cleared(len(self._lines)))
        self._forget()

    def leave(self) -> None:
        """Forgets the frame where something else has the screen, without writing."""
        self._forget()

    def _remember(self, lines: Sequence[str], caret: tuple[int, int], width: int) -> None:
        self._lines, self.width = list(lines), width
        self._row, self._column = caret

    def _forget(self) -> None:
        self._lines, self._row, self._column = [], 0, 0

    def _send(self, text: str) -> None:
        self.updates += 1
        self._write(f"{_BEGIN}{_HIDE}{text}{_SHOW}{_END}")

    def _top(self) -> str:
        return f"\r{_up(self._row)}"

    def _changed(self, lines: Sequence[str], width: int) -> str:
        return self._changed_from(self._lines, lines, width)

    @staticmethod
    def _changed_from(old: Sequence[str], lines: Sequence[str], width: int) -> str:
        """From the top of the frame to the beginning of its last line."""
        made = []
        for at, line in enumerate(lines):
            if at >= len(old) or old[at] != line:
                erase = _ERASE_RIGHT if at < len(old) and cells(line) < width else ""
                made.append(f"{line}{'' if line.endswith(RESET) or ESC not in line else RESET}{erase}")
            if at < len(lines) - 1:
                made.append("\r\n")
        if len(old) > len(lines):
            made.append(f"\r\n{_ERASE_BELOW}\x1b[A")
        return "".join(made)

    @staticmethod
    def _to(caret: tuple[int, int], height: int) -> str:
        row, column = caret
        right = f"\x1b[{column}C" if column else ""
        return f"\r{_up(height - 1 - row)}{right}"


def _up(rows: int) -> str:
    return f"\x1b[{rows}A" if rows > 0 else ""


def _cleared(rows: int) -> str:
    """Clears so many rows and stays in the first. Row by row: some terminals (tmux is one) take "erase all below", sent
    from the first row of the screen, for the end of a page, and move what was there into the scrollback.
    """
    return "\x1b7" + "\x1b[1B".join(["\x1b[2K"] * rows) + "\x1b8" if rows else ""


def _rows(wide: int, width: int) -> int:
    return max(1, -(-wide // max(1, width)))
