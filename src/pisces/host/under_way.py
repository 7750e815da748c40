"""What is running in a host. Closing cancels it, and every caller that waits for it gets an answer that says so."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Answer = TypeVar("Answer")

CLOSED = "the host is closed"
_SECONDS = 5.0  # that what is under way has to end


class UnderWay:
    """Each piece of work is a task of its own, so that the caller's task is never cancelled by us."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    async def within(self, work: Coroutine[Any, Any, Answer], closed: Answer) -> Answer:
        """What `work` returns; `closed` if the host is closed before or meanwhile."""
        if self._is_closed:
            work.close()
            return closed
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if self._is_closed and not _is_cancelled():
                return closed
            raise
        finally:
            self._tasks.discard(task)

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def refuse(self) -> None:
        """From now on everybody gets the answer that the host is closed."""
        self._is_closed = True

    async def close(self) -> None:
        self.refuse()
        own = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not own]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_SECONDS)


def _is_cancelled() -> bool:
    """Whether somebody wants the caller itself to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
