"""`pisces --plain`, and terminals that cannot move the cursor: lines only, a prompt line, and nothing is redrawn.

For screen readers: each line is written once, from top to bottom, with no frame and no colours.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.ui.asking import next_line
from pisces.ui.terminal.conversation import Conversation
from pisces.ui.terminal.dispatch import OwnLines
from pisces.ui.terminal.facts import StatusFacts
from pisces.ui.terminal.live import Live
from pisces.ui.terminal.pastes import SentLine
from pisces.ui.terminal.rendering import Rendering
from pisces.ui.terminal.themes import PLAIN
from pisces.ui.terminal.tty import Tty
from pisces.ui.terminal.work import Work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.places import Places
    from pisces.session.session import Session
    from pisces.ui.screen import Screen
    from pisces.ui.terminal.panel import Panel
    from pisces.ui.terminal.themes import Palette

HOME = "pisces.ui.terminal"
_PROMPT = "> "
_LEAVES = ("/quit", "/exit")
FINE, COULD_NOT_RUN = 0, 2
_TALL = 1000  # a panel may say all that it has to say


class PlainScreen:
    """Implements `TerminalScreen`. A panel is printed, and the line that is typed next is its keys."""

    def __init__(self, tty: Tty) -> None:
        self._tty = tty
        self.palette: Palette = PLAIN
        self.text = ""
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.is_left = asyncio.Event()
        self._is_asking = asyncio.Lock()
        self._answers: asyncio.Queue[str | None] | None = None

    @property
    def width(self) -> int:
        return self._tty.size[0]

    @property
    def height(self) -> int:
        return self._tty.size[1]

    def use_palette(self, palette: Palette) -> None: ...

    def print(self, text: str) -> None:
        self._tty.write(text.strip("\n") + "\n")

    def prompt(self) -> None:
        self._tty.write(_PROMPT)

    def typed(self, line: str | None) -> None:
        """None is the end of input."""
        (self._answers or self.lines).put_nowait(line)

    async def ask(self, panel: Panel) -> None:
        async with self._is_asking:
            self._answers = asyncio.Queue()
            try:
                while not panel.is_done:
                    self.print("\n".join(panel.lines(max(20, self.width), _TALL)))
                    self.prompt()
                    self._answer(panel, await self._answers.get())
            finally:
                self._answers = None

    @staticmethod
    def _answer(panel: Panel, line: str | None) -> None:
        if line is None:
            panel.key("escape", "")
            return
        for char in line:
            if not panel.is_done:
                panel.key("", char)
        if not panel.is_done:
            panel.key("enter", "")

    async def page(self, panel: Panel) -> None:
        await self.ask(panel)

    def status(self, key: str, text: str | None) -> None: ...
    def widget(self, key: str, lines: Sequence[str] | None, placement: str = "") -> None: ...
    def set_text(self, text: str) -> None: ...
    def redraw(self) -> None: ...

    def quit(self) -> None:
        self.is_left.set()
        self.lines.put_nowait(None)


def run_plain(arguments: Any, places: Places, _screen: Screen) -> int:
    return asyncio.run(_run(arguments, places))


async def _run(arguments: Any, places: Places) -> int:
    screen = PlainScreen(Tty(sys.stdout, places.env))
    rendering = Rendering(PLAIN, places.env)
    conversation = Conversation(screen, Live(rendering.lines), rendering.lines)
    sessions: list[Session] = []
    try:
        opening = export_of(HOME, "opening", "SessionOpening")(screen, conversation, places, lambda: sessions[0])
        async with opening.opened(arguments) as session:
            sessions.append(session)
            conversation.note(StatusFacts(session).first_line)
            conversation.wants_end = screen.quit
            await _worked(PlainWork(screen, conversation, session), arguments)
    except PiscesError as error:
        conversation.failure(error.diagnostic, places)
        return COULD_NOT_RUN
    return FINE


class PlainWork:
    def __init__(self, screen: PlainScreen, conversation: Conversation, session: Session) -> None:
        self.screen, self.session = screen, session
        self.work = Work(conversation, OwnLines(screen, conversation.live, conversation).run)
        self.work.changed = self._changed
        self.work.typed = conversation.expect  # the terminal has echoed it

    def stop(self) -> None:
        """Ctrl-C: ends what is under way, and leaves where nothing is."""
        if not self.work.interrupt():
            self.screen.quit()

    def _changed(self) -> None:
        if not self.work.is_working:
            self.screen.prompt()


async def _worked(plain: PlainWork, arguments: Any) -> None:
    """Reads lines until the end of input."""
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, plain.stop)
    threading.Thread(target=_read_lines, args=(plain.screen, loop), daemon=True).start()
    plain.work.begin(plain.session)
    if arguments.prompt:
        plain.work.submit(SentLine(" ".join(arguments.prompt)))
    else:
        plain.screen.prompt()
    try:
        while (line := await plain.screen.lines.get()) is not None and line.strip() not in _LEAVES:
            if line.strip():
                plain.work.submit(SentLine(line))
            elif not plain.work.is_working:
                plain.screen.prompt()
        await plain.work.finished()
    finally:
        await plain.work.end()


def _read_lines(screen: PlainScreen, loop: asyncio.AbstractEventLoop) -> None:
    """In a thread that ends with the process: reading a terminal cannot be cancelled."""
    line: str | None = ""
    while line is not None:
        read = next_line()
        line = read.rstrip("\n") if read else None
        try:
            loop.call_soon_threadsafe(screen.typed, line)
        except RuntimeError:  # the loop has ended
            return
