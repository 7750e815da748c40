"""MCP over a program's stdin and stdout, one message a line. It sees little of our environment, and is ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

from pisces.ide.client.http import reason_of
from pisces.ide.client.wire import MOST_BYTES, Unreachable, encoded, messages_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pisces.ide.client.wire import Message
    from pisces.ide.way import Way

_PASSED_ON = "HOME LOGNAME PATH SHELL TERM USER TMPDIR LANG LC_ALL APPDATA LOCALAPPDATA SYSTEMROOT TEMP TMP USERPROFILE"
_CHUNK = 64 * 1024
_GRACE = 1.0


class StdioTransport:
    """The same calls as the one over HTTP; what the program sends by itself needs no stream."""

    host = ""
    has_stream = True
    signs_of_life = 0
    answers_at_once = False

    def __init__(
        self, env: Mapping[str, str], way: Way, receive: Callable[[Message], None], lose: Callable[[str], None]
    ) -> None:
        self._env = {name: env[name] for name in _PASSED_ON.split() if name in env}
        self._way = way
        self._receive = receive
        self._lose = lose
        self._program: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def send(self, message: Message, seconds: float) -> None:
        program = self._program or await self._start()
        assert program.stdin is not None
        try:
            async with asyncio.timeout(seconds):
                program.stdin.write(encoded(message) + b"\n")
                await program.stdin.drain()
        except TimeoutError:
            raise Unreachable(f"did not read within {seconds:g} s") from None
        except OSError as error:
            raise Unreachable(f"has ended: {reason_of(error)}") from None

    async def start(self, version: str) -> None:  # noqa: ARG002  # the version is a header of HTTP only
        return

    async def close(self) -> None:
        program, self._program = self._program, None
        if self._reading:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        if program is None:
            return
        assert program.stdin is not None
        program.stdin.close()
        for end in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            if end is not None:
                _send_signal(program, end)
            with suppress(TimeoutError):
                await asyncio.wait_for(program.wait(), _GRACE)
                break

    async def _start(self) -> asyncio.subprocess.Process:
        try:
            self._program = await asyncio.create_subprocess_exec(
                *self._way.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=self._env,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise Unreachable(f"cannot be started: {reason_of(error)}") from None
        self._reading = asyncio.create_task(self._read(self._program))
        return self._program

    async def _read(self, program: asyncio.subprocess.Process) -> None:
        assert program.stdout is not None
        pieces: list[bytes] = []
        size = 0
        while chunk := await program.stdout.read(_CHUNK):
            *ended, rest = chunk.split(b"\n")
            if ended:
                ended[0] = b"".join((*pieces, ended[0]))
                pieces, size = [], 0
            pieces.append(rest)
            size += len(rest)
            if size > MOST_BYTES:
                break
            self._take(ended)
        self._lose("has ended")

    def _take(self, lines: list[bytes]) -> None:
        """A line that is no message, such as a greeting, is passed over."""
        for line in lines:
            with suppress(Unreachable):
                for message in messages_in(line):
                    self._receive(message)


def _send_signal(program: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            program.terminate()
        else:
            os.killpg(program.pid, number)
