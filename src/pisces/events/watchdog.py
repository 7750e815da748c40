"""Notices code that blocks the event loop, and interrupts it where Python can.

A thread compares deadlines with the clock. Code that is past its deadline gets an exception raised inside it. In the
main thread of a POSIX system a signal also wakes it from `time.sleep` and the like, if the program that runs us lets us
install a signal handler. In other threads, code that does not wake is left behind in a thread of its own. Code of the
main thread that waits in C for ever (a lock, a driver) cannot be interrupted: that is what the sidecar is for.
"""

from __future__ import annotations

import asyncio
import ctypes
import signal
import sys
import threading
from math import inf
from threading import get_ident
from time import monotonic

from pisces.events.step_thread import StepThread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LOOKS = 0.05  # seconds between two looks
AGAIN = 1.0  # seconds until code that swallows the interruption is interrupted again
_WAKE = getattr(signal, "SIGURG", None)  # nobody uses it, and its default is to do nothing


class TimedOut(Exception):
    """The time limit of a call was reached."""

    def __init__(self, seconds: float = 0) -> None:
        super().__init__(f"took longer than {seconds:g} s")


class Interrupt(BaseException):
    """Raised inside code that blocks; leaves as `TimedOut`. `except Exception` does not catch it."""


class Watchdog:
    """The thread starts with the first call and ends with `close`. Calls may be nested.

    `has_signals` lets it install a handler of SIGURG: for programs of our own, not where we are embedded.
    """

    __slots__ = ("_again", "_beside", "_closed", "_deadline", "_has_signals", "_lock", "_main", "_thread", "_watched")

    def __init__(self, *, has_signals: bool = True) -> None:
        self._has_signals = has_signals
        self._lock = threading.Lock()
        self._main = threading.main_thread().ident
        self._deadline = inf  # of the innermost call, where calls are nested
        self._again = 0.0  # when code that ignored an interruption is interrupted again; 0 where none was sent
        self._watched = 0
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._beside: dict[int, StepThread] = {}  # by the thread that waits for it: steps may be nested

    def close(self) -> None:
        for each in self._beside.values():
            each.close()
        self._beside.clear()
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def during(self, seconds: float, step: Callable[[Any, Any], Any], function: Any, argument: Any) -> Any:
        """What the step returns or raises; `TimedOut`, with the traceback of the interrupted line, if it is too slow.

        A step is called with a function and its argument: collecting any number of arguments would cost each handler a
        tenth. The interruption may also arrive after the step, in our own lines: hence the second `_withdrawn`. A step
        that ends before its deadline was not interrupted, because `_look` reads the clock before the deadline and this
        one afterwards: so most steps need no lock.
        """
        thread = get_ident()
        if thread != self._main and runs_apart():
            return self._apart(seconds, step, function, argument)
        if self._thread is None:
            self._start()
        outer, was_interrupted = self._deadline, False
        try:
            self._watched = thread
            self._deadline = deadline = monotonic() + seconds
            try:
                answer = step(function, argument)
            finally:
                self._deadline = outer
                was_interrupted = monotonic() >= deadline and self._withdrawn()
        except Interrupt as interrupt:
            self._deadline = outer
            self._withdrawn()
            raise TimedOut(seconds).with_traceback(interrupt.__traceback__) from interrupt
        except BaseException as error:
            if not was_interrupted:
                raise
            raise TimedOut(seconds).with_traceback(error.__traceback__) from error
        if was_interrupted:
            raise TimedOut(seconds)
        return answer

    def _apart(self, seconds: float, step: Callable[..., Any], *given: Any) -> Any:
        thread = get_ident()
        beside = self._beside.get(thread) or StepThread(_interrupt)
        self._beside[thread] = beside
        work = beside.ran(seconds, step, *given)
        if work is None or work.is_late:
            del self._beside[thread]
            error = work.error if work is not None else None
            raise TimedOut(seconds).with_traceback(error.__traceback__ if error else None) from error
        if work.error is not None:
            raise work.error
        return work.answer

    def _withdrawn(self) -> bool:
        """Whether the call was interrupted. An interruption that is still pending does not arrive any more."""
        with self._lock:
            if not self._again:
                return False
            self._again = 0.0
            interrupted(self._watched, None)
            return True

    def _start(self) -> None:
        in_main_thread = threading.current_thread() is threading.main_thread()
        if self._has_signals and _WAKE is not None and in_main_thread and _is_unused(_WAKE):
            signal.signal(_WAKE, _woken)
        self._thread = threading.Thread(target=self._look, name="pisces-watch", daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._closed.wait(LOOKS):
            with self._lock:
                now = monotonic()  # before the deadline is read
                if now > max(self._deadline, self._again):
                    self._again = now + AGAIN
                    _interrupt(self._watched)


def runs_apart() -> bool:
    """Whether steps run in a thread of their own: off the main thread. In debug mode asyncio refuses other threads."""
    if threading.current_thread() is threading.main_thread():
        return False
    loop = asyncio._get_running_loop()
    return loop is None or not loop.get_debug()


def _is_unused(number: int) -> bool:
    return signal.getsignal(number) in (signal.SIG_DFL, None)


def _interrupt(thread: int) -> None:
    interrupted(thread, Interrupt)
    if sys.platform != "win32" and _WAKE is not None and thread == threading.main_thread().ident:
        signal.pthread_kill(thread, _WAKE)


def interrupted(thread: int, kind: type[BaseException] | None) -> None:
    """Raises it in that thread as soon as it runs Python. None withdraws an interruption that is still pending."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind) if kind else None)


def _woken(_number: int, _frame: object) -> None:
    """Does nothing: running it is what lets the pending exception through."""
