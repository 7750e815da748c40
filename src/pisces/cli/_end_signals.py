"""Signals that end or suspend us while a program runs: the program ends first, and the user's terminal is given back.

Only shell commands take signals: a program that embeds pisces has its own. In other threads than the main one, where
Python takes none, nothing changes.
"""

from __future__ import annotations

import os
import signal
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from pisces.processes.terminal import UserTerminal

_ENDING = ("SIGTERM", "SIGHUP")


class _Taken:
    """Actions for signals, by their names, until the end of the block. What the system does not have is left out."""

    def __init__(self, actions: dict[str, Callable[[int, Any], object]]) -> None:
        self._actions = actions
        self._earlier: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for name, action in self._actions.items():
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):  # `nohup` stays
                    self._earlier[number] = signal.signal(number, action)
        return self

    def __exit__(self, *_error: object) -> None:
        for number, action in self._earlier.items():
            signal.signal(number, action)
        self._earlier = {}


class EndSignals(_Taken):
    """SIGTERM and SIGHUP: `with EndSignals() as signals: run(launch, sink, signals.is_stopped)`

    At the end of the block the signal does to us what it always did.
    """

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(_ENDING, self._note))
        self._came = 0

    def is_stopped(self) -> bool:
        return self._came != 0

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._came:
            os.kill(os.getpid(), self._came)

    def _note(self, number: int, _frame: object) -> None:
        self._came = number


class SuspendSignals(_Taken):
    """SIGTSTP gives the terminal back before it stops us; after SIGCONT it is taken again."""

    def __init__(self, user: UserTerminal) -> None:
        super().__init__({"SIGTSTP": self._suspend, "SIGCONT": lambda *_: user.take()})
        self._user = user

    def _suspend(self, *_signal: object) -> None:
        self._user.give_back()
        os.kill(os.getpid(), getattr(signal, "SIGSTOP", signal.SIGTERM))
