"""A program on Windows: a process group of its own, threads that read its pipes, and `taskkill /T` for all of it.

Pipes cannot be polled there. Both queues are short, so a program that writes faster than is read has to wait.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import subprocess
import threading
from time import monotonic

from pisces.processes.launch import ERR, OUT, STOPPED, TIMEOUT, TOO_MUCH_OUTPUT, Ended, never, not_started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from pisces.processes.launch import Launch, Limits, Sink, Stopped

TICK = 0.05
LINGER = 0.5
_CHUNK = 1 << 16
_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_BREAK = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM)


def followed(launch: Launch, sink: Sink, is_stopped: Stopped) -> Ended:
    started = monotonic()
    try:
        child = _started(launch, subprocess.PIPE)
    except (OSError, ValueError) as error:
        return not_started(error)
    running = _Running(child, launch)
    try:
        running.follow(sink, is_stopped)
    finally:
        running.close()
    return Ended(child.wait(), "", running.reason, monotonic() - started)


def run_in_terminal(launch: Launch, is_stopped: Stopped = never, *, keyboard: int = 0, screen: int = 1) -> Ended:
    """On the console that we have ourselves. Output is not limited: it does not pass through here."""
    started = monotonic()
    try:
        child = subprocess.Popen(launch.argv, cwd=launch.cwd, env=dict(launch.env), stdin=keyboard, stdout=screen)
    except (OSError, ValueError) as error:
        return not_started(error)
    reason = ""
    try:
        while not reason and not _has_ended(child):
            reason = _reason(launch.limits, monotonic() - started, is_stopped)
    finally:
        end_tree(child, launch.limits.grace)
    return Ended(child.wait(), "", reason, monotonic() - started)


def end_tree(child: subprocess.Popen[bytes], grace: float) -> None:
    """Asked first, then ended with all that it started. A child of a child that ended already is not found."""
    if child.poll() is not None:
        return
    with contextlib.suppress(OSError, ValueError):
        child.send_signal(_BREAK)
    try:
        child.wait(grace)
    except subprocess.TimeoutExpired:
        command = ["taskkill", "/T", "/F", "/PID", str(child.pid)]
        with contextlib.suppress(OSError):
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        child.kill()


def _started(launch: Launch, output: int) -> subprocess.Popen[bytes]:
    stdin = {None: None, b"": subprocess.DEVNULL}.get(launch.stdin, subprocess.PIPE)
    return subprocess.Popen(
        launch.argv,
        cwd=launch.cwd,
        env=dict(launch.env),
        stdin=stdin,
        stdout=output,
        stderr=subprocess.STDOUT if launch.merged else output,
        bufsize=0,
        creationflags=_OWN_GROUP,
    )


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(TICK)
    return child.returncode is not None


def _reason(limits: Limits, seconds: float, is_stopped: Stopped) -> str:
    if is_stopped():
        return STOPPED
    return TIMEOUT if limits.seconds and seconds >= limits.seconds else ""


class _Running:
    """A child whose pipes are read by threads, until `close`."""

    def __init__(self, child: subprocess.Popen[bytes], launch: Launch) -> None:
        self.child = child
        self.limits = launch.limits
        self.room = launch.limits.output or -1
        self.reason = ""
        self.chunks: queue.Queue[tuple[str, bytes]] = queue.Queue(16)
        self.is_closed = threading.Event()
        pipes = [(pipe, name) for pipe, name in ((child.stdout, OUT), (child.stderr, ERR)) if pipe is not None]
        self.open = len(pipes)
        self.threads = [threading.Thread(target=self._read, args=pipe, daemon=True) for pipe in pipes]
        if child.stdin is not None:
            self.threads.append(threading.Thread(target=_write, args=(child.stdin, launch.stdin), daemon=True))

    def follow(self, sink: Sink, is_stopped: Stopped) -> None:
        for thread in self.threads:
            thread.start()
        started = monotonic()
        ended_at = 0.0
        while self.open and not self.reason and not (ended_at and monotonic() > ended_at + LINGER):
            self._pass_on(sink)
            self.reason = self.reason or _reason(self.limits, monotonic() - started, is_stopped)
            if not ended_at and self.child.poll() is not None:
                ended_at = monotonic()
        while not self.reason and not _has_ended(self.child):
            self.reason = _reason(self.limits, monotonic() - started, is_stopped)

    def close(self) -> None:
        """A thread whose pipe is held by somebody else's child cannot be ended: it is left to wait."""
        self.is_closed.set()
        end_tree(self.child, self.limits.grace)
        for thread in self.threads:
            thread.join(LINGER)

    def _pass_on(self, sink: Sink) -> None:
        try:
            name, chunk = self.chunks.get(timeout=TICK)
        except queue.Empty:
            return
        if not chunk:
            self.open -= 1
            return
        kept = chunk if self.room < 0 else chunk[: self.room]
        self.room -= len(kept) if self.room >= 0 else 0
        if kept:
            sink(name, kept)
        if len(kept) < len(chunk):
            self.reason = TOO_MUCH_OUTPUT

    def _read(self, pipe: IO[bytes], name: str) -> None:
        """To its end, so that the program can end; what nobody wants any more is dropped."""
        with pipe, contextlib.suppress(OSError):
            while chunk := pipe.read(_CHUNK):
                self._put(name, chunk)
        self._put(name, b"")

    def _put(self, name: str, chunk: bytes) -> None:
        while not self.is_closed.is_set():
            with contextlib.suppress(queue.Full):
                self.chunks.put((name, chunk), timeout=TICK)
                return


def _write(pipe: IO[bytes], content: bytes | None) -> None:
    with contextlib.suppress(OSError), pipe:
        pipe.write(content or b"")
