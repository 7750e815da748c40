"""A child process that speaks lines of JSON. What it sends is bounded, and what its modules print is kept apart.

On POSIX the wire has descriptors of its own, so that neither a `console.log` nor a program that a module starts can
write into it, and the child leads a session of its own, so that whatever it started ends with it.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
from collections.abc import Mapping
from contextlib import suppress

from pisces.modules.sidecar.runtime import HERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.modules.sidecar.limits import Limits
    from pisces.modules.sidecar.runtime import Runtime

# The wire becomes other descriptors; stdout goes where stderr goes.
_APART = {(3, 4): 'exec "$@" 3<&0 4>&1 </dev/null >&2', (0, 4): 'exec "$@" 4>&1 >&2'}
_SHOWN = 80
LINGER = 0.5  # seconds to read what is left after its end


class Unread(RuntimeError):
    """The child does not read what it is sent."""


class Process(asyncio.SubprocessProtocol):
    """`receive` gets each message; `ended` is told once, with the reason, whatever the end was."""

    def __init__(self, receive: Callable[[dict[str, Any]], None], ended: Callable[[str], None], limits: Limits) -> None:
        self._receive = receive
        self._ended = ended
        self._limits = limits
        self._transport: asyncio.SubprocessTransport | None = None
        self._line: list[bytes] = []
        self._length = 0
        self._printed = bytearray()
        self._reason = ""
        self.is_alive = False
        self.gone = asyncio.get_running_loop().create_future()

    async def start(self, runtime: Runtime) -> None:
        """Raises OSError where the program cannot be started."""
        argv = tuple(runtime.argv)
        descriptors = runtime.descriptors
        if descriptors in _APART:
            argv = ("/bin/sh", "-c", _APART[descriptors], "sh", *argv)
        env = {**runtime.env, "PISCES_WIRE": ",".join(map(str, descriptors))}
        options: dict[str, Any] = {"cwd": HERE, "env": env, "start_new_session": os.name != "nt"}
        loop = asyncio.get_running_loop()
        await loop.subprocess_exec(lambda: self, *argv, **options)

    @property
    def pid(self) -> int:
        return (self._transport.get_pid() if self._transport else None) or 0

    @property
    def printed(self) -> str:
        """The last of what modules and the runtime itself wrote."""
        return self._printed.decode("utf-8", "replace")

    def send(self, message: Mapping[str, Any]) -> None:
        pipe: Any = self._transport.get_pipe_transport(0) if self._transport and self.is_alive else None
        if pipe is None or pipe.is_closing():
            return  # its end is on the way to us
        if pipe.get_write_buffer_size() > self._limits.unread:
            raise Unread("the sidecar does not read what it is sent")
        pipe.write(encoded(message))

    async def close(self, grace: float) -> None:
        """Asks it to end, and ends it where it does not."""
        pipe: Any = self._transport.get_pipe_transport(0) if self._transport else None
        if pipe is not None:
            pipe.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await asyncio.shield(self.gone)
        self.kill("was closed")
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await asyncio.shield(self.gone)

    def kill(self, reason: str) -> None:
        self._reason = self._reason or reason
        if self._transport is None or self.gone.done():
            return
        _kill_group(self.pid)
        with suppress(ProcessLookupError):
            self._transport.kill()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.is_alive = True

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._read(data)
        else:
            self._printed += data
            del self._printed[: -self._limits.printed]

    def _exited(self) -> None:
        """Whatever it started would keep its pipes open, so that goes too; then asyncio says that all is read."""
        assert self._transport is not None
        code = self._transport.get_returncode()
        self._reason = self._reason or _ending(code)
        _kill_group(self.pid)
        asyncio.get_running_loop().call_later(
            LINGER, self._transport.close
        )  # what has left the group may hold on to them

    process_exited = _exited

    def connection_lost(self, _error: Exception | None) -> None:
        self.is_alive = False
        if self._transport is not None:
            self._transport.close()
        if not self.gone.done():
            self.gone.set_result(None)
            self._ended(self._reason or "ended")

    def _read(self, data: bytes) -> None:
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._line.append(part)
            line, self._line, self._length = b"".join(self._line), [], 0
            self._read_line(line)
        if rest:
            self._line.append(rest)
            self._length += len(rest)
        if self._length > self._limits.line:
            self._line, self._length = [], 0
            self._garbage(f"sent a line of more than {self._limits.line} bytes")

    def _read_line(self, line: bytes) -> None:
        if self.is_alive and not self._is_understood(line):
            self._garbage(f"sent something that is not a message: `{line[:_SHOWN].decode('utf-8', 'replace')}`")

    def _is_understood(self, line: bytes) -> bool:
        """JSON may say things that nobody can make sense of, too."""
        try:
            message = json.loads(line)
            if isinstance(message, dict):
                self._receive(message)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return False
        return isinstance(message, dict)

    def _garbage(self, reason: str) -> None:
        self.is_alive = False  # nothing that it says from here on counts
        self.kill(reason)


def encoded(message: Mapping[str, Any]) -> bytes:
    try:
        text = _json(message)
    except ValueError:
        text = _json(_finite(message))
    return text.encode("ascii") + b"\n"


def _json(message: object) -> str:
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=_plain)


def _finite(value: Any) -> Any:
    """JavaScript reads no infinities: they become null, as `JSON.stringify` has it."""
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain(value: object) -> object:
    """What JSON does not know: views and sequences as what they stand for, anything else as its text."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "__iter__"):
        return list(value)
    return str(value)


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def _kill_group(pid: int) -> None:
    if os.name != "nt" and pid:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
