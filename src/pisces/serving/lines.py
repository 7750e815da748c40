"""The two ends of a pipe, in threads of their own: the event loop never waits for a client.

A client that does not read what it is sent is not read from either, so that it costs a bounded amount of memory.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator

from pisces.serving.stdio import write_all

CHUNK = 1 << 20
MOST_UNSENT = 64 * 1024 * 1024  # bytes


def lines_in(read: Callable[[], bytes], most: int, first: bytes = b"") -> Iterator[bytes]:
    """The lines that `read` returns bit by bit until it returns nothing; `first` was read before.

    A line of more than `most` bytes is cut, but stays longer than that, so that the caller can say so.
    """
    pending, searched = bytearray(first), 0
    while True:
        while (end := pending.find(b"\n", searched)) >= 0:
            yield bytes(memoryview(pending)[: end + 1])
            del pending[: end + 1]
            searched = 0
        del pending[most + 1 :]  # the rest of a line that is too long already
        searched = len(pending)
        data = read()
        if not data:
            break
        pending += data
    if pending:
        yield bytes(pending)


class LineWriter:
    """`lost` is called once, in the writer's thread, when nobody reads any more."""

    def __init__(self, output: int, lost: Callable[[], object]) -> None:
        self._output, self._lost = output, lost
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._unsent = 0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="pisces: to the client", daemon=True)
        self._thread.start()

    def send(self, line: bytes) -> None:
        with self._changed:
            self._unsent += len(line)
        self._lines.put(line)

    def wait_for_room(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._unsent <= MOST_UNSENT)

    def end(self, seconds: float) -> None:
        """Gives the client a moment to read what is left."""
        self._lines.put(b"")
        self._thread.join(seconds)

    def _work(self) -> None:
        is_lost = False
        while line := self._lines.get():
            try:
                if not is_lost:
                    write_all(self._output, line)
            except OSError:
                is_lost = True
                self._lost()
            with self._changed:
                self._unsent -= len(line)
                self._changed.notify_all()


def read_lines(input: int, first: bytes, most: int, take: Callable[[bytes], object], writer: LineWriter) -> None:
    """Starts a thread that hands each line to `take`, and an empty one at the end."""

    def read() -> bytes:
        try:
            return os.read(input, CHUNK)
        except OSError:  # the other end is gone
            return b""

    def work() -> None:
        for line in lines_in(read, most, first):
            writer.wait_for_room()
            take(line)
        take(b"")

    threading.Thread(target=work, name="pisces: from the client", daemon=True).start()
