"""Signals that end us while a program runs: the program is ended first, then they do to us what they always did.

Without this the program, which has a session of its own, would go on alone. Signals can be taken in the main thread
only; in others nothing changes.
"""

from __future__ import annotations

import os
import signal
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndSignals:
    """SIGTERM and SIGHUP: `with EndSignals() as signals: run(launch, sink, signals.is_stopped)`"""

    def __init__(self) -> None:
        self.came = 0  # the signal
        self._earlier: dict[int, Any] = {}

    def is_stopped(self) -> bool:
        return self.came != 0

    def __enter__(self) -> EndSignals:
        if threading.current_thread() is threading.main_thread():
            for number in ENDING:
                if signal.getsignal(number) not in (signal.SIG_IGN, None):  # `nohup` stays in force
                    self._earlier[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        for number, action in self._earlier.items():
            signal.signal(number, action)
        self._earlier = {}
        if self.came:
            os.kill(os.getpid(), self.came)

    def _note(self, number: int, _frame: object) -> None:
        self.came = number


class Deferred:
    """Signals for which Python would raise, Ctrl-C above all, wait until `release`: nothing is left half done."""

    def __init__(self) -> None:
        self._came: list[int] = []
        self._earlier: dict[int, Any] = {}

    def __enter__(self) -> Deferred:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, *ENDING):
                if callable(signal.getsignal(number)):
                    self._earlier[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()

    def release(self) -> None:
        """From here on they are raised, and the first of those that came is raised here."""
        earlier, self._earlier = self._earlier, {}
        for number, action in earlier.items():
            signal.signal(number, action)
        if self._came:
            os.kill(os.getpid(), self._came.pop())

    def _note(self, number: int, _frame: object) -> None:
        self._came = [number]
