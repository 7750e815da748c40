"""A line or a text that is typed into a panel: a small editor of its own, because a panel gets every key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.formats.visible import visible
from pisces.ui.width import width_of

if TYPE_CHECKING:
    from pisces.ui.terminal.themes import Palette

MOST = 1 << 20  # characters that a panel takes
_CARET = "\u2588"


class TypedLine:
    """`text` is what was typed so far, `caret` where the next character goes."""

    def __init__(self, text: str = "") -> None:
        self.text = text[:MOST]
        self.caret = len(self.text)

    def key(self, key: str, text: str) -> bool:
        """Whether the key was one of editing."""
        moves = {
            "left": self.caret - 1,
            "right": self.caret + 1,
            "home": self._line_start(),
            "c-a": self._line_start(),
            "end": self._line_end(),
            "c-e": self._line_end(),
        }
        if key in moves:
            self.caret = max(0, min(moves[key], len(self.text)))
        elif key in ("backspace", "c-h"):
            self._cut(self.caret - 1, self.caret)
        elif key in ("delete", "c-d"):
            self._cut(self.caret, self.caret + 1)
        elif key == "c-u":
            self._cut(self._line_start(), self.caret)
        elif key == "c-k":
            self._cut(self.caret, self._line_end())
        elif key == "c-w":
            self._cut(self._word_start(), self.caret)
        elif text and (not key or key == "bracketed-paste"):
            self._insert(text)
        else:
            return False
        return True

    def newline(self) -> None:
        self._insert("\n")

    def _insert(self, text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n")[: MOST - len(self.text)]
        self.text = self.text[: self.caret] + text + self.text[self.caret :]
        self.caret += len(text)

    def _cut(self, start: int, end: int) -> None:
        start = max(start, 0)
        self.text = self.text[:start] + self.text[end:]
        self.caret = start

    def _line_start(self) -> int:
        return self.text.rfind("\n", 0, self.caret) + 1

    def _line_end(self) -> int:
        end = self.text.find("\n", self.caret)
        return len(self.text) if end < 0 else end

    def _word_start(self) -> int:
        before = self.text[: self.caret].rstrip()
        return max(before.rfind(" "), before.rfind("\n")) + 1

    def rows(self, width: int, height: int, palette: Palette) -> list[str]:
        """The part with the caret in it; each line of the text is one row, and moves to the left where it is long."""
        lines = self.text.split("\n")
        at = self.text.count("\n", 0, self.caret)
        first = max(0, min(at - height + 1, len(lines) - height))
        shown = []
        for number, line in enumerate(lines[first : first + height], first):
            if number == at:
                shown.append(_with_caret(line, self.caret - self._line_start(), width, palette))
            else:
                shown.append(_fitting(visible(line), width))
        return shown


def _with_caret(line: str, caret: int, width: int, palette: Palette) -> str:
    before, after = visible(line[:caret]), visible(line[caret:])
    while before and width_of(before) > width - 1:
        before = before[max(1, len(before) // 8) :] if len(before) > width * 2 else before[1:]
    return before + palette.paint(_CARET, "accent") + _fitting(after, width - 1 - width_of(before))


def _fitting(text: str, width: int) -> str:
    text = text[: max(width, 0)]
    while width_of(text) > max(width, 0):
        text = text[:-1]
    return text
