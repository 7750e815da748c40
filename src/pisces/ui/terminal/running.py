"""The terminal program while it runs: keys become actions, lines become work, the session is opened behind it all."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.ui.terminal.application import KeyReader
from pisces.ui.terminal.conversation import Conversation
from pisces.ui.terminal.dispatch import OwnLines
from pisces.ui.terminal.facts import StatusFacts, hint_words
from pisces.ui.terminal.history_panel import HistoryPanel
from pisces.ui.terminal.input_box import InputBox
from pisces.ui.terminal.pastes import SentLine
from pisces.ui.terminal.work import Work

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from pisces.places import Places
    from pisces.session.session import Session
    from pisces.ui.terminal.hot_reload import HotReload
    from pisces.ui.terminal.main_screen import MainScreen
    from pisces.ui.terminal.rendering import Rendering

HOME = "pisces.ui.terminal"
_ENDS = ("SIGTERM", "SIGHUP")
FINE, COULD_NOT_RUN = 0, 2
_AGAIN = 2.0  # seconds in which a second Ctrl-O shows more


class TerminalProgram:
    """Implements `KeyActions`."""

    def __init__(self, arguments: Any, places: Places, screen: MainScreen, rendering: Rendering) -> None:
        self._arguments, self._places, self._screen = arguments, places, screen
        self._conversation = Conversation(screen, screen.live, rendering.lines)
        self._own_lines = OwnLines(screen, screen.live, self._conversation)
        self._work = Work(self._conversation, self._run_own)
        self._work.changed = self._changed
        self._box = screen.box = InputBox(places)
        self._keys = KeyReader(screen, self._box, self)
        self._session: Session | None = None
        self._reload: HotReload | None = None
        self._leaving = asyncio.Event()
        self._beside: set[asyncio.Future[Any]] = set()
        self._status = FINE
        self._last_shown = float("-inf")
        screen.hint = lambda: hint_words(self._work, self._box)
        screen.on_quit(self.quit)

    def run_with(self, typed: str) -> int:
        """`typed` are keys that came before."""
        self._keys.feed(typed)
        return asyncio.run(self.run())

    async def run(self) -> int:
        """Until the user leaves, the terminal is closed, or somebody ends us. The session is closed in each case."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._failed)
        for name in _ENDS:
            with suppress(NotImplementedError, AttributeError, RuntimeError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self._ended_by, number)
        opening = asyncio.ensure_future(self._open())
        self._box.buffer.load_history_if_not_yet_loaded()
        if self._arguments.prompt:
            self._work.submit(SentLine(" ".join(self._arguments.prompt)))
        try:
            with suppress(EOFError):  # the terminal is gone
                await self._keys.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            self._leaving.set()
            await self._work.end()
            await opening
            for each in self._beside:
                each.cancel()
            self._screen.close()
        return self._status

    async def _open(self) -> None:
        try:
            made = await asyncio.to_thread(export_of, HOME, "opening", "SessionOpening")
            opening = made(self._screen, self._conversation, self._places, lambda: self._session)
            async with opening.opened(self._arguments) as session:
                self._session = session
                self._box.completer = export_of(HOME, "completion", "completer")(session)
                facts = StatusFacts(session)
                self._screen.facts = lambda: facts.words
                self._conversation.after_step = facts.renew
                self._conversation.wants_end = self.quit
                self._conversation.note(facts.first_line)
                self._reload = export_of(HOME, "hot_reload", "HotReload")(session, self._screen)
                self._start(self._reload.start())
                self._work.begin(session)
                self._changed()
                await self._leaving.wait()
                await self._work.end()
        except PiscesError as error:
            self._conversation.failure(error.diagnostic, self._places)
            self._status = COULD_NOT_RUN
            self.quit()
        except BaseException:
            self.quit()  # it is raised again when the terminal has been given back
            raise

    def _ended_by(self, number: int) -> None:
        self._status = 128 + number
        self.quit()

    def _failed(self, _loop: object, context: dict[str, Any]) -> None:
        """What nobody waited for has failed: a line on the screen, not a traceback across it."""
        error = context.get("exception")
        self._conversation.problem(f"{context['message']}: {error!r}" if error else context["message"])

    async def _run_own(self, session: Session, line: str) -> bool:
        if self._reload is not None:
            await self._reload.before_line()
        return await self._own_lines.run(session, line)

    def _changed(self) -> None:
        self._screen.live.queued = self._work.waits
        self._screen.redraw()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    @property
    def is_working(self) -> bool:
        return self._work.is_working

    def send(self) -> None:
        if self._box.text.strip():
            self._work.submit(self._box.sent())

    def steer(self) -> None:
        if self._box.text.strip():
            self._work.steer(self._box.sent())

    def interrupt(self) -> bool:
        return self._work.interrupt()

    def edit_queued(self) -> bool:
        line = self._work.take_back()
        if line is not None:
            self._box.set_text(line.shown or line.text)
        return line is not None

    def show_last_tool(self) -> None:
        """A second time within a moment: the whole conversation."""
        now, before = monotonic(), self._last_shown
        self._last_shown = now
        if now - before < _AGAIN and self._session is not None:
            made = export_of(HOME, "transcript_panel", "TranscriptPanel")
            self._start(self._screen.page(made(self._session.transcript, self._screen.palette)))
            return
        self._conversation.show_last_tool()
        self.say("ctrl+o again shows the whole conversation")

    def toggle_thinking(self) -> None:
        self._conversation.toggle_thinking()

    def search_history(self) -> None:
        self._start(self._searched())

    async def _searched(self) -> None:
        panel = HistoryPanel(self._box.history.get_strings()[::-1], self._screen.palette)
        await self._screen.ask(panel)
        if panel.chosen:
            self._screen.set_text(panel.chosen)

    def open_editor(self) -> None:
        self._start(self._edited())

    async def _edited(self) -> None:
        text = self._box.pastes.unfolded(self._box.text)
        with self._keys.input.detach():
            self._screen.go_away()
            try:
                text_after = await export_of(HOME, "editing", "edited")(text, self._places)
            finally:
                self._screen.come_back()
        if text_after is None:
            self.say("the editor failed: `$EDITOR` names another one")
        else:
            self._screen.set_text(text_after)

    def paste_image(self) -> None:
        self._start(self._pasted_image())

    async def _pasted_image(self) -> None:
        image = await export_of(HOME, "clipboard", "clipboard_image")(self._places)
        if image is None:
            self.say("no picture in the clipboard that can be read here")
        else:
            self._box.insert(self._box.pastes.image_mark(image))

    def suspend(self) -> None:
        """Until the shell goes on with us."""
        if hasattr(signal, "SIGTSTP"):
            self._screen.go_away()
            signal.raise_signal(signal.SIGTSTP)
            self._screen.come_back()

    def say(self, text: str) -> None:
        self._screen.say(text)

    def quit(self) -> None:
        if self._keys.is_running and not self._keys.is_done:
            self._keys.exit()
