"""The screen of modules at a terminal. Their text is made safe, their questions are panels, and none can break it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.modules.actions import ERROR, INFO, WARNING
from pisces.processes.clean import cleaned
from pisces.ui.terminal.choices import ChoicePanel, Option, TextPanel, asked
from pisces.ui.terminal.component_panel import ComponentPanel
from pisces.ui.terminal.drawn import coloured_row, one_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.modules.actions import UiComponent
    from pisces.ui.terminal.panel import TerminalScreen

_LEVELS = {INFO: "text", WARNING: "warn", ERROR: "bad"}
_MOST_NOTE = 20_000  # characters of one note
_MOST_WIDGET = 10  # lines of one widget
_STATUS = 60
_EDITOR = 10  # rows


class TerminalUi:
    """Implements `pisces.modules.actions.Ui`."""

    is_available = True

    def __init__(self, screen: TerminalScreen, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen, self._clock = screen, clock

    def notify(self, message: str, level: str = INFO) -> None:
        text = cleaned(str(message)[:_MOST_NOTE]).rstrip("\n")
        meaning = _LEVELS.get(level, "text")
        self._screen.print("\n".join(self._screen.palette.paint(line, meaning) for line in text.split("\n")))

    async def confirm(self, title: str, message: str, timeout: float | None = None) -> bool:
        options = [Option("yes", "", "y"), Option("no", "", "n")]
        panel = ChoicePanel(_joined(title, message), options, self._screen.palette, clock=self._clock)
        await self._answered(panel, timeout)
        return panel.chosen == 0

    async def select(self, title: str, options: Sequence[str], timeout: float | None = None) -> str | None:
        labels = list(options)
        shown = [Option(str(each)) for each in labels]
        panel = ChoicePanel(str(title), shown, self._screen.palette, clock=self._clock)
        await self._answered(panel, timeout)
        return None if panel.chosen is None else labels[panel.chosen]

    async def input(self, title: str, placeholder: str = "", timeout: float | None = None) -> str | None:
        hint = f" ({placeholder})" if placeholder else ""
        panel = TextPanel(f"{title}{hint}", "", self._screen.palette, clock=self._clock)
        await self._answered(panel, timeout)
        return panel.answer

    async def editor(self, title: str, text: str = "") -> str | None:
        panel = TextPanel(str(title), str(text), self._screen.palette, height=_EDITOR, clock=self._clock)
        await self._answered(panel, None)
        return panel.answer

    async def _answered(self, panel: ChoicePanel | TextPanel, seconds: float | None) -> None:
        """A question whose time is over has no answer."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asked(panel, self._screen), seconds)

    def status(self, key: str, text: str | None) -> None:
        self._screen.status(one_row(str(key), _STATUS), None if text is None else one_row(cleaned(str(text)), _STATUS))

    def widget(self, key: str, lines: Sequence[str] | None, placement: str = "aboveEditor") -> None:
        shown = None
        if lines is not None:
            shown = [coloured_row(str(each), self._screen.width) for each in list(lines)[:_MOST_WIDGET]]
        where = "belowEditor" if placement == "belowEditor" else "aboveEditor"
        self._screen.widget(one_row(str(key), _STATUS), shown, where)

    def title(self, text: str) -> None:
        self._screen.status("title", one_row(cleaned(str(text)), _STATUS))

    def working(self, message: str | None) -> None:
        self._screen.status("working", None if message is None else one_row(cleaned(str(message)), _STATUS))

    def editor_text(self) -> str:
        return self._screen.text

    def set_editor_text(self, text: str) -> None:
        self._screen.set_text(cleaned(str(text)))

    async def custom(self, component: UiComponent) -> Any:
        panel = ComponentPanel(component, self._screen.redraw)
        drawing = asyncio.ensure_future(panel.run())
        showing = asyncio.ensure_future(self._screen.ask(panel))
        try:
            await asyncio.wait((drawing, showing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            drawing.cancel()
            showing.cancel()
            await asyncio.gather(drawing, showing, return_exceptions=True)
        if panel.problem:
            self.notify(f"a component of an extension was ended: {panel.problem}", WARNING)
        return panel.result


def _joined(title: object, message: object) -> str:
    return "\n".join(filter(None, (str(title), str(message))))
