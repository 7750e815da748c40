"""An event loop that ends: a signal reaches the agent, and what does not let itself be cancelled is left behind."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_END_SECONDS = 2.0


def run_to_end(main: Coroutine[Any, Any, int]) -> int:
    """As `asyncio.run`, which would wait for ever for a task that goes on, and for a thread that sleeps."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(main)
    finally:
        loop.set_exception_handler(lambda *_: None)  # it would complain about what is left behind
        left = asyncio.all_tasks(loop)
        for each in left:
            each.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=_END_SECONDS))
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()


class FirstSignal:
    """The first signal is for `came`, in the loop. A second one does what it always did, also to code that blocks it.

    What is ignored stays so: `nohup`. In other threads than the main one, where Python takes none, nothing changes.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, came: Callable[[int], None]) -> None:
        self._loop, self._came = loop, came
        self._earlier: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
            taken = [number for number in numbers if signal.getsignal(number) not in (signal.SIG_IGN, None)]
            self._earlier = {number: signal.signal(number, self._first) for number in taken}

    def _first(self, number: int, _frame: object) -> None:
        self.__exit__()
        self._loop.call_soon_threadsafe(self._came, number)

    def __exit__(self, *_error: object) -> None:
        for number, action in self._earlier.items():
            signal.signal(number, action)
        self._earlier = {}
