"""Limits of calls that are under way. Time in which the user is asked counts for none of them."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class CallTimes:
    """Of one connection: which of its calls a server asks for is not known, so all of them wait."""

    def __init__(self) -> None:
        self._left: dict[asyncio.Timeout, float] = {}  # seconds, while somebody is asked
        self._questions = 0

    @contextmanager
    def counted(self, limit: asyncio.Timeout) -> Iterator[None]:
        """`limit` has been entered."""
        self._left[limit] = 0.0
        if self._questions:
            self._stop(limit)
        try:
            yield
        finally:
            del self._left[limit]

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._questions += 1
        if self._questions == 1:
            for limit in self._left:
                self._stop(limit)
        try:
            yield
        finally:
            self._questions -= 1
            if not self._questions:
                self._go_on()

    def _stop(self, limit: asyncio.Timeout) -> None:
        if limit.expired():
            return
        self._left[limit] = (limit.when() or 0.0) - asyncio.get_running_loop().time()
        limit.reschedule(None)

    def _go_on(self) -> None:
        now = asyncio.get_running_loop().time()
        for limit, left in self._left.items():
            if not limit.expired() and limit.when() is None:
                limit.reschedule(now + max(left, 0.0))
