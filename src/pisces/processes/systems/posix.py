"""A program on Linux and macOS: a session of its own, one poll loop over its pipes, and an end for all of it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
from time import monotonic, sleep

from pisces.processes.end_signals import Deferred
from pisces.processes.launch import ERR, OUT, TOO_MANY_PROCESSES, TOO_MUCH_OUTPUT, not_started
from pisces.processes.systems import members
from pisces.processes.systems.spawn import child_on_pipes, ended_of, limit_child
from pisces.processes.systems.watch import LINGER, TICK, Watch, end_all, end_group, has_ended, reap, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

    from pisces.processes.launch import Ended, Launch, Sink, Stopped

_CHUNK = 1 << 18
_PIPE = 1 << 20
_TRICKLE = (1 << 12, 1 << 16)  # a program that writes steadily in small portions: they are gathered for so long
_GATHER = 0.0002
_EAGER = 0.002  # seconds between two looks where nothing but looking tells that the program ended


def followed(launch: Launch, sink: Sink, is_stopped: Stopped) -> Ended:
    started = monotonic()
    tasks = members.tasks()
    mark = members.new_mark()
    with Deferred() as signals:  # Ctrl-C right after the start would leave the program alone
        try:
            child = child_on_pipes(launch, mark)
        except (OSError, ValueError) as error:
            return not_started(error)
        running = _Running(child, launch, Watch(child.pid, mark, launch.limits, tasks))
        try:
            signals.release()
            running.follow(sink, is_stopped)
        finally:
            running.close()
    return ended_of(child, running.reason, monotonic() - started)


class _Running:
    """A child with its pipes, open until `close`. It is over when it has ended and nobody holds its pipes any more."""

    def __init__(self, child: subprocess.Popen[bytes], launch: Launch, watch: Watch) -> None:
        self.child = child
        self.watch = watch
        self.room = launch.limits.output or -1
        self.reason = ""
        self.kill_at = 0.0  # set once it was asked to end
        self.linger_until = 0.0  # set once it has ended
        self.unwritten = memoryview(launch.stdin or b"")
        self.poll = select.poll()
        self.pipes: dict[int, str] = {}
        self.exit = -1  # becomes readable when the program ends, where the system has such a thing
        self.is_cleared = False
        self.came = 0  # bytes since the last wait
        self.is_roomy = False  # the pipes hold so much that the program need not wait for us

    def follow(self, sink: Sink, is_stopped: Stopped) -> None:
        limit_child(self.child.pid, self.watch.limits)
        self._register()
        next_look = monotonic() + TICK
        while not self._is_over():
            self.came = 0
            for handle, _event in self.poll.poll(self._patience(next_look) * 1000):
                self._serve(handle, sink)
            if _TRICKLE[0] <= self.came < _TRICKLE[1] and self.is_roomy:
                sleep(_GATHER)
            now = monotonic()
            if now >= next_look:
                self._look(now, is_stopped)
                next_look = now + TICK
        self._finish(sink)

    def close(self) -> None:
        """Nothing is left to do after a normal end; after an exception, everything."""
        try:
            if not self.is_cleared:
                end_all(self.watch)
        finally:
            self._forget_exit()
            for pipe in (self.child.stdin, self.child.stdout, self.child.stderr):
                if pipe is not None:
                    pipe.close()
            reap(self.child)

    def _register(self) -> None:
        for pipe, name in ((self.child.stdout, OUT), (self.child.stderr, ERR)):
            if pipe is not None:
                self.is_roomy = _enlarge(pipe.fileno())
                os.set_blocking(pipe.fileno(), False)
                self.pipes[pipe.fileno()] = name
                self.poll.register(pipe.fileno(), select.POLLIN)
        if self.child.stdin is not None:
            os.set_blocking(self.child.stdin.fileno(), False)
            self.poll.register(self.child.stdin.fileno(), select.POLLOUT)
        with contextlib.suppress(AttributeError, OSError):  # not Linux
            self.exit = os.pidfd_open(self.child.pid)
            self.poll.register(self.exit, select.POLLIN)

    def _is_over(self) -> bool:
        now = monotonic()
        if self.kill_at and now >= self.kill_at:
            return True
        if not self.linger_until and self.exit < 0 and has_ended(self.child):
            self._note_exit()
        return bool(self.linger_until) and (not self.pipes or now >= self.linger_until)

    def _patience(self, next_look: float) -> float:
        if self.exit < 0 and not self.linger_until:
            return _EAGER if not self.pipes else TICK
        return max(0.0, next_look - monotonic())

    def _look(self, now: float, is_stopped: Stopped) -> None:
        if not self.reason and not self.linger_until:
            reason = self.watch.reason(now, is_stopped)
            if reason:
                self._end(reason)

    def _end(self, reason: str) -> None:
        self.reason = reason
        self.kill_at = monotonic() + self.watch.limits.grace
        if reason == TOO_MANY_PROCESSES:  # no grace: it would go on forking
            self.watch.kill()
        else:
            self.watch.ask()

    def _serve(self, handle: int, sink: Sink) -> None:
        if handle in self.pipes:
            self._read(handle, sink)
        elif handle == self.exit:
            self._note_exit()
        else:
            self._write()

    def _note_exit(self) -> None:
        self._forget_exit()
        self.linger_until = monotonic() + LINGER

    def _forget_exit(self) -> None:
        if self.exit >= 0:
            with contextlib.suppress(KeyError):
                self.poll.unregister(self.exit)
            os.close(self.exit)
            self.exit = -1

    def _read(self, handle: int, sink: Sink) -> bool:
        """Whether there may be more."""
        try:
            chunk = os.read(handle, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self.poll.unregister(handle)
            del self.pipes[handle]
            return False
        self.came += len(chunk)
        kept = self._in_room(chunk)
        if kept:
            sink(self.pipes[handle], kept)
        return True

    def _in_room(self, chunk: bytes) -> bytes:
        if self.room < 0:
            return chunk
        kept = chunk[: self.room]
        self.room -= len(kept)
        if len(kept) < len(chunk) and not self.reason:
            self._end(TOO_MUCH_OUTPUT)
        return kept

    def _write(self) -> None:
        stdin = self.child.stdin
        if stdin is None:
            return
        try:
            self.unwritten = self.unwritten[os.write(stdin.fileno(), self.unwritten) :]
        except BlockingIOError:
            return
        except OSError:  # the program does not read it
            self.unwritten = self.unwritten[:0]
        if not self.unwritten:
            self.poll.unregister(stdin.fileno())
            stdin.close()
            self.child.stdin = None

    def _finish(self, sink: Sink) -> None:
        """What is left is ended; what it wrote before that is still passed on."""
        self._clear_away()
        for handle in list(self.pipes):
            for _ in range(2 * _PIPE // _CHUNK):
                if not self._read(handle, sink):
                    break

    def _clear_away(self) -> None:
        if self.reason:
            wait_until(self.watch.is_empty, self.kill_at)
            self.watch.kill()
        elif self.pipes:  # somebody holds them though the program has ended
            end_all(self.watch)
        else:
            end_group(self.child)
        self.is_cleared = True


def _enlarge(pipe: int) -> bool:
    """A larger pipe means fewer changes between writer and reader."""
    if not hasattr(fcntl, "F_SETPIPE_SZ"):
        return False
    try:
        return fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE) >= _PIPE
    except OSError:  # above what the system allows
        return False
