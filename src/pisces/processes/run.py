"""Runs one program to its end and waits for it: an argument list, never a shell, and nothing of it stays behind.

The program leads a session of its own. When it runs out of time, writes or forks too much, is stopped, or when whoever
reads its output fails, all of its session is ended: SIGTERM, some grace, SIGKILL. Memory does not grow with output.
`process` has the same for asyncio; this one is for the shell command, where an event loop would cost too much.
"""

from __future__ import annotations

import sys
from contextlib import closing
from time import sleep

from pisces.processes.ended import Ended, not_started
from pisces.processes.launch import ERR, OUT, never

if sys.platform == "win32":
    from pisces.processes.systems.windows import ThreadedRunning as Running
else:
    from pisces.processes.systems.posix import PolledRunning as Running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from pisces.processes.launch import Launch, Sink, Stopped

_TRICKLE = (1 << 12, 1 << 16)  # a program that writes steadily in small portions: they are gathered for so long
_GATHER = 0.0002


def run(launch: Launch, sink: Sink, is_stopped: Stopped = never) -> Ended:
    """`sink` gets `("out" | "err", bytes)` as they come; what it raises ends the program and is raised again."""
    program = Followed(launch, is_stopped)
    with closing(program.chunks()) as chunks:
        for name, chunk in chunks:
            sink(name, chunk)
    return program.ended


def captured(launch: Launch, is_stopped: Stopped = never) -> tuple[bytes, bytes, Ended]:
    """All that the program wrote. Set `limits.output`: this stays in memory."""
    written: dict[str, list[bytes]] = {OUT: [], ERR: []}
    ended = run(launch, lambda name, chunk: written[name].append(chunk), is_stopped)
    return b"".join(written[OUT]), b"".join(written[ERR]), ended


class Followed:
    """A program that starts with the first of its `chunks`. Closing that generator ends it; `ended` says how."""

    system = Running

    def __init__(self, launch: Launch, is_stopped: Stopped = never) -> None:
        self._launch = launch
        self._is_stopped = is_stopped
        self.ended = Ended(None)

    def chunks(self) -> Generator[tuple[str, bytes]]:
        came: list[tuple[str, bytes]] = []
        try:
            running = self.system(self._launch, lambda name, chunk: came.append((name, chunk)))
        except (OSError, ValueError) as error:
            self.ended = not_started(error)
            return
        with closing(running):
            while not running.is_over():
                running.came = 0
                running.step(running.patience)
                if _TRICKLE[0] <= running.came < _TRICKLE[1] and running.is_roomy:
                    sleep(_GATHER)
                if running.must_be_asked(self._is_stopped):
                    running.child.ask()
                yield from came
                came.clear()
            if not running.leave():
                running.clear()
            running.drain()
            yield from came
        self.ended = running.child.ended(running.watch.reason)
