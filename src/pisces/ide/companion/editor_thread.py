"""Calls into the editor, one after the other, in a thread of their own: an editor that hangs stops nothing else."""

from __future__ import annotations

import asyncio
import queue
import threading
from concurrent.futures import Future

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Call = tuple[Future[Any], Callable[[], Any]]


class EditorThread:
    def __init__(self, answers_within: float) -> None:
        self._answers_within = answers_within
        self._calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()

    def start(self) -> None:
        """With a queue of its own: a thread of an earlier start may still hang in the editor."""
        self._calls = queue.SimpleQueue()
        threading.Thread(target=_work, args=(self._calls,), name="pisces-editor", daemon=True).start()

    def stop(self) -> None:
        self._calls.put(None)

    async def call(self, act: Callable[[], Any]) -> Any:
        """What the call returns or raises; TimeoutError when the editor takes too long."""
        return await asyncio.wait_for(asyncio.wrap_future(self.queue(act)), self._answers_within)

    def queue(self, act: Callable[[], Any]) -> Future[Any]:
        """For calls that nobody waits for."""
        done: Future[Any] = Future()
        self._calls.put((done, act))
        return done


def _work(calls: queue.SimpleQueue[Call | None]) -> None:
    while call := calls.get():
        done, act = call
        if not done.set_running_or_notify_cancel():
            continue
        try:
            done.set_result(act())
        except Exception as error:  # noqa: BLE001  # the editor's code: whatever it raises belongs to its caller
            done.set_exception(error)
        del call, done, act  # a diff may be large, and the next call may be hours away
