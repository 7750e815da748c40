"""Reads and writes a running program on Linux and macOS by descriptors that a selector or an event loop watches."""

from __future__ import annotations

import os
import selectors
import sys
from collections import deque
from contextlib import suppress

from pisces.processes.launch import ERR, OPEN, OUT
from pisces.processes.systems.child import Child
from pisces.processes.systems.running import Running

with suppress(ImportError):  # not on Windows
    import fcntl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

    from pisces.processes.launch import Launch, Sink

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
_CHUNK = 1 << 18
_PIPE = 1 << 20


class Polled:
    """Tells which descriptors are ready, for a loop that waits."""

    def __init__(self, selector: selectors.BaseSelector | None = None) -> None:
        self._selector = selector or selectors.DefaultSelector()

    def register(self, handle: int, event: int) -> None:
        self._selector.register(handle, event)

    def unregister(self, handle: int) -> None:
        self._selector.unregister(handle)

    def ready(self, patience: float) -> list[int]:
        return [key.fd for key, _ in self._selector.select(patience)]

    def close(self) -> None:
        self._selector.close()


class LoopPolled:
    """The same for an event loop, which calls `serve` with each descriptor that is ready."""

    def __init__(self, loop: AbstractEventLoop, serve: Callable[[int], None]) -> None:
        self._loop = loop
        self._serve = serve

    def register(self, handle: int, event: int) -> None:
        add = self._loop.add_reader if event == READ else self._loop.add_writer
        add(handle, self._serve, handle)

    def unregister(self, handle: int) -> None:
        self._loop.remove_reader(handle)
        self._loop.remove_writer(handle)

    def close(self) -> None:
        return


class PolledRunning(Running):
    """OSError or ValueError where it cannot be started. It closes its source."""

    child: Child

    def __init__(self, launch: Launch, sink: Sink, source: Polled | LoopPolled) -> None:
        try:
            child = Child(launch)
        except BaseException:
            source.close()
            raise
        super().__init__(launch, sink, child)
        self._source = source
        self._handlers: dict[int, Callable[[], object]] = {}
        self._stdin = child.stdin
        self._input: deque[memoryview] = deque()
        self._is_input_ending = launch.stdin != OPEN and launch.terminal is None
        self._exit = -1  # becomes readable when the program ends
        for pipe, name in ((child.stdout, OUT), (child.stderr, ERR)):
            if pipe is not None:
                _unblock(pipe.fileno())
                self.is_roomy = _enlarged(pipe.fileno())
                self.outputs[pipe.fileno()] = name
                self._listen_to(pipe.fileno())
        if child.stdin is not None:
            _unblock(child.stdin.fileno())
            if launch.stdin == OPEN:
                _enlarged(child.stdin.fileno())
            self.write(launch.stdin if isinstance(launch.stdin, bytes) else b"")
        if sys.platform == "linux" and hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self._exit = os.pidfd_open(child.pid)
                self._tells_exit = True
                self.listen(self._exit, READ, self._note_exit)

    @property
    def is_deaf(self) -> bool:
        """Whether nothing can be written to it, any more or ever."""
        return self._stdin is None

    def serve(self, handle: int) -> None:
        """For each descriptor that is ready."""
        handler = self._handlers.get(handle)
        if handler is not None:
            handler()

    def listen(self, handle: int, event: int, handler: Callable[[], object]) -> None:
        if handle not in self._handlers:
            self._source.register(handle, event)
            self._handlers[handle] = handler

    def forget(self, handle: int) -> None:
        if self._handlers.pop(handle, None) is not None:
            self._source.unregister(handle)

    def write(self, data: bytes) -> None:
        """Never waits: what the program does not read yet is written later. After its end, nothing happens."""
        if self._stdin is not None and data:
            self._input.append(memoryview(data))
            self.unwritten += len(data)
            self._write()

    def close_input(self) -> None:
        """At the end of what is still to be written."""
        self._is_input_ending = True
        if not self._input:
            self._drop_input()

    def pause(self) -> None:
        """Its output is not read until `resume`, so it has to wait."""
        self._is_paused = True
        for handle in self.outputs:
            self.forget(handle)

    def resume(self) -> None:
        if self._is_paused:
            self._is_paused = False
            for handle in self.outputs:
                self._listen_to(handle)

    def drain(self) -> None:
        """What was written before the end is still passed on."""
        for handle in list(self.outputs):
            for _ in range(2 * _PIPE // _CHUNK):
                if not self._read(handle):
                    break

    def _listen_to(self, handle: int) -> None:
        self.listen(handle, READ, lambda: self._read(handle))

    def _note_exit(self) -> None:
        self._forget_exit()
        super()._note_exit()

    def _forget_exit(self) -> None:
        if self._exit >= 0:
            self.forget(self._exit)
            os.close(self._exit)
            self._exit = -1

    def _let_go(self) -> None:
        self._forget_exit()
        self._drop_input()
        for handle in list(self._handlers):
            self.forget(handle)
        self._source.close()

    def _read(self, handle: int) -> bool:
        """Whether there may be more."""
        try:
            chunk = os.read(handle, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # on Linux: a terminal that nobody holds any more
            chunk = b""
        if not chunk:
            self.forget(handle)
            del self.outputs[handle]
            return False
        self._pass_on(self.outputs[handle], chunk)
        return True

    def _write(self) -> None:
        if self._stdin is None:
            return
        try:
            written = os.write(self._stdin.fileno(), self._input[0])
        except BlockingIOError:
            written = 0
        except OSError:  # the program does not read it
            self._drop_input()
            return
        self.unwritten -= written
        rest = self._input.popleft()[written:]
        if rest:
            self._input.appendleft(rest)
        if self._input:
            self.listen(self._stdin.fileno(), WRITE, self._write)
            return
        self.forget(self._stdin.fileno())
        if self._is_input_ending:
            self._drop_input()

    def _drop_input(self) -> None:
        self._input.clear()
        self.unwritten = 0
        stdin, self._stdin = self._stdin, None
        if stdin is not None:
            self.forget(stdin.fileno())
            with suppress(OSError):
                stdin.close()


def _unblock(pipe: int) -> None:
    if sys.platform != "win32":
        os.set_blocking(pipe, False)


def _enlarged(pipe: int) -> bool:
    """A larger pipe means fewer changes between writer and reader."""
    if sys.platform != "linux" or not hasattr(fcntl, "F_SETPIPE_SZ"):
        return False
    try:
        return fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE) >= _PIPE
    except OSError:  # above what the system allows, or a terminal
        return False
