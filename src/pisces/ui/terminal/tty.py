"""The user's terminal: its size, raw mode, and the modes that are on, which are always taken back.

As few modes as possible are on: bracketed paste, and raw input. Nothing captures the mouse.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TextIO

PASTE_ON = "\x1b[?2004h"
_PASTE_OFF = "\x1b[?2004l"
ALTERNATE = "\x1b[?1049h"
# Erased first: tmux keeps what was cut off when its window got narrower, and adds it to the scrollback.
MAIN = "\x1b[2J\x1b[?1049l"
# What a program of ours that was killed may have left on. `?47l` leaves the alternate screen without moving the cursor.
_AFTER_A_KILL = "\x1b[?47l\x1b[?2026l\x1b[?25h\x1b[0m"
_FALLBACK = (80, 24)
_MOST_TYPED_AHEAD = 64 * 1024
_ESCAPES_SPELLED = {"─": "-", "●": "*", "·": "-", "…": "..."}
_STIFF = ("linux", "rxvt", "cons25")  # terminals that cut long lines when they get narrower


class Tty:
    def __init__(self, out: TextIO, env: Mapping[str, str]) -> None:
        self._number = out.fileno()
        self._encoding = getattr(out, "encoding", None) or "utf-8"
        self._before: list[Any] | None = None
        self.is_gone = False
        term = env.get("TERM", "")
        is_xterm_itself = bool(env.get("XTERM_VERSION"))
        self.reflows = not (term.startswith(_STIFF) or is_xterm_itself or (env.get("STY") and not env.get("TMUX")))

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._number)
        except OSError:
            return _FALLBACK
        return (columns or _FALLBACK[0], rows or _FALLBACK[1])

    def write(self, text: str) -> None:
        """Everything, also to a slow terminal. Writes nothing more once the terminal is gone."""
        data = memoryview(_encoded(text, self._encoding))
        while data and not self.is_gone:
            try:
                data = data[os.write(self._number, data) :]
            except BlockingIOError:
                _wait_for(self._number)
            except OSError:
                self.is_gone = True

    def typed_ahead(self) -> str:
        """What was typed before raw mode was on. Enter was a line end then."""
        if sys.platform == "win32":
            return ""
        import select

        typed = b""
        while len(typed) < _MOST_TYPED_AHEAD and select.select([0], [], [], 0)[0]:
            more = os.read(0, 4096)
            if not more:
                break
            typed += more
        return typed.decode("utf-8", "replace").replace("\n", "\r")

    def take(self) -> None:
        """Raw mode, and what an earlier program left on is switched off."""
        if sys.platform != "win32":
            import termios

            with suppress(termios.error):
                self._before = _sane(termios.tcgetattr(0))
                raw = termios.tcgetattr(0)
                raw[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
                raw[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
                raw[6][termios.VMIN] = 1
                termios.tcsetattr(0, termios.TCSANOW, raw)
        self.write(_AFTER_A_KILL + PASTE_ON)

    def give_back(self) -> None:
        """May be called more than once."""
        self.write(f"{_PASTE_OFF}\x1b[?2026l\x1b[?25h\x1b[0m")
        if sys.platform != "win32" and self._before is not None:
            import termios

            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSANOW, self._before)


def _sane(attributes: list[Any]) -> list[Any]:
    """A terminal without echo and without lines was left so by a program that was killed."""
    import termios

    if sys.platform == "win32" or attributes[3] & (termios.ECHO | termios.ICANON):
        return attributes
    attributes[0] |= termios.ICRNL | termios.IXON
    attributes[1] |= termios.OPOST
    attributes[3] |= termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN
    return attributes


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        for char, plain in _ESCAPES_SPELLED.items():
            text = text.replace(char, plain)
        return text.encode(encoding, "replace")
    except LookupError:
        return text.encode("ascii", "replace")


def _wait_for(number: int) -> None:
    import select

    select.select([], [number], [], 1.0)
