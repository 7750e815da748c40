"""A real terminal with a program of ours on it: what is typed, when, and what is seen. Waits are bounded."""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

if sys.platform == "win32":
    raise ImportError("needs POSIX terminals")

PATIENCE = 30.0


def _controlling_terminal() -> None:
    """In the child: a session of its own whose terminal is ours, so that Ctrl-C arrives as it does for a person."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """One program. `rows` and `columns` of 0 are a window whose size nobody knows."""

    def __init__(
        self, words: list[str], cwd: Path, env: Mapping[str, str], window: tuple[int, int] = (0, 0), typed: bytes = b""
    ) -> None:
        """`words` are what Python gets: `-m pisces` and so on."""
        import fcntl
        import termios

        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *window, 0, 0))
        if typed:
            os.write(self._master, typed)
        self._process = subprocess.Popen(
            [sys.executable, *words],
            cwd=cwd,
            env=dict(env),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            preexec_fn=_controlling_terminal,
        )
        os.close(slave)
        self._shown = b""

    def __del__(self) -> None:
        """A test that fails leaves no program behind, which would be the failure of the next one."""
        process = getattr(self, "_process", None)
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()

    @property
    def shown(self) -> str:
        return self._shown.decode("utf-8", "replace")

    def wait_for(self, text: str, times: int = 1) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.shown.count(text) < times:
            assert time.monotonic() < deadline, f"{text!r} never came:\n{self.shown}"
            assert self._read(), f"it ended before {text!r}:\n{self.shown}"

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def end(self) -> int:
        """Reads to the end and gives the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read():
            if time.monotonic() > deadline:
                self._process.kill()
                break
        os.close(self._master)
        return self._process.wait(timeout=PATIENCE)

    def _read(self) -> bool:
        """Whether there may be more."""
        ready, _, _ = select.select([self._master], [], [], 0.1)
        if not ready:
            return self._process.poll() is None
        try:
            more = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            return False
        self._shown += more
        return bool(more)
