"""A component of a module in the live area. It is foreign code: slow, broken or hostile, the screen stays whole.

Ctrl-C always ends it. What it draws is made safe and cut to the screen; what it raises ends it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.events.emit import error_text
from pisces.ui.terminal.drawn import coloured_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.modules.actions import UiComponent

SECONDS = 5.0  # for one frame, or for one key
MOST_LINES = 500
_FRAME = 0.1  # seconds between two frames that nobody asked for
_MOST_KEYS = 256
# What a terminal sends for a key, which is what components are written for.
_RAW = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "s-tab": "\x1b[Z",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "space": " ",
}


class ComponentPanel:
    """`problem` says why it was ended, where it was. `run` draws it and hands over keys; cancel it at the end."""

    def __init__(self, component: UiComponent, redraw: Callable[[], None]) -> None:
        self._component, self._redraw = component, redraw
        self._drawn: tuple[str, ...] = ()
        self._width = 80
        self._keys: list[str] = []
        self._wake = asyncio.Event()
        self._is_ended = False
        self.problem = ""

    @property
    def is_done(self) -> bool:
        return self._is_ended

    def lines(self, width: int, height: int) -> Sequence[str]:
        if width != self._width:
            self._width = width
            self._wake.set()
        return [coloured_row(line, width) for line in self._drawn[:height]]

    def key(self, key: str, text: str) -> None:
        if key == "c-c":
            self._is_ended = True
        elif len(self._keys) < _MOST_KEYS:
            self._keys.append(raw_key(key, text))
        self._wake.set()

    async def run(self) -> None:
        """Until the component is done, fails, or the user ends it."""
        try:
            while not self._is_ended:
                await self._frame()
        except Exception as error:  # noqa: BLE001  # a module's own code
            self.problem = "it took too long" if isinstance(error, TimeoutError) else error_text(error)
        self._is_ended = True
        self._redraw()

    async def _frame(self) -> None:
        keys, self._keys = self._keys, []
        self._wake.clear()
        for each in keys:
            await asyncio.wait_for(self._component.key(each), SECONDS)
        self._is_ended = self._is_ended or bool(self._component.is_done)
        if self._is_ended:
            return
        rendered = await asyncio.wait_for(self._component.render(self._width), SECONDS)
        drawn = tuple(str(line) for line, _ in zip(rendered, range(MOST_LINES), strict=False))
        if drawn != self._drawn:
            self._drawn = drawn
            self._redraw()
        await self._changed()

    async def _changed(self) -> None:
        """A component that says when it changes is drawn then, any other a few times a second."""
        own = getattr(self._component, "changed", None)
        waits = [asyncio.ensure_future(self._wake.wait())]
        if isinstance(own, asyncio.Event):
            waits.append(asyncio.ensure_future(own.wait()))
        try:
            timeout = None if len(waits) > 1 else _FRAME
            await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if isinstance(own, asyncio.Event) and own.is_set():
                own.clear()
                await asyncio.sleep(_FRAME / 2)  # one that changes all the time does not keep us busy
        finally:
            for each in waits:
                each.cancel()

    @property
    def result(self) -> Any:
        return None if self.problem else self._component.result


def raw_key(key: str, text: str) -> str:
    if key.startswith("c-") and len(key) == 3 and key[2].isalpha():
        return chr(ord(key[2]) & 0x1F)
    return _RAW.get(key, text)
