"""Runs steps of modules in a thread beside an event loop that is not in the main thread.

Nothing wakes a thread other than the main one from `time.sleep`. So the step has a thread of its own, and the loop,
which waits for it as it would for any step, leaves that thread behind when the time is up. Steps run in the same thread
while none is left behind: what is bound to a thread, such as a connection to SQLite, works in the next one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

_RETURN = 0.2  # seconds for interrupted code to come back with the line that it was at


class StepThread:
    """`interrupt` raises an exception in the thread of that number."""

    def __init__(self, interrupt: Callable[[int], None]) -> None:
        self._interrupt = interrupt
        self._work: SimpleQueue[_Work | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="pisces-step", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._work.put(None)

    def ran(self, seconds: float, step: Callable[..., Any], *given: Any) -> _Work | None:
        """None where it does not come back in time; then nobody may use this thread again."""
        work = _Work(step, given)
        self._work.put(work)
        if work.done.wait(seconds):
            return work
        self._work.put(None)
        self._interrupt(self._thread.ident or 0)
        work.is_late = True
        return work if work.done.wait(_RETURN) else None

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            work.run()


class _Work:
    def __init__(self, step: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._step = step
        self._given = given
        self._loop: asyncio.AbstractEventLoop | None = asyncio._get_running_loop()
        self._task: asyncio.Task[Any] | None = asyncio.current_task() if self._loop else None
        self.done = threading.Event()
        self.is_late = False
        self.answer: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """The loop stands still meanwhile, so this thread may act for it."""
        asyncio._set_running_loop(self._loop)
        entered = self._entered()
        try:
            self.answer = self._step(*self._given)
        except BaseException as error:  # noqa: BLE001  # of the module: the loop's thread raises it
            self.error = error
        finally:
            if entered:
                asyncio.tasks._leave_task(*entered)
            asyncio._set_running_loop(None)
            self.done.set()

    def _entered(self) -> tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None:
        """Since Python 3.14 each thread has a current task of its own; before, a loop had one in all threads."""
        if self._loop is None or self._task is None or asyncio.current_task() is not None:
            return None
        asyncio.tasks._enter_task(self._loop, self._task)
        return self._loop, self._task
