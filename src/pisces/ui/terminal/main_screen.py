"""The screen of the terminal program: lines are printed once, panels shown one at a time, and the box is redrawn.

A panel that needs more than half of the window gets the alternate screen. Where lines of such a height are broken anew,
because the window gets narrower, the terminal moves some of them into the scrollback, out of our reach.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from pisces.ui.terminal.cells import clipped
from pisces.ui.terminal.frame import Frame
from pisces.ui.terminal.layout import FrameParts, frame_lines, most_rows
from pisces.ui.terminal.status import status_line
from pisces.ui.terminal.tty import ALTERNATE, MAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.ui.terminal.input_box import InputBox
    from pisces.ui.terminal.layout import FrameLines
    from pisces.ui.terminal.live import Live
    from pisces.ui.terminal.panel import Panel
    from pisces.ui.terminal.themes import Palette
    from pisces.ui.terminal.tty import Tty

FRAME_SECONDS = 0.05  # between two frames
REMARK_SECONDS = 2.0
ABOVE, BELOW = "aboveEditor", "belowEditor"
_MOST_CHOICES = 6
_WAITS = "a question waits: q leaves this page"


class MainScreen:
    """Implements `TerminalScreen`. `facts` are the program's own words for the status line, `hint` what keys do now.

    The box is None until there is one: the first frame is drawn before what reads keys is loaded.
    """

    def __init__(self, tty: Tty, live: Live, palette: Palette) -> None:
        self._tty, self.live, self.palette = tty, live, palette
        self.frame = Frame(tty.write, reflows=tty.reflows)
        self.box: InputBox | None = None
        self.facts: Callable[[], Sequence[str]] = tuple
        self.hint: Callable[[], str] = str
        self._quit: Callable[[], object] = tuple
        self._words: dict[str, str] = {}
        self._widgets: dict[str, tuple[tuple[str, ...], str]] = {}
        self._panels: list[Panel] = []
        self._done = asyncio.Event()
        self._asking = asyncio.Lock()
        self._waiting = 0  # questions that come when the page is left
        self._is_paged = self._is_away = False
        self._waits = ""
        self._held: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._drawn_at = 0.0
        self._remark = ""
        self.palette_changed: Callable[[Palette], object] = str
        live.changed = self.redraw

    @property
    def width(self) -> int:
        return self._tty.size[0]

    @property
    def height(self) -> int:
        return self._tty.size[1]

    @property
    def panel(self) -> Panel | None:
        return self._panels[-1] if self._panels else None

    def use_palette(self, palette: Palette) -> None:
        self.palette = palette
        self.palette_changed(palette)
        self.redraw()

    def print(self, text: str) -> None:
        made = None if self._is_paged or self._is_away else self._made()
        if made is None:
            self._held.append(text)
        else:
            self.frame.print(text, made.lines, (made.row, made.column), made.width)

    async def ask(self, panel: Panel) -> None:
        self._waiting += 1
        self.redraw()
        try:
            await self._asking.acquire()
        finally:
            self._waiting -= 1
        try:
            await self._shown(panel)
        finally:
            self._asking.release()

    async def page(self, panel: Panel) -> None:
        async with self._asking:
            self._enter_page(_WAITS)
            await self._shown(panel)

    async def _shown(self, panel: Panel) -> None:
        self._panels.append(panel)
        self._done.clear()
        try:
            self.draw()
            while not panel.is_done:
                await self._done.wait()
                self._done.clear()
        finally:
            self._panels.remove(panel)
            self._leave_page()
            self.redraw()

    def _enter_page(self, waits: str = "") -> None:
        """`waits` is said while another question waits. No frame is left behind, where a resize would break it."""
        self.frame.erase()
        self._is_paged, self._waits = True, waits
        self._tty.write(ALTERNATE)

    def _leave_page(self) -> None:
        if self._is_paged:
            self._is_paged = False
            self._tty.write(MAIN)
            self._print_held()
            self.draw()

    def key(self, key: str, text: str) -> None:
        """A key for the panel that is shown."""
        panel = self.panel
        if panel is not None:
            panel.key(key, text)
            self._done.set()
            self.redraw()

    def status(self, key: str, text: str | None) -> None:
        if text:
            self._words[key] = text
        else:
            self._words.pop(key, None)
        self.redraw()

    def widget(self, key: str, lines: Sequence[str] | None, placement: str = ABOVE) -> None:
        if lines:
            self._widgets[key] = (tuple(lines), placement)
        else:
            self._widgets.pop(key, None)
        self.redraw()

    @property
    def text(self) -> str:
        return self.box.text if self.box is not None else ""

    def set_text(self, text: str) -> None:
        if self.box is not None:
            self.box.set_text(text)
            self.redraw()

    def on_quit(self, leave: Callable[[], object]) -> None:
        self._quit = leave

    def quit(self) -> None:
        self._quit()

    def redraw(self) -> None:
        """Soon: at most twenty times a second, and no timer is left where nothing changes."""
        if self._timer is None:
            wait = max(0.0, self._drawn_at + FRAME_SECONDS - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._due)

    def _due(self) -> None:
        self._timer = None
        self.draw()

    def draw(self) -> None:
        self._drawn_at = time.monotonic()
        panel = self.panel
        if panel is not None and panel.is_done:
            self._done.set()
        if self._is_away:
            return
        made = None if self._is_paged else self._made()
        if made is None:
            self._draw_page()
        else:
            self.frame.draw(made.lines, (made.row, made.column), made.width)
        if self._tty.is_gone:
            self.quit()

    def _made(self) -> FrameLines | None:
        """The frame for the window as it is; None where the panel is too tall for it, which then has a page."""
        width, height = self._tty.size
        if self.frame.width != width:
            self.frame.resized(width)
        made = frame_lines(self._parts(), width, height, self.palette)
        if self.panel is not None and self._tty.reflows and len(made.lines) > most_rows(height):
            self._enter_page()
            return None
        return made

    def _draw_page(self) -> None:
        panel, (width, height) = self.panel, self._tty.size
        if panel is not None:
            lines = [clipped(line, width) for line in panel.lines(width, height)[:height]]
            if self._waiting and self._waits and lines:
                lines[-1] = self.palette.paint(clipped(self._waits, width), "warn")
            self._tty.write("\x1b[H" + "\x1b[0m\x1b[K\r\n".join(lines) + "\x1b[0m\x1b[J")

    def resized(self) -> None:
        """Also where the size is what it was: a window that was narrow for a moment may have cut the frame."""
        if not self._is_away:
            self.frame.resized(self.width)
        self.draw()

    def _parts(self) -> FrameParts:
        above, below = (
            [line for lines, at in self._widgets.values() if at == place for line in lines] for place in (ABOVE, BELOW)
        )
        box = self.box
        return FrameParts(
            box.text if box is not None else "",
            box.cursor if box is not None else 0,
            lambda width, height: self.live.lines(width, height, self.palette),
            lambda width: status_line((*self.facts(), *self._words.values()), width),
            self._remark or ("" if self.panel is not None else self.hint()),
            self.panel,
            box.choices(self.palette, _MOST_CHOICES) if box is not None else (),
            above,
            below,
        )

    def say(self, text: str) -> None:
        """A remark in place of the hint, for a moment."""
        self._remark = text
        self.redraw()
        asyncio.get_running_loop().call_later(REMARK_SECONDS, self._unsay, text)

    def _unsay(self, text: str) -> None:
        if self._remark == text:
            self._remark = ""
            self.redraw()

    def clear(self) -> None:
        """What is on the screen moves up into the scrollback."""
        self.frame.erase()
        self._tty.write("\r\n" * self.height + "\x1b[H")
        self.draw()

    def go_away(self) -> None:
        """Another program has the terminal: an editor, or the shell that suspended us."""
        self.frame.erase()
        self._is_away = True
        self._tty.write(MAIN if self._is_paged else "")
        self._tty.give_back()

    def come_back(self) -> None:
        self._tty.take()
        self._tty.write(ALTERNATE if self._is_paged else "")
        self._is_away = False
        self._print_held()
        self.draw()

    def _print_held(self) -> None:
        held, self._held = self._held, []
        for text in held:
            self.print(text)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._is_paged:
            self._tty.write(MAIN)
        self.frame.erase()
