"""Panels for small questions: choose one, type something, read something."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from pisces.ui.terminal.drawn import Scroll, one_row, prose_rows
from pisces.ui.terminal.panel import Panel
from pisces.ui.terminal.settling import Settling
from pisces.ui.terminal.typed_line import TypedLine
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.ui.terminal.panel import TerminalScreen
    from pisces.ui.terminal.themes import Palette

LEAVES = ("escape", "c-c", "c-g")
MOST_OPTIONS = 10_000
_OWN_WORDS = "something else: type it"


class Option(Value):
    """One answer. `letter` chooses it at once, where it has one."""

    label: str
    meaning: str = ""
    letter: str = ""


class ChoicePanel:
    """`chosen` is the index of the option, None if the user left. With `is_open` the user may type an answer of their
    own, which is in `typed`.
    """

    def __init__(
        self,
        title: str,
        options: Sequence[Option],
        palette: Palette,
        *,
        is_open: bool = False,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._title, self._options, self._palette = title, tuple(options[:MOST_OPTIONS]), palette
        self._rows = len(self._options) + is_open
        self._own = TypedLine() if is_open else None
        self._at = 0
        self._title_scroll = Scroll()
        self.settling = Settling(clock)
        self.is_done = False
        self.chosen: int | None = None
        self._is_own = False

    @property
    def typed(self) -> str:
        return self._own.text.strip() if self._own is not None and self._is_own else ""

    def close(self) -> None:
        """Nobody answers any more."""
        self.is_done = True

    def lines(self, width: int, height: int) -> Sequence[str]:
        self.settling.shown()
        title = list(prose_rows(self._title, width))
        room = max(height - min(self._rows, max(height // 2, 1)), 0)
        head = self._title_scroll.shown(title, min(room, len(title)), self._palette)
        left = max(height - len(head), 0)
        first = max(0, min(self._at - left + 1, self._rows - left)) if self._rows > left else 0
        return [*head, *(self._row(index, width) for index in range(first, min(first + left, self._rows)))]

    def _row(self, index: int, width: int) -> str:
        mark = "> " if index == self._at else "  "
        if index == len(self._options):
            assert self._own is not None
            is_empty = not self._own.text and index != self._at
            text = _OWN_WORDS if is_empty else self._own.rows(max(width - 2, 1), 1, self._palette)[0]
            return mark + (self._palette.paint(one_row(text, width - 2), "dim") if is_empty else text)
        option = self._options[index]
        letter = f"{option.letter}  " if option.letter else ""
        row = one_row(f"{mark}{letter}{option.label}{'  ' if option.meaning else ''}{option.meaning}", width)
        return self._palette.paint(row, "accent") if index == self._at else row

    def key(self, key: str, text: str) -> None:
        if key in ("pageup", "pagedown"):
            self._title_scroll.key(key)
        elif key in ("up", "down", "c-p", "c-n") and self._rows:
            self._at = (self._at + (-1 if key in ("up", "c-p") else 1)) % self._rows
        elif key in LEAVES and self.settling.is_word:
            self.is_done = True
        elif self.settling.takes(text):
            return
        elif key in LEAVES:
            self.is_done = True
        elif key == "enter":
            self._take(self._at)
        else:
            self._typed(key, text)

    def _typed(self, key: str, text: str) -> None:
        is_own = self._own is not None and self._at == len(self._options)
        if is_own and self._own is not None:
            self._own.key(key, text)
            return
        letters = [each.letter for each in self._options]
        if text and text in letters:
            self._take(letters.index(text))
        elif text.isascii() and text.isdigit() and 0 < int(text) <= min(len(self._options), 9):
            self._take(int(text) - 1)
        elif self._own is not None and text:
            self._at = len(self._options)
            self._own.key(key, text)
        else:
            self.settling.word(text)

    def _take(self, index: int) -> None:
        if index < len(self._options):
            self.chosen = index
        elif self._own is None or not self._own.text.strip():
            return
        else:
            self._is_own = True
        self.is_done = True


class TextPanel:
    """`answer` is what was typed, None if the user left. With `height` above 1 it is a text of several lines: Enter
    begins a new one, and Ctrl-S ends it.
    """

    def __init__(
        self,
        title: str,
        text: str,
        palette: Palette,
        *,
        height: int = 1,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._title, self._palette, self._height = title, palette, height
        self._line = TypedLine(text)
        self.settling = Settling(clock)
        self.is_done = False
        self.answer: str | None = None

    def close(self) -> None:
        self.is_done = True

    def lines(self, width: int, height: int) -> Sequence[str]:
        self.settling.shown()
        keys = "enter sends, esc leaves" if self._height == 1 else "ctrl-s sends, enter is a new line, esc leaves"
        foot = [self._palette.paint(one_row(keys, width), "dim")] if height > 2 else []
        head = list(prose_rows(self._title, width))[: max(height - len(foot) - 1, 0)]
        room = max(height - len(head) - len(foot), 0)
        shown = self._line.rows(width, min(room, max(self._height, 1)), self._palette) if room else []
        return [*head, *shown, *foot]

    def key(self, key: str, text: str) -> None:
        if key in ("enter", "c-s", *LEAVES) and self.settling.takes(""):
            return
        if key in LEAVES:
            self.is_done = True
        elif key == "c-s" or (key == "enter" and self._height == 1):
            self.answer, self.is_done = self._line.text, True
        elif key == "enter":
            self._line.newline()
        elif self._height > 1 and key in ("up", "down"):
            self._move(-1 if key == "up" else 1)
        else:
            self._line.key(key, text)

    def _move(self, lines: int) -> None:
        """To the line above or below, at its end."""
        if lines < 0:
            self._line.key("home", "")
            self._line.key("left", "")
        else:
            self._line.key("end", "")
            self._line.key("right", "")
            self._line.key("end", "")


class ReadingPanel:
    """Rows to scroll through; `rows` gets the width. Any key that does not scroll ends it."""

    def __init__(self, rows: Callable[[int], Sequence[str]], palette: Palette) -> None:
        self._rows, self._palette = rows, palette
        self._scroll = Scroll()
        self.is_done = False

    def lines(self, width: int, height: int) -> Sequence[str]:
        foot = self._palette.paint(one_row("q ends", width), "dim")
        return [*self._scroll.shown(self._rows(width), max(height - 1, 1), self._palette), foot][:height]

    def key(self, key: str, text: str) -> None:
        moves = {"j": "down", "k": "up", " ": "pagedown", "b": "pageup", "g": "home", "G": "end"}
        if not self._scroll.key(key or moves.get(text, "")) and (text == "q" or key in (*LEAVES, "enter")):
            self.is_done = True


class QuestionPanel(Panel, Protocol):
    """A panel that takes no early typing for an answer."""

    @property
    def settling(self) -> Settling: ...
    def close(self) -> None: ...


async def asked(panel: QuestionPanel, screen: TerminalScreen) -> None:
    """Shows it until it is done. What was typed before anybody saw the question goes on in the input box."""
    try:
        await screen.ask(panel)
    finally:
        panel.close()
        if panel.settling.typed:
            screen.set_text(screen.text + panel.settling.typed)


async def choice(screen: TerminalScreen, title: str, options: Sequence[Option]) -> int | None:
    panel = ChoicePanel(title, options, screen.palette)
    await asked(panel, screen)
    return panel.chosen


async def answer_of_user(
    screen: TerminalScreen, question: str, answers: Sequence[str], clock: Callable[[], float] = time.monotonic
) -> str | None:
    """A question of the model: one of its answers, or words of the user. None where the user leaves."""
    if not answers:
        line = TextPanel(question, "", screen.palette, clock=clock)
        await asked(line, screen)
        return line.answer
    panel = ChoicePanel(question, [Option(each) for each in answers], screen.palette, is_open=True, clock=clock)
    await asked(panel, screen)
    return panel.typed or (None if panel.chosen is None else answers[panel.chosen])
