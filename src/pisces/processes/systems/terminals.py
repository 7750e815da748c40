"""Terminals: a new pair for a program, and the user's own, which is raw while a program has it and always given back.

Windows has none of this: there is no new pair, and the user's is left alone.
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress

from pisces.processes.launch import Terminal

with suppress(ImportError):  # not on Windows
    import fcntl
    import termios
    import tty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

_SIZE = struct.Struct("HHHH")


class UserTerminal:
    """`keyboard` and `screen` are descriptors. A keyboard that is no terminal is left alone. `note` gets each chunk of
    the program's output before it is shown. Without `may_read`, nobody knows whether the program reads at all: keys are
    left to whoever comes after it until it seems to wait for them.

    Whoever takes signals gives it back before SIGSTOP and takes it again after SIGCONT.
    """

    def __init__(
        self,
        keyboard: int = 0,
        screen: int = 1,
        note: Callable[[bytes], object] | None = None,
        *,
        may_read: bool = True,
    ) -> None:
        self.keyboard = keyboard
        self.screen = screen
        self.note = note
        self.may_read = may_read
        self._modes = _modes_of(keyboard)

    def __enter__(self) -> Self:
        if self.may_read:
            self.take()
        return self

    def __exit__(self, *_error: object) -> None:
        self.give_back()

    @property
    def has_person(self) -> bool:
        return self._modes is not None

    @property
    def size(self) -> tuple[int, int] | None:
        return _size_of(self.screen) or _size_of(self.keyboard)

    @property
    def likeness(self) -> Terminal:
        """A terminal like this one: its size, and what its keys mean."""
        rows, columns = self.size or (24, 80)
        return Terminal(rows, columns, self._modes)

    def take(self) -> None:
        if self._modes is not None:
            _make_raw(self.keyboard)

    def give_back(self) -> None:
        if self._modes is not None:
            _set_modes(self.keyboard, self._modes)


def terminal_pair(terminal: Terminal) -> tuple[int, int]:
    """Our end of a new terminal and the program's. OSError where the system has no more of them."""
    if sys.platform == "win32":
        raise OSError("there are no pseudoterminals on this system")
    ours, theirs = os.openpty()
    if terminal.modes is not None:
        _set_modes(theirs, terminal.modes)
    set_size(theirs, (terminal.rows, terminal.columns))
    return ours, theirs


def make_own(terminal: int) -> None:
    """In the child, which leads its session: Ctrl-C on this terminal then reaches it. One system call."""
    if sys.platform != "win32":
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def _modes_of(terminal: int) -> list[Any] | None:
    """None where it is no terminal."""
    if sys.platform == "win32":
        return None
    try:
        return termios.tcgetattr(terminal)
    except (termios.error, OSError, ValueError):
        return None


def _set_modes(terminal: int, modes: list[Any]) -> None:
    if sys.platform != "win32":
        with suppress(termios.error):  # it went away
            termios.tcsetattr(terminal, termios.TCSANOW, modes)


def _make_raw(terminal: int) -> None:
    if sys.platform != "win32":
        with suppress(termios.error):
            tty.setraw(terminal, termios.TCSANOW)


def _size_of(terminal: int) -> tuple[int, int] | None:
    """Rows and columns; None where it is no terminal or has no size."""
    if sys.platform == "win32":
        return None
    try:
        rows, columns, _, _ = _SIZE.unpack(fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(_SIZE.size)))
    except OSError:
        return None
    return (rows, columns) if rows or columns else None


def set_size(terminal: int, size: tuple[int, int]) -> None:
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, _SIZE.pack(*size, 0, 0))
