"""A screen without a terminal: what is printed is a list, and panels get the keys that a test has written down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from pisces.ui.terminal.panel import Panel
from pisces.ui.terminal.themes import PLAIN, Palette
from pisces.ui.width import width_of

Keys = Iterable[str]


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class CollectingScreen:
    """Each panel is drawn, then gets the next of `answers`: keys by name in `<...>`, everything else as typed text.

    Between the first frame and the first key `pause` seconds of `clock` pass.
    """

    def __init__(self, *answers: Keys, width: int = 80, height: int = 24, palette: Palette = PLAIN) -> None:
        self._answers = list(answers)
        self._width, self._height, self._palette = width, height, palette
        self.clock, self.pause = Clock(), 1.0
        self.printed: list[str] = []
        self.frames: list[list[str]] = []
        self.statuses: dict[str, str | None] = {}
        self.widgets: dict[str, Sequence[str] | None] = {}
        self.box = ""
        self.has_quit = False
        self.while_asking: Callable[[Panel], None] = lambda _panel: None
        self._one_by_one = asyncio.Lock()

    @property
    def width(self) -> int:
        return self._width

    @property
    def height(self) -> int:
        return self._height

    @property
    def palette(self) -> Palette:
        return self._palette

    def use_palette(self, palette: Palette) -> None:
        self._palette = palette

    @property
    def shown(self) -> str:
        return "\n".join(self.printed)

    def print(self, text: str) -> None:
        self.printed.append(text)

    async def ask(self, panel: Panel) -> None:
        async with self._one_by_one:
            self._draw(panel)
            self.clock.now += self.pause
            self.while_asking(panel)
            for key in self._answers.pop(0) if self._answers else ("<escape>", "<escape>"):
                if panel.is_done:
                    break
                self._press(panel, key)
            for _ in range(1000):
                if panel.is_done:
                    break
                await asyncio.sleep(0.001)
            assert panel.is_done, "the keys of the test did not answer the panel:\n" + "\n".join(self.frames[-1])

    async def page(self, panel: Panel) -> None:
        await self.ask(panel)

    def _press(self, panel: Panel, key: str) -> None:
        if key == "<pause>":
            self.clock.now += 1.0
            return
        is_named = key.startswith("<") and key.endswith(">")
        panel.key(key[1:-1] if is_named else "", "" if is_named else key)
        self._draw(panel)

    def _draw(self, panel: Panel) -> None:
        lines = list(panel.lines(self._width, self._height))
        assert len(lines) <= self._height, lines
        assert all(width_of(line) <= self._width for line in lines), lines
        self.frames.append(lines)

    def status(self, key: str, text: str | None) -> None:
        self.statuses[key] = text

    def widget(self, key: str, lines: Sequence[str] | None, placement: str) -> None:
        self.widgets[f"{placement} {key}"] = lines

    @property
    def text(self) -> str:
        return self.box

    def set_text(self, text: str) -> None:
        self.box = text

    def redraw(self) -> None: ...

    def quit(self) -> None:
        self.has_quit = True
