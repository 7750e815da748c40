"""Reads and writes a running program on Linux and macOS: a selector or an event loop tells which pipes are ready."""

from __future__ import annotations

import os
import selectors
import sys
from collections import deque
from contextlib import suppress

from pisces.processes.launch import ERR, OPEN, OUT
from pisces.processes.systems.running import Running

with suppress(ImportError):  # not on Windows
    import fcntl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

    from pisces.processes.launch import Launch, Sink
    from pisces.processes.systems.running import Ready

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
_CHUNK = 1 << 18
_PIPE = 1 << 20


class PolledRunning(Running):
    def __init__(
        self, launch: Launch, sink: Sink, loop: AbstractEventLoop | None = None, ready: Ready | None = None
    ) -> None:
        super().__init__(launch, sink, loop, ready)
        # On macOS `select` alone knows terminals. It opens nothing, so it costs nothing where a loop does the work.
        plain = loop is not None or launch.terminal is not None
        self._selector = selectors.SelectSelector() if plain else selectors.DefaultSelector()
        self._handlers: dict[int, Callable[[], object]] = {}
        self._stdin, *outputs = self.child.pipes
        self._input: deque[memoryview] = deque()
        self._is_input_ending = launch.stdin != OPEN and launch.terminal is None
        self._exit = -1  # becomes readable when the program ends
        for pipe, name in zip(outputs, (OUT, ERR), strict=False):
            if pipe is not None:
                self.is_roomy = _prepared(pipe.fileno())
                self.outputs[pipe.fileno()] = name
        self.resume()
        if self._stdin is not None:
            _prepared(self._stdin.fileno())
            self.write(launch.stdin if isinstance(launch.stdin, bytes) else b"")
        if sys.platform == "linux" and hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self._exit = os.pidfd_open(self.child.pid)
                self._tells_exit = True
                self.listen(self._exit, READ, self._note_exit)

    @property
    def is_deaf(self) -> bool:
        """Whether nothing can be written to it, any more or ever."""
        return self._stdin is None

    def step(self, patience: float) -> None:
        """Waits at most so long until something can be read or written, and does that."""
        for key, _ in self._selector.select(patience):
            self.serve(key.fd)

    def serve(self, handle: int) -> None:
        handler = self._handlers.get(handle)
        if handler is not None:
            handler()

    def listen(self, handle: int, event: int, handler: Callable[[], object]) -> None:
        if handle in self._handlers:
            return
        self._handlers[handle] = handler
        if self._loop is None:
            self._selector.register(handle, event)
        else:
            add = self._loop.add_reader if event == READ else self._loop.add_writer
            add(handle, self._ready or self.serve, handle)

    def forget(self, handle: int) -> None:
        if self._handlers.pop(handle, None) is None:
            return
        if self._loop is None:
            self._selector.unregister(handle)
        else:
            self._loop.remove_reader(handle)
            self._loop.remove_writer(handle)

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
        for handle in self.outputs:
            self.forget(handle)

    def resume(self) -> None:
        for handle in self.outputs:
            self.listen(handle, READ, lambda handle=handle: self._read(handle))  # type: ignore[misc]

    def drain(self) -> None:
        """What was written before the end is still passed on."""
        for handle in list(self.outputs):
            for _ in range(2 * _PIPE // _CHUNK):
                if not self._read(handle):
                    break

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
        self._selector.close()

    def _read(self, handle: int) -> bool:
        """Whether there may be more."""
        try:
            chunk = os.read(handle, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # on Linux: a terminal that nobody holds any more
            chunk = b""
        if chunk:
            self._pass_on(self.outputs[handle], chunk)
        else:
            self.forget(handle)
            del self.outputs[handle]
        return bool(chunk)

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
        else:
            self.forget(self._stdin.fileno())
            if self._is_input_ending:
                self._drop_input()

    def _drop_input(self) -> None:
        self._input.clear()
        self.unwritten = 0
        stdin, self._stdin = self._stdin, None
        if stdin is not None:
            self.forget(stdin.fileno())
            stdin.close()


def _prepared(pipe: int) -> bool:
    """Makes a pipe not block. Whether it became large, too, which means fewer changes between writer and reader."""
    if sys.platform != "win32":
        os.set_blocking(pipe, False)
    if sys.platform != "linux" or not hasattr(fcntl, "F_SETPIPE_SZ"):
        return False
    try:
        return fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE) >= _PIPE
    except OSError:  # above what the system allows, or a terminal
        return False
