"""Notices code that blocks the event loop, and interrupts it where Python can.

A thread looks now and then at who has been running since when. Code that is over its time gets an exception raised
inside it; in the main thread of a POSIX system a signal wakes it from `time.sleep` and the like, too. Code that waits
in C for ever (a lock, a driver) cannot be interrupted by anybody: that is what the sidecar is for.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from threading import get_ident
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LOOKS = 0.05  # seconds between two looks
AGAIN = 1.0  # seconds until code that swallows the interruption is interrupted again
_WAKE = getattr(signal, "SIGURG", None)  # nobody uses it, and its default is to do nothing


class Slow(Exception):
    """A handler's time was up."""

    def __init__(self, seconds: float = 0) -> None:
        super().__init__(f"took longer than {seconds:g} s")


class Interrupt(BaseException):
    """Raised inside code that blocks; becomes `Slow` on its way out. Not an Exception, so that nobody swallows it."""


class Watch:
    """One for each runner. The thread starts with the first turn and ends with `close`. Turns may lie inside turns."""

    __slots__ = ("_again", "_closed", "_lock", "_thread", "_turns", "_watched")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: list[float] = []  # their deadlines, innermost last
        self._again = 0.0  # when whoever was interrupted and goes on is interrupted again; 0 where nobody was
        self._watched = 0
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def close(self) -> None:
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def during(self, seconds: float, step: Callable[..., Any], *given: Any) -> Any:
        """What `step(*given)` returns or raises; `Slow`, with the lines where it was, if that takes too long.

        The interruption may also arrive when the step is over, in our own lines: hence the second `_left`.
        """
        if self._thread is None:
            self._start()
        depth, was_interrupted = len(self._turns), False
        try:
            self._watched = get_ident()
            self._turns.append(monotonic() + seconds)
            try:
                answer = step(*given)
            finally:
                was_interrupted = self._left(depth)
        except Interrupt as interrupt:
            self._left(depth)
            raise Slow(seconds).with_traceback(interrupt.__traceback__) from interrupt
        except BaseException as error:
            if not was_interrupted:
                raise
            raise Slow(seconds).with_traceback(error.__traceback__) from error
        if was_interrupted:
            raise Slow(seconds)
        return answer

    def _left(self, depth: int) -> bool:
        """Ends a turn; whether it was interrupted. An interruption that has not arrived yet never will."""
        with self._lock:
            del self._turns[depth:]
            if not self._again:
                return False
            self._again = 0.0
            _set_interrupt(self._watched, None)
            return True

    def _start(self) -> None:
        in_main_thread = threading.current_thread() is threading.main_thread()
        if _WAKE is not None and in_main_thread and signal.getsignal(_WAKE) in (signal.SIG_DFL, None):
            signal.signal(_WAKE, _woken)
        self._thread = threading.Thread(target=self._look, name="pisces-watch", daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._closed.wait(LOOKS):
            with self._lock:
                now = monotonic()
                if self._turns and now > max(self._turns[-1], self._again):
                    self._again = now + AGAIN
                    _interrupt(self._watched)


def _interrupt(thread: int) -> None:
    _set_interrupt(thread, Interrupt)
    if sys.platform != "win32" and _WAKE is not None and thread == threading.main_thread().ident:
        signal.pthread_kill(thread, _WAKE)


def _set_interrupt(thread: int, kind: type[BaseException] | None) -> None:
    """None takes back what has not arrived yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind) if kind else None)


def _woken(_number: int, _frame: object) -> None:
    """Being called is all: it lets the pending exception through."""
