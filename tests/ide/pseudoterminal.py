"""A program on a terminal of its own, with somebody at the keys; what it draws is collected as bytes."""

from __future__ import annotations

import os
import struct
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

fcntl, pty, termios = (
    pytest.importorskip(name, reason="needs POSIX terminals") for name in ("fcntl", "pty", "termios")
)

_SECONDS = 20.0
_LINES, _COLUMNS = 50, 160


class Pseudoterminal:
    def __init__(self, command: list[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._keyboard, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**env, "TERM": "vt220"},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # editors open /dev/tty
        )
        os.close(inner)
        self.output = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def keys(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def wait(self) -> None:
        self.process.wait(_SECONDS)

    def end(self) -> None:
        """As a crash ends it."""
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        self._reader.join(_SECONDS)
        os.close(self._keyboard)

    def _read(self) -> None:
        try:
            while drawn := os.read(self._keyboard, 65536):
                self.output += drawn
        except OSError:  # the other end is closed
            return
