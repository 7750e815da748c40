"""One worker: a program that stays alive, with its pipes. It answers one call after the other, within limits.

Whatever it does wrong ends it: the next call gets a fresh one. Nothing of it stays behind, whichever way it ends.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
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
from pisces.processes.end_signals import Deferred
from pisces.processes.launch import TOO_MUCH_OUTPUT, Ended, Limits
from pisces.processes.systems import members
from pisces.processes.systems.spawn import child_on_pipes, limit_child
from pisces.processes.systems.watch import LINGER, TICK, Watch, end_all, has_ended, reap, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Launch, Sink, Stopped

START_SECONDS = 10.0
_CHUNK = 1 << 16
_KEPT_COMPLAINTS = 4096
_MOST_CHUNKS = 64
_A_PIPE = b"-"  # any `stdin` that is not empty means that there is a pipe; nobody writes this
_LAST_WISH = Limits(grace=LINGER)


class _Turn:
    """One call: tells when it has to end, asks the worker to give it up, and when even the grace for that is over."""

    def __init__(self, watch: Watch, is_stopped: Stopped) -> None:
        self.watch = watch
        self.is_stopped = is_stopped
        self.room = watch.limits.output or -1
        self.reason = ""
        self.kill_at = 0.0
        self.next_look = monotonic() + TICK

    def look(self) -> None:
        now = monotonic()
        if not self.reason and now >= self.next_look:
            self.next_look = now + TICK
            self.give_up(self.watch.reason(now, self.is_stopped))

    def give_up(self, reason: str) -> None:
        if reason and not self.reason:
            self.reason = reason
            self.kill_at = monotonic() + self.watch.limits.grace

    def in_room(self, data: bytes) -> bytes:
        if self.reason or self.room < 0:
            return b"" if self.reason else data
        kept = data[: self.room]
        self.room -= len(kept)
        if len(kept) < len(data):
            self.give_up(TOO_MUCH_OUTPUT)
        return kept


class Worker:
    """`is_usable` after a call that was answered to the end."""

    def __init__(self, launch: Launch) -> None:
        """`OSError` or `ValueError` where the program cannot be started."""
        self._mark = members.new_mark()
        self._tasks = members.tasks()
        with Deferred():  # Ctrl-C must not come between the start and knowing the child
            self._child = child_on_pipes(launch.replace(stdin=_A_PIPE, merged=False), self._mark)
        limit_child(self._child.pid, launch.limits)
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe is not None)
        self._poll = select.poll()
        for handle in (self._in, self._out, self._err):
            os.set_blocking(handle, False)
        for handle in (self._out, self._err):
            self._poll.register(handle, select.POLLIN)
        self._lines: deque[bytes] = deque()
        self._partial = self._unwritten = self._complaints = b""
        self._number = 0
        self.is_usable = False

    @property
    def is_alive(self) -> bool:
        return not has_ended(self._child)

    @property
    def complaints(self) -> str:
        """The last of what it wrote to stderr and nobody has asked for."""
        return self._complaints.decode("utf-8", "replace").strip()

    def ask(self, words: tuple[str, ...], limits: Limits, sink: Sink, is_stopped: Stopped) -> Ended:
        """`Broken` where the worker is; what `sink` raises is raised again, and leaves the worker not usable."""
        started = monotonic()
        self.is_usable = False
        turn = _Turn(self._watch(limits), is_stopped)
        if self._number or self._is_ready(turn):
            self._number += 1
            self._send(request_line(self._number, words))
            code = self._answered(turn, sink)
        else:
            code = None
        self.is_usable = code is not None and not self._lines and not self._partial
        return Ended(code, "", turn.reason, monotonic() - started)

    def end(self) -> None:
        """A worker that is idle leaves when its input ends; any other is asked, given some grace, and killed."""
        watch = self._watch()
        try:
            if self.is_usable:
                self._close_input()
                wait_until(lambda: not self.is_alive, monotonic() + LINGER)
                wait_until(watch.is_empty, monotonic() + TICK)
            if not watch.is_empty():
                end_all(watch)
        finally:
            self._close_input()
            for pipe in (self._child.stdout, self._child.stderr):
                if pipe is not None:
                    pipe.close()
            reap(self._child)

    def _watch(self, limits: Limits | None = None) -> Watch:
        return Watch(self._child.pid, self._mark, limits or _LAST_WISH, self._tasks)

    def _is_ready(self, turn: _Turn) -> bool:
        """Not where the call was given up meanwhile."""
        deadline = monotonic() + START_SECONDS
        while not self._lines:
            if turn.reason:
                return False
            if monotonic() > deadline:
                raise Broken(WORKER_NOT_READY, f"it did not say within {START_SECONDS:g} seconds that it is ready")
            self._exchange(turn, "before it was ready")
        expect_ready(self._lines.popleft())
        return True

    def _answered(self, turn: _Turn, sink: Sink) -> int | None:
        """The exit code; None where the call was given up and the worker did not obey in time."""
        is_told = False
        while True:
            while self._lines:
                reply = reply_of(self._lines.popleft(), self._number)
                if reply.kind == EXIT:
                    return reply.code
                if data := turn.in_room(reply.data):
                    sink(reply.kind, data)
            if turn.reason and not is_told:
                is_told = True
                self._send(cancel_line(self._number))
            if turn.reason and monotonic() >= turn.kill_at:
                return None
            self._exchange(turn, "during the call")

    def _exchange(self, turn: _Turn, when: str) -> None:
        """Reads and writes what can be, for a moment at most."""
        patience = max(0.0, turn.next_look - monotonic()) if not turn.reason else TICK
        for handle, _event in self._poll.poll(patience * 1000):
            if handle == self._in:
                self._write()
            elif handle == self._err:
                self._hear_complaints()
            else:
                self._read(when)
        turn.look()

    def _read(self, when: str) -> None:
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            raise Broken(WORKER_ENDED, f"the worker ended {when}{self._manner()}")
        *complete, self._partial = (self._partial + chunk).split(b"\n")
        self._lines.extend(complete)
        if len(self._partial) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in complete):
            raise Broken(WORKER_NONSENSE, f"a line has more than {LONGEST_LINE:,} bytes")

    def _hear_complaints(self) -> None:
        try:
            chunk = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return
        self._complaints = (self._complaints + chunk)[-_KEPT_COMPLAINTS:]
        if not chunk:
            self._poll.unregister(self._err)

    def _send(self, line: bytes) -> None:
        self._unwritten += line
        self._poll.register(self._in, select.POLLOUT)

    def _write(self) -> None:
        try:
            self._unwritten = self._unwritten[os.write(self._in, self._unwritten) :]
        except BlockingIOError:
            return
        except OSError:  # it has gone: its output tells
            self._unwritten = b""
        if not self._unwritten:
            self._poll.unregister(self._in)

    def _close_input(self) -> None:
        if self._child.stdin is not None:
            with contextlib.suppress(OSError):
                self._child.stdin.close()

    def _manner(self) -> str:
        """How it went: its output is closed, so it has ended or is about to. It stays a zombie until `end`."""
        wait_until(lambda: not self.is_alive, monotonic() + LINGER)
        status = os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is None:
            return ": it closed its output"
        self._hear_the_rest()
        if status.si_code == os.CLD_EXITED:
            return f" with exit code {status.si_status}"
        return f", killed by {signal.Signals(status.si_status).name}"

    def _hear_the_rest(self) -> None:
        for _ in range(_MOST_CHUNKS):
            try:
                chunk = os.read(self._err, _CHUNK)
            except BlockingIOError:  # a child of it still holds the pipe
                return
            self._complaints = (self._complaints + chunk)[-_KEPT_COMPLAINTS:]
            if not chunk:
                return
