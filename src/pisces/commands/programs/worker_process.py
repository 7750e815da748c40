"""One worker: a program that stays alive, with its pipes. It answers one call after the other, within limits.

Whatever it does wrong ends it: the next call gets a fresh one. Nothing of it stays behind, whichever way it ends.
"""

from __future__ import annotations

from collections import deque
from time import monotonic

from pisces.commands.programs.worker_messages import (
    EXIT,
    LONGEST_LINE,
    WORKER_ENDED,
    WORKER_NONSENSE,
    WORKER_NOT_READY,
    Broken,
    cancel_line,
    expect_ready,
    reply_of,
    request_line,
)
from pisces.processes.ended import Ended
from pisces.processes.launch import OPEN, OUT, never
from pisces.processes.lines import Lines
from pisces.processes.systems.child import signal_name
from pisces.processes.systems.posix import PolledRunning
from pisces.processes.systems.watch import LINGER, TICK, Watch, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Launch, Limits, Sink, Stopped

START_SECONDS = 10.0
_MOST_COMPLAINTS = 4096


class Worker:
    """`is_usable` after a call that was answered to the end. OSError or ValueError where it cannot be started."""

    def __init__(self, launch: Launch) -> None:
        limits = launch.limits.replace(seconds=0, output=0, grace=LINGER)  # of its whole life: calls have their own
        self._running = PolledRunning(launch.replace(stdin=OPEN, merged=False, limits=limits), self._hear)
        self._watch, self._is_stopped = self._running.watch, never
        self._partial = Lines()
        self._lines: deque[bytes] = deque()
        self._complaints = b""
        self._number = 0
        self.is_usable = False

    @property
    def is_alive(self) -> bool:
        return self._running.child.exit_status() is None

    @property
    def complaints(self) -> str:
        """The last of what it wrote to stderr and nobody has asked for."""
        return self._complaints.decode("utf-8", "replace").strip()

    def ask(self, words: tuple[str, ...], limits: Limits, sink: Sink, is_stopped: Stopped) -> Ended:
        """`Broken` where the worker is; what `sink` raises is raised again, and leaves the worker not usable."""
        started = monotonic()
        self.is_usable = False
        self._watch, self._is_stopped = Watch(limits, self._running.child.is_crowded), is_stopped
        code = None
        if self._number or self._is_ready():
            self._number += 1
            self._running.write(request_line(self._number, words))
            code = self._answered(sink)
        self.is_usable = code is not None and not self._lines and not self._partial.length
        return Ended(code, "", self._watch.reason, monotonic() - started)

    def end(self) -> None:
        """A worker that is idle leaves when its input ends; any other is asked, given some grace, and killed."""
        try:
            if self.is_usable:
                self._running.close_input()
                wait_until(lambda: not self.is_alive, monotonic() + LINGER)
                wait_until(self._running.child.is_empty, monotonic() + TICK)
        finally:
            self._running.close()

    def _is_ready(self) -> bool:
        """Not where the call was given up meanwhile."""
        deadline = monotonic() + START_SECONDS
        while not self._lines:
            if self._watch.reason:
                return False
            if monotonic() > deadline:
                raise Broken(WORKER_NOT_READY, f"it did not say within {START_SECONDS:g} seconds that it is ready")
            self._exchange("before it was ready")
        expect_ready(self._lines.popleft())
        return True

    def _answered(self, sink: Sink) -> int | None:
        """The exit code; None where the call was given up and the worker did not obey in time."""
        watch = self._watch
        is_cancelled = False
        while True:
            while self._lines:
                reply = reply_of(self._lines.popleft(), self._number)
                if reply.kind == EXIT:
                    return reply.code
                data = b"" if watch.reason else watch.in_room(reply.data)
                if data:
                    sink(reply.kind, data)
            if watch.reason and not is_cancelled:
                is_cancelled = True
                self._running.write(cancel_line(self._number))
            if watch.is_grace_over:
                return None
            self._exchange("during the call")

    def _exchange(self, when: str) -> None:
        """Reads and writes what can be, for a moment at most."""
        self._running.step(TICK if self._watch.reason else self._watch.patience)
        self._watch.check(self._is_stopped)
        if not self._lines and OUT not in self._running.outputs.values():
            raise Broken(WORKER_ENDED, f"the worker ended {when}{self._manner()}")

    def _hear(self, name: str, chunk: bytes) -> None:
        if name != OUT:
            self._complaints = (self._complaints + chunk)[-_MOST_COMPLAINTS:]
            return
        lines = self._partial.ended(chunk)
        self._lines.extend(lines)
        if max(self._partial.length, *map(len, lines), 0) > LONGEST_LINE:
            raise Broken(WORKER_NONSENSE, f"a line has more than {LONGEST_LINE:,} bytes")

    def _manner(self) -> str:
        """How it went: its output is closed, so it has ended or is about to."""
        wait_until(lambda: not self.is_alive, monotonic() + LINGER)
        status = self._running.child.exit_status()
        if status is None:
            return ": it closed its output"
        self._running.drain()
        return f" with exit code {status}" if status >= 0 else f", killed by {signal_name(-status)}"
