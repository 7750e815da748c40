"""Runs one program to its end: an argument list, never a shell, and nothing of it stays behind.

The program leads a session of its own. When it runs out of time, writes or forks too much, is stopped, or when whoever
reads its output fails, all of its session is ended: SIGTERM, some grace, SIGKILL. Memory does not grow with output.
"""

from __future__ import annotations

import sys

from pisces.processes.launch import (
    ERR,
    OUT,
    STOPPED,
    TIMEOUT,
    TOO_MANY_PROCESSES,
    TOO_MUCH_OUTPUT,
    Ended,
    Launch,
    Limits,
    never,
)

if sys.platform == "win32":
    from pisces.processes.systems.windows import followed
else:
    from pisces.processes.systems.posix import followed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Sink, Stopped

__all__ = [
    "ERR",
    "OUT",
    "STOPPED",
    "TIMEOUT",
    "TOO_MANY_PROCESSES",
    "TOO_MUCH_OUTPUT",
    "Ended",
    "Launch",
    "Limits",
    "captured",
    "never",
    "run",
]


def run(launch: Launch, sink: Sink, is_stopped: Stopped = never) -> Ended:
    """`sink` gets `("out" | "err", bytes)` as they come; what it raises ends the program and is raised again."""
    return followed(launch, sink, is_stopped)


def captured(launch: Launch, is_stopped: Stopped = never) -> tuple[bytes, bytes, Ended]:
    """All that the program wrote. Set `limits.output`: this is kept in memory."""
    kept: dict[str, list[bytes]] = {OUT: [], ERR: []}
    ended = run(launch, lambda name, chunk: kept[name].append(chunk), is_stopped)
    return b"".join(kept[OUT]), b"".join(kept[ERR]), ended
