"""Notices a coroutine that a guard made and never awaited: the check that the guard wanted did not run.

Python warns of such a coroutine when it is thrown away, by calling a function of `warnings`. That function is replaced
while a step of a guard runs, in its thread, and only then. Filters of warnings stay as the program has set them.
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Generator
from threading import get_ident
from typing import Any

_HOOK = "_warn_unawaited_coroutine"  # Python looks it up by name each time; without it nothing is noticed


class Forgotten(Exception):
    """A guard that decides without the answer that it asked for has not judged."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}(...)` was never awaited: write `await {name}(...)`, in an `async def`")


@types.coroutine
def noticing(coroutine: Any, forgotten: list[str]) -> Generator[Any, Any, Any]:
    """Awaited, the answer of the coroutine; names of coroutines that its steps throw away are put into `forgotten`."""
    step, given = coroutine.send, None
    while True:
        try:
            with _Hooked(forgotten):
                waiting = step(given)
        except StopIteration as stop:
            return stop.value
        try:
            sent = yield waiting
        except BaseException as error:  # noqa: BLE001  # passed on to the coroutine, which may catch it
            step, given = coroutine.throw, error
        else:
            step, given = coroutine.send, sent


class _Hooked:
    __slots__ = ("_forgotten", "_thread", "_usual")

    def __init__(self, forgotten: list[str]) -> None:
        self._forgotten = forgotten
        self._thread = get_ident()

    def __enter__(self) -> None:
        self._usual = getattr(warnings, _HOOK, None)
        setattr(warnings, _HOOK, self._notice)

    def __exit__(self, *_trouble: object) -> None:
        setattr(warnings, _HOOK, self._usual)

    def _notice(self, coroutine: Any) -> None:
        if get_ident() == self._thread:
            self._forgotten.append(getattr(coroutine, "__name__", "it"))
        elif self._usual is not None:
            self._usual(coroutine)
