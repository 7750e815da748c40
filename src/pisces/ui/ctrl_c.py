"""Hears every Ctrl-C while somebody is asked at a terminal.

Python notes a signal and acts on it between two of its own instructions. A Ctrl-C that comes after the last of them and
before `read` begins would be noted, and `read` would wait on. So nothing reads before input is there, and whoever waits
for it waits for the note of a signal as well.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self


class CtrlC:
    """Until the end of the block, Ctrl-C raises KeyboardInterrupt, also where a loop of asyncio has its own handler.

    In other threads than the main one, and on Windows, nothing changes: Python takes no signals there, or `read` hears
    of them itself.
    """

    def __init__(self) -> None:
        self._pipe: tuple[int, int] | None = None
        self._earlier_number = -1
        self._earlier: Any = None

    def __enter__(self) -> Self:
        import select  # noqa: F401  # by now, for `wait_for_input`: Python forgets a Ctrl-C that ends an import
        import signal
        import threading

        if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
            return self
        self._pipe = os.pipe()
        for number in self._pipe:
            os.set_blocking(number, False)
        self._earlier_number = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # `nohup` stays
            self._earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
        return self

    def __exit__(self, *_error: object) -> None:
        import signal

        if self._pipe is None:
            return
        if self._earlier is not None:
            signal.signal(signal.SIGINT, self._earlier)
        signal.set_wakeup_fd(self._earlier_number)
        for number in self._pipe:
            os.close(number)

    def wait_for_input(self, number: int) -> None:
        """Returns when the terminal has a line, a key or its end."""
        import select

        if self._pipe is None:
            return
        heard = self._pipe[0]
        while number not in select.select([number, heard], [], [])[0]:
            with suppress(BlockingIOError):
                os.read(heard, 512)
