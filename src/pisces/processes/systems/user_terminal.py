"""The user's own terminal while a program has it: raw, so that every key reaches the program, and always given back.

Given back also when an exception or SIGTSTP comes in between; after SIGCONT it is taken again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import struct
import termios
import threading
import tty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SIZE = struct.Struct("HHHH")


class UserTerminal:
    """`keyboard` is a descriptor; if it is no terminal it is left alone. `resized` is called when the size changed."""

    def __init__(self, keyboard: int, resized: Callable[[], None]) -> None:
        self._keyboard = keyboard
        self._resized = resized
        self._modes = modes_of(keyboard)
        self._earlier: dict[int, Any] = {}

    def __enter__(self) -> UserTerminal:
        try:
            if threading.current_thread() is threading.main_thread():  # only there may signals be taken
                self._take(signal.SIGWINCH, lambda *_: self._resized())
                self._take(signal.SIGTSTP, self._suspend)
                self._take(signal.SIGCONT, self._resume)
            self._resume()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self._give_back()
        for number, action in self._earlier.items():
            signal.signal(number, action)
        self._earlier = {}

    def _take(self, number: int, action: Callable[[int, Any], None]) -> None:
        earlier = signal.getsignal(number)
        if earlier is not None:  # None: taken by somebody who is not Python
            self._earlier[number] = earlier
            signal.signal(number, action)

    def _give_back(self) -> None:
        if self._modes is not None:
            with contextlib.suppress(termios.error):  # it went away
                termios.tcsetattr(self._keyboard, termios.TCSANOW, self._modes)

    def _suspend(self, *_signal: object) -> None:
        self._give_back()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _resume(self, *_signal: object) -> None:
        if self._modes is not None:
            with contextlib.suppress(termios.error):
                tty.setraw(self._keyboard, termios.TCSANOW)
        self._resized()


def modes_of(terminal: int) -> list[Any] | None:
    """None where it is no terminal."""
    try:
        return termios.tcgetattr(terminal)
    except (termios.error, OSError, ValueError):
        return None


def size_of(terminal: int) -> bytes | None:
    """Rows and columns in the form in which the kernel takes them."""
    try:
        size = fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(_SIZE.size))
    except OSError:
        return None
    return size if any(_SIZE.unpack(size)) else None


def resize(terminal: int, size: bytes | None) -> None:
    if size is not None:
        with contextlib.suppress(OSError):
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
