"""The screen of the tour: everything is printed once, from top to bottom, and cards are answered by the script."""

from __future__ import annotations

import asyncio
import itertools
import re
import sys
from typing import TYPE_CHECKING

from pisces.ui.asking import next_line
from pisces.ui.terminal.drawn import prose_rows
from pisces.ui.terminal.themes import PLAIN, default_palette
from pisces.ui.width import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pisces.ui.screen import Screen
    from pisces.ui.terminal.panel import Panel
    from pisces.ui.terminal.themes import Palette

_WIDEST, _USUAL = 100, 80
_TALL = 200  # a card may say all that it has to say
_NOT_WORDS = re.compile("\x1b\\[[0-9;]*m|[\\s│]")  # colours, blanks and the frame of a card
_LEAVES = ("q", "quit", "exit")


class TourScreen:
    """Implements `TerminalScreen`. Pauses where somebody reads; `paces` is how long, 0 for never.

    `is_left` is set by somebody who has seen enough: nothing pauses any more, and no card is answered.
    """

    def __init__(self, screen: Screen, env: Mapping[str, str], paces: float) -> None:
        self._screen, self._paces = screen, paces
        self._keys = iter("")
        self.palette: Palette = default_palette(env) if screen.colour else PLAIN
        self.clock = itertools.count().__next__  # each look at it is a second later: the script never types too early
        self.text = ""
        self.is_left = False
        self.shown: list[str] = []  # of this scene

    @property
    def width(self) -> int:
        return min(self._screen.width or _USUAL, _WIDEST)

    @property
    def height(self) -> int:
        return _TALL

    def begin(self, keys: str) -> None:
        self._keys, self.shown = iter(keys), []

    def print(self, text: str) -> None:
        """Folded to the width; text of others is safe already."""
        self.shown.append(text)
        lines = [row for line in text.split("\n") for row in folded(line, self.width)]
        self._screen.lines(lines)
        sys.stdout.flush()

    def say(self, text: str, meaning: str = "text", indent: str = "") -> None:
        """Words of the tour itself."""
        rows = (row for line in text.split("\n") for row in prose_rows(line, max(self.width - len(indent), 8)))
        self.print("\n".join(self.palette.paint(indent + row, meaning) for row in rows))

    async def ask(self, panel: Panel) -> None:
        border = self.palette.paint("│ ", "border")
        self.print("\n".join(("", *(border + row for row in panel.lines(self.width - 2, _TALL)))))
        await self.pause(1)
        key = next(self._keys, "")
        if not key or self.is_left:
            panel.key("escape", "")
            return
        self.say(f"the tour presses {key}", "accent", "  ")
        panel.key("", key)

    async def page(self, panel: Panel) -> None:
        await self.ask(panel)

    async def pause(self, share: float) -> None:
        """Waits, or until Enter is typed."""
        if not self._paces or self.is_left:
            return
        typed, loop = asyncio.Event(), asyncio.get_running_loop()
        number = sys.stdin.fileno()
        try:
            loop.add_reader(number, typed.set)
        except (NotImplementedError, OSError):  # the loop of Windows cannot wait for a console
            await asyncio.sleep(self._paces * share)
            return
        try:
            async with asyncio.timeout(self._paces * share):
                await typed.wait()
        except TimeoutError:
            return
        finally:
            loop.remove_reader(number)
        line = next_line()
        self.is_left = not line or line.strip().lower() in _LEAVES

    def use_palette(self, palette: Palette) -> None: ...
    def status(self, key: str, text: str | None) -> None: ...
    def widget(self, key: str, lines: Sequence[str] | None, placement: str = "") -> None: ...
    def set_text(self, text: str) -> None: ...
    def redraw(self) -> None: ...
    def quit(self) -> None: ...

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """What this scene should have shown and did not. Where lines were folded makes no difference."""
        shown = _NOT_WORDS.sub("", "".join(self.shown))
        return [each for each in wanted if _NOT_WORDS.sub("", each) not in shown]
