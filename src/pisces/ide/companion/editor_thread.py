"""Calls into the editor, one after the other, in their own thread, so that a hanging editor blocks nothing else."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Call = tuple[Future[Any], Callable[[], Any]]


class EditorThread:
    def __init__(self, answers_within: float) -> None:
        self._answers_within = answers_within
        self._calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()

    def start(self) -> None:
        """Starts with a new queue: a thread of an earlier start may still hang in the editor."""
        self._calls = queue.SimpleQueue()
        threading.Thread(target=_work, args=(self._calls,), name="pisces-editor", daemon=True).start()

    def stop(self) -> None:
        self._calls.put(None)

    async def call(self, act: Callable[[], Any]) -> Any:
        """Returns or raises what the call does; TimeoutError if the editor takes too long."""
        return await asyncio.wait_for(asyncio.wrap_future(self.queue(act)), self._answers_within)

    def queue(self, act: Callable[[], Any]) -> Future[Any]:
        """Runs a call without waiting for it."""
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
        except Exception as error:  # noqa: BLE001  # the editor's code may raise anything: the caller gets it
            done.set_exception(error)
        del call, done, act  # free a large diff before the next call, which may be hours away
