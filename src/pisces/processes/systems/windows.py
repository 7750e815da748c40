"""Reads and writes a running program on Windows with threads: its pipes cannot be polled.

A child of a child that has ended already is not found, and the program goes on when we are killed. Reading is never far
ahead: a program that writes faster than it is read has to wait.
"""

from __future__ import annotations

import queue
import subprocess
import threading
from contextlib import suppress
from time import monotonic

from pisces.processes.ended import not_started
from pisces.processes.launch import ERR, OPEN, OUT, never
from pisces.processes.systems.child import ended_by
from pisces.processes.systems.members import kill_all
from pisces.processes.systems.running import Running
from pisces.processes.systems.watch import TICK, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable
    from typing import IO

    from pisces.processes.ended import Ended
    from pisces.processes.launch import Launch, Sink, Stopped
    from pisces.processes.systems.running import Ready
    from pisces.processes.systems.terminals import UserTerminal

    Came = tuple[str, bytes]

_CHUNK = 1 << 16
_EXIT, _TAKEN = "exit", "taken"  # the program has ended; it has taken so much input


class ThreadedRunning(Running):
    def __init__(
        self, launch: Launch, sink: Sink, loop: AbstractEventLoop | None = None, ready: Ready | None = None
    ) -> None:
        super().__init__(launch, sink, loop, ready)
        self._tells_exit = True
        self._queue: queue.Queue[Came] = queue.Queue(16)
        self._input: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._may_read = threading.Event()
        self._may_read.set()
        self._is_closed = False
        stdin, *outputs = self.child.pipes
        self.child.pipes = ()  # each thread closes its own
        for number, (name, pipe) in enumerate(zip((OUT, ERR), outputs, strict=False)):
            if pipe is not None:
                self.outputs[number] = name
                self._begin(self._read_all, pipe, name)
        if stdin is not None:
            self._begin(self._write_all, stdin)
        self.is_deaf = stdin is None
        self._begin(self._await_exit)
        self.write(launch.stdin if isinstance(launch.stdin, bytes) else b"")
        if launch.stdin != OPEN:
            self.close_input()

    def step(self, patience: float) -> None:
        with suppress(queue.Empty):
            self.serve(self._queue.get(timeout=patience))

    def serve(self, came: Came) -> None:
        name, chunk = came
        if name == _EXIT:
            self._note_exit()
        elif name == _TAKEN:
            self.unwritten -= len(chunk)
        elif chunk:
            self._pass_on(name, chunk)
        else:
            self.outputs = {number: each for number, each in self.outputs.items() if each != name}

    def write(self, data: bytes) -> None:
        if data and not self.is_deaf:
            self.unwritten += len(data)
            self._input.put(data)

    def close_input(self) -> None:
        self._input.put(b"")

    def pause(self) -> None:
        self._may_read.clear()

    def resume(self) -> None:
        self._may_read.set()

    def drain(self) -> None:
        """Nothing: the threads have passed on what was written."""

    def _let_go(self) -> None:
        """A thread whose pipe somebody else's child holds cannot be ended: it waits, and what it reads is dropped."""
        self._is_closed = True
        self.resume()
        self.close_input()

    def _begin(self, work: Callable[..., None], *given: object) -> None:
        threading.Thread(target=work, args=given, daemon=True).start()

    def _put(self, name: str, chunk: bytes) -> None:
        self._may_read.wait()
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._ready or self.serve, (name, chunk))
            return
        while not self._is_closed:
            with suppress(queue.Full):
                self._queue.put((name, chunk), timeout=TICK)
                return

    def _read_all(self, pipe: IO[bytes], name: str) -> None:
        with pipe, suppress(OSError):
            while chunk := pipe.read(_CHUNK):
                self._put(name, chunk)
        self._put(name, b"")

    def _write_all(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while data := self._input.get():
                rest = memoryview(data)
                while rest:
                    rest = rest[pipe.write(rest) :]
                self._put(_TAKEN, data)
        self.is_deaf = True

    def _await_exit(self) -> None:
        self.child.wait()
        self._put(_EXIT, b"")


def run_in_terminal(launch: Launch, user: UserTerminal, is_stopped: Stopped = never) -> Ended:
    """On the console that we have ourselves. Output is not limited: it does not pass through here."""
    started = monotonic()
    streams = (user.keyboard, user.screen, None)
    try:
        child = subprocess.Popen(launch.argv, -1, None, *streams, cwd=launch.cwd or None, env=dict(launch.env))
    except (OSError, ValueError) as error:
        return not_started(error)
    watch = Watch(launch.limits, lambda _: False)
    try:
        while not watch.reason and child.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                child.wait(TICK)
            watch.check(is_stopped)
    finally:
        if child.poll() is None:
            kill_all(child.pid, "")
            child.kill()
    return ended_by(child.wait(), watch.reason, monotonic() - started)
