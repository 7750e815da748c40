"""A person at a real terminal: types, reads what appears, changes the window's size. Nothing waits without a bound."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from time import monotonic
from types import TracebackType

PATIENCE = 10.0
RUN = """
import os, sys
from pisces.cli._end_signals import EndSignals, SuspendSignals
from pisces.processes.launch import Launch
from pisces.processes.launch import Limits
from pisces.processes.terminal import UserTerminal, run_in_terminal
limits = Limits(float(sys.argv[1]), int(sys.argv[2]), 256, 0.3)
launch = Launch(tuple(sys.argv[3:]), os.getcwd(), dict(os.environ), limits)
user = UserTerminal()
with EndSignals() as signals, SuspendSignals(user):
    ended = run_in_terminal(launch, user, signals.is_stopped)
print(f"[code {ended.code} signal {ended.signal} reason {ended.reason} failure {ended.failure}]", flush=True)
"""


class Person:
    """Sits at one terminal, where one program runs on a session of its own."""

    master: int
    slave: int
    seen: bytes
    program: subprocess.Popen[bytes]

    def __init__(self, argv: list[str], folder: Path) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        self.master, self.slave = os.openpty()
        self.resize(24, 80)
        self.seen = b""
        env = {**os.environ, "TERM": "xterm-256color", "PS1": "$ ", "HISTFILE": ""}
        self.program = subprocess.Popen(
            argv,
            cwd=folder,
            env=env,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def __enter__(self) -> Person:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.program.pid, signal.SIGKILL)
        self.program.wait()
        for descriptor in (self.master, self.slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def types(self, keys: str) -> None:
        rest = keys.encode()
        while rest:
            rest = rest[os.write(self.master, rest) :]

    def sees(self, pattern: str) -> re.Match[bytes]:
        """What matches in all that appeared since the last match."""
        deadline = monotonic() + PATIENCE
        while not (found := re.search(pattern.encode(), self.seen)):
            assert self._reads(deadline), f"{pattern!r} did not appear: {self.seen!r}"
        self.seen = self.seen[found.end() :]
        return found

    def resize(self, rows: int, columns: int) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def modes(self) -> list[object]:
        if sys.platform == "win32":
            raise NotImplementedError
        return termios.tcgetattr(self.slave)

    def hangs_up(self) -> None:
        os.close(self.slave)
        os.close(self.master)

    def _reads(self, deadline: float) -> bool:
        if not select.select([self.master], [], [], max(0, deadline - monotonic()))[0]:
            return False
        try:
            self.seen += os.read(self.master, 1 << 16)
        except OSError:  # nobody is on the other end any more
            return False
        return True


def at_terminal(folder: Path, *argv: str, seconds: float = 0, output: int = 0) -> Person:
    """Somebody who runs one interactive program through pisces."""
    return Person([sys.executable, "-c", RUN, str(seconds), str(output), *argv], folder)
