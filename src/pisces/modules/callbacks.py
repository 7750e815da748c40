"""Callbacks that modules hand to the event loop: none of them ends the program or stops the loop.

asyncio lets SystemExit and KeyboardInterrupt of a callback through, and then the loop ends. While a runner of our own
program is open, what a module schedules is wrapped: it fails like any other callback instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pisces.events.border import Overstepped, is_ctrl_c, is_stopping, undone_stop
from pisces.events.emit import error_text

_PLACES = {"call_soon": 0, "call_soon_threadsafe": 0, "call_later": 1, "call_at": 1}  # of the callback


class Callbacks:
    """`is_of_module` says whether a module's code runs now."""

    def __init__(self, is_of_module: Callable[[], object]) -> None:
        self._is_of_module = is_of_module
        self._is_open = False
        self._ours: dict[str, Any] = {}

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_open = True
        for name, place in _PLACES.items():
            with suppress(AttributeError):  # a loop that is not written in Python
                guarded = self._guarded(loop, getattr(loop, name), place)
                setattr(loop, name, guarded)
                self._ours[name] = guarded

    def close(self, loop: asyncio.AbstractEventLoop) -> None:
        """A runner that was opened later has ours below its own: that one stays, and does nothing from now on."""
        self._is_open = False
        for name, guarded in self._ours.items():
            usual = guarded.__wrapped__
            if vars(loop).get(name) is guarded:
                if getattr(usual, "__wrapped__", None) is None:
                    delattr(loop, name)
                else:
                    setattr(loop, name, usual)

    def _guarded(self, loop: asyncio.AbstractEventLoop, usual: Callable[..., Any], place: int) -> Any:
        def call(*given: Any, **options: Any) -> Any:
            if self._is_open and self._is_of_module():
                given = (*given[:place], _fenced(loop, given[place]), *given[place + 1 :])
            return usual(*given, **options)

        call.__wrapped__ = usual  # type: ignore[attr-defined]
        return call


def _fenced(loop: asyncio.AbstractEventLoop, callback: Callable[..., Any]) -> Callable[..., Any]:
    def run(*given: Any) -> None:
        was_stopping = is_stopping(loop)
        try:
            callback(*given)
        except (SystemExit, KeyboardInterrupt) as error:
            if is_ctrl_c(error):
                raise
            raise Overstepped(error_text(error)) from error
        if not was_stopping and (what := undone_stop(loop)):
            raise Overstepped(what)

    return run
