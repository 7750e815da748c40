"""The two ends of a plugin's pipes, so that neither signals nor a busy plugin have to wait.

Threads read and write. The main thread, where signals arrive, never blocks for long: a signal that comes just before
a blocking read would be noticed only when the next line arrives.
"""

from __future__ import annotations

import os
import queue
import sys
import threading

from pisces.serving.lines import CHUNK, lines_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOK_UP = 0.5  # seconds
_LAST_WORDS = 1.0  # seconds
_MOST_AHEAD = 1000  # lines that are read before those ahead of them are obeyed


def input_lines(most: int) -> Iterator[bytes]:
    """The lines of standard input, until it ends or until the process that started us is gone.

    A line of more than `most` bytes is cut, but stays longer than that, so that the caller can say so.
    An editor that crashed may have left our input open in a shell that it had started.
    """
    lines: queue.Queue[bytes] = queue.Queue(_MOST_AHEAD)
    parent = os.getppid()
    threading.Thread(target=_read, args=(lines, most), name="pisces-input", daemon=True).start()
    while os.name == "nt" or os.getppid() == parent:  # on Windows a process keeps the parent that it had
        try:
            line = lines.get(timeout=_LOOK_UP)
        except queue.Empty:
            continue
        if not line:
            return
        yield line
        del line  # a diff may be many megabytes, and the next line may be hours away


def _read(lines: queue.Queue[bytes], most: int) -> None:
    """Past Python's buffer, which the interpreter could not close at the end while a thread waits in it."""
    for line in lines_in(lambda: os.read(0, CHUNK), most):
        lines.put(line)
    lines.put(b"")


class OutputLines:
    """Lines for the plugin, written by a thread of their own."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="pisces-output", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        self._lines.put(line)

    def end(self) -> None:
        """Gives the plugin a moment to read what is left."""
        self._lines.put(None)
        self._thread.join(_LAST_WORDS)

    def _work(self) -> None:
        while (line := self._lines.get()) is not None:
            data = line.encode()
            del line
            try:
                sys.stdout.buffer.write(data)
                del data
                sys.stdout.buffer.write(b"\n")
                sys.stdout.buffer.flush()
            except OSError:  # nobody reads any more; the end of our input will follow
                return
