"""Ctrl-R: what was typed before, narrowed by the words that are typed now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.formats.visible import visible
from pisces.ui.terminal.cells import clipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.ui.terminal.themes import Palette

_LEAVES = ("escape", "c-c", "c-g")


class HistoryPanel:
    """`lines_before` has the newest first. `chosen` is empty if the user left."""

    def __init__(self, lines_before: Sequence[str], palette: Palette) -> None:
        self._all, self._palette = tuple(dict.fromkeys(lines_before)), palette
        self._words, self._at = "", 0
        self.chosen = ""
        self.is_done = False

    @property
    def _matches(self) -> Sequence[str]:
        wanted = self._words.lower().split()
        return [each for each in self._all if all(word in each.lower() for word in wanted)]

    def lines(self, width: int, height: int) -> Sequence[str]:
        matches, room = self._matches, max(0, min(height - 1, 8))
        first = max(0, self._at - room + 1)
        rows = []
        for at, each in enumerate(matches[first : first + room], first):
            row = clipped(("> " if at == self._at else "  ") + visible(each), width, "…")
            rows.append(self._palette.paint(row, "accent") if at == self._at else row)
        return [*rows, clipped(f"history: {visible(self._words)}", width)]

    def key(self, key: str, text: str) -> None:
        matches = self._matches
        if key in _LEAVES:
            self.is_done = True
        elif key == "enter":
            self.chosen = matches[self._at] if self._at < len(matches) else ""
            self.is_done = True
        elif key in ("up", "c-p", "down", "c-n", "c-r"):
            step = -1 if key in ("up", "c-p") else 1
            self._at = min(max(0, self._at + step), max(0, len(matches) - 1))
        elif key == "backspace":
            self._words, self._at = self._words[:-1], 0
        elif text:
            self._words, self._at = self._words + text.replace("\n", " "), 0
