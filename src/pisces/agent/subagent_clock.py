"""The time that a subagent has. It stops while the user is asked."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class SubagentClock:
    """`running()` ends what it is used for after `seconds`, as `asyncio.timeout` does."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._timeout: asyncio.Timeout | None = None
        self._questions = 0

    def running(self) -> asyncio.Timeout:
        self._timeout = asyncio.timeout(self._left)
        return self._timeout

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Several questions may be open at once: the time runs when all are answered."""
        self._questions += 1
        if self._questions == 1:
            self._stop()
        try:
            yield
        finally:
            self._questions -= 1
            if not self._questions:
                self._go_on()

    def _stop(self) -> None:
        when = self._timeout.when() if self._timeout else None
        if self._timeout and when is not None and not self._timeout.expired():
            self._left = when - asyncio.get_running_loop().time()
            self._timeout.reschedule(None)

    def _go_on(self) -> None:
        if self._timeout and self._timeout.when() is None and not self._timeout.expired():
            self._timeout.reschedule(asyncio.get_running_loop().time() + self._left)
