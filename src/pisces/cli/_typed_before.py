"""Throws away what was typed before a question was shown: it is no answer."""

from __future__ import annotations

import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

if sys.platform == "win32":
    import msvcrt

    def flush_typed(_stream: TextIO) -> None:
        while msvcrt.kbhit():
            msvcrt.getwch()

else:
    import termios

    def flush_typed(stream: TextIO) -> None:
        with suppress(termios.error, OSError, ValueError):  # not a terminal any more
            termios.tcflush(stream, termios.TCIFLUSH)
