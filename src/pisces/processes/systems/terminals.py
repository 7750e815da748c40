"""The system's calls for terminals: a new pair, modes, size, which one a session belongs to. Windows has none."""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress

with suppress(ImportError):  # not on Windows
    import fcntl
    import termios
    import tty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.processes.launch import Terminal

_SIZE = struct.Struct("HHHH")


def terminal_pair(terminal: Terminal) -> tuple[int, int]:
    """Our end of a new terminal and the program's. OSError where the system has no more of them."""
    if sys.platform == "win32":
        raise OSError("there are no pseudoterminals on this system")
    ours, theirs = os.openpty()
    if terminal.modes is not None:
        set_modes(theirs, terminal.modes)
    set_size(theirs, (terminal.rows, terminal.columns))
    return ours, theirs


def make_own(terminal: int) -> None:
    """In the child, which leads its session: Ctrl-C on this terminal then reaches it. One system call."""
    if sys.platform != "win32":
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def modes_of(terminal: int) -> list[Any] | None:
    """None where it is no terminal."""
    if sys.platform == "win32":
        return None
    try:
        return termios.tcgetattr(terminal)
    except (termios.error, OSError, ValueError):
        return None


def set_modes(terminal: int, modes: list[Any]) -> None:
    if sys.platform != "win32":
        with suppress(termios.error):  # it went away
            termios.tcsetattr(terminal, termios.TCSANOW, modes)


def make_raw(terminal: int) -> None:
    if sys.platform != "win32":
        with suppress(termios.error):
            tty.setraw(terminal, termios.TCSANOW)


def size_of(terminal: int) -> tuple[int, int] | None:
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
