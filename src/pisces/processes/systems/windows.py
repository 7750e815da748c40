"""A running program on Windows: threads read and write its pipes, which cannot be polled, and `taskkill /T` ends it.

It leads a process group of its own. A child of a child that has ended already is not found, and the program goes on
when we are killed. Reading is never far ahead: a program that writes faster than it is read has to wait.
"""

from __future__ import annotations

import queue
import signal
import subprocess
import threading
from contextlib import suppress
from time import monotonic

from pisces.processes.ended import not_started
from pisces.processes.launch import ERR, OPEN, OUT, never
from pisces.processes.systems.child import ended_by
from pisces.processes.systems.running import Running
from pisces.processes.systems.spawn import spawned
from pisces.processes.systems.watch import LINGER, TICK, Watch, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable
    from typing import IO

    from pisces.processes.ended import Ended
    from pisces.processes.launch import Launch, Sink, Stopped
    from pisces.processes.systems.user_terminal import UserTerminal

    Came = tuple[str, bytes]

_CHUNK = 1 << 16
_EXIT, _READ = "exit", "read"  # the program has ended; it has read so much
_BREAK = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM)


class Queued:
    """What the threads read, for a loop that waits."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Came] = queue.Queue(16)
        self._is_closed = False

    def put(self, name: str, chunk: bytes) -> None:
        while not self._is_closed:
            with suppress(queue.Full):
                self._queue.put((name, chunk), timeout=TICK)
                return

    def ready(self, patience: float) -> list[Came]:
        try:
            return [self._queue.get(timeout=patience)]
        except queue.Empty:
            return []

    def close(self) -> None:
        self._is_closed = True


class LoopQueued:
    """The same for an event loop, which calls `serve`."""

    def __init__(self, loop: AbstractEventLoop, serve: Callable[[Came], None]) -> None:
        self._loop = loop
        self._serve = serve

    def put(self, name: str, chunk: bytes) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._serve, (name, chunk))

    def close(self) -> None:
        return


class WindowsChild:
    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.started = monotonic()
        self.popen = popen
        self.pid = popen.pid
        self.exit_status = popen.poll

    def is_crowded(self, _most: int) -> bool:
        return False  # nobody counts them

    def is_empty(self) -> bool:
        return self.popen.poll() is not None

    def leave(self) -> bool:
        return self.popen.wait() is not None

    def ask(self) -> None:
        with suppress(OSError, ValueError):
            self.popen.send_signal(_BREAK)

    def kill(self) -> None:
        if self.popen.poll() is None:
            command = ["taskkill", "/T", "/F", "/PID", str(self.pid)]
            with suppress(OSError):
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            self.popen.kill()

    kill_group = end_group = kill

    def end(self, grace: float) -> None:
        self.ask()
        wait_until(self.is_empty, monotonic() + grace)
        self.kill()

    def close(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(LINGER)

    def ended(self, reason: str) -> Ended:
        return ended_by(self.popen.returncode, reason, monotonic() - self.started)


class ThreadedRunning(Running):
    def __init__(self, launch: Launch, sink: Sink, source: Queued | LoopQueued) -> None:
        if launch.terminal is not None:
            raise OSError("there are no pseudoterminals on this system")
        popen = spawned(launch, "")
        super().__init__(launch, sink, WindowsChild(popen))
        self._source = source
        self._tells_exit = True
        self._may_read = threading.Event()
        self._may_read.set()
        self._input: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.is_deaf = popen.stdin is None
        pipes = {OUT: popen.stdout, ERR: popen.stderr}
        self.outputs = dict(enumerate(name for name, pipe in pipes.items() if pipe is not None))
        self._threads = [self._thread(self._read_all, pipe, name) for name, pipe in pipes.items() if pipe is not None]
        self._threads += [] if popen.stdin is None else [self._thread(self._write_all, popen.stdin)]
        self._threads.append(self._thread(self._await_exit, popen))
        self.write(launch.stdin if isinstance(launch.stdin, bytes) else b"")
        if launch.stdin != OPEN:
            self.close_input()

    def serve(self, came: Came) -> None:
        name, chunk = came
        if name == _EXIT:
            self._note_exit()
        elif name == _READ:
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
        """A thread whose pipe is held by somebody else's child cannot be ended: it is left to wait."""
        self._source.close()
        self.resume()
        self.close_input()
        for thread in self._threads:
            thread.join(LINGER)

    def _thread(self, work: Callable[..., None], *given: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=given, daemon=True)
        thread.start()
        return thread

    def _read_all(self, pipe: IO[bytes], name: str) -> None:
        """To its end, so that the program can end; what nobody wants any more is dropped."""
        with pipe, suppress(OSError):
            while chunk := pipe.read(_CHUNK):
                self._may_read.wait()
                self._source.put(name, chunk)
        self._source.put(name, b"")

    def _write_all(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while data := self._input.get():
                rest = memoryview(data)
                while rest:
                    rest = rest[pipe.write(rest) :]
                self._source.put(_READ, data)
        self.is_deaf = True

    def _await_exit(self, popen: subprocess.Popen[bytes]) -> None:
        popen.wait()
        self._source.put(_EXIT, b"")


def run_in_terminal(launch: Launch, user: UserTerminal, is_stopped: Stopped = never) -> Ended:
    """On the console that we have ourselves. Output is not limited: it does not pass through here."""
    env = dict(launch.env)
    try:
        popen = subprocess.Popen(launch.argv, cwd=launch.cwd, env=env, stdin=user.keyboard, stdout=user.screen)
    except (OSError, ValueError) as error:
        return not_started(error)
    child = WindowsChild(popen)
    watch = Watch(launch.limits, child.is_crowded)
    try:
        while not watch.reason and not child.is_empty():
            wait_until(child.is_empty, monotonic() + TICK)
            watch.check(is_stopped)
    finally:
        child.end(launch.limits.grace if watch.reason else 0)
        child.close()
    return child.ended(watch.reason)
