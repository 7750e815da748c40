"""MCP over a program's stdin and stdout, one message a line. The program gets a reduced environment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from pisces.ide.client.http import reason_of
from pisces.ide.client.wire import MOST_BYTES, Message, Unreachable, encoded, messages_in
from pisces.ide.endpoint import Endpoint
from pisces.processes.environment import passed_on
from pisces.processes.launch import OPEN, OUT, Launch, Limits
from pisces.processes.lines import Lines
from pisces.processes.process import Process

_GRACE = 1.0
_LIMITS = Limits(processes=0, grace=_GRACE)


class StdioTransport:
    """The same methods as `HttpTransport`. Notifications come on stdout too, so there is no stream to open."""

    host = ""
    has_stream = True
    signs_of_life = 0
    answers_at_once = False

    def __init__(
        self,
        env: Mapping[str, str],
        endpoint: Endpoint,
        receive: Callable[[Message], None],
        lose: Callable[[str], None],
    ) -> None:
        self._launch = Launch(endpoint.command, "", passed_on(env), _LIMITS, stdin=OPEN)
        self._receive = receive
        self._lose = lose
        self._process: Process | None = None
        self._lines = Lines()

    async def send(self, message: Message, seconds: float) -> None:
        process = self._process or self._start()
        process.write(encoded(message) + b"\n")
        try:
            async with asyncio.timeout(seconds):
                await process.drain()
        except TimeoutError:
            raise Unreachable(f"did not read within {seconds:g} s") from None
        except OSError as error:
            raise Unreachable(f"has ended: {reason_of(error)}") from None

    async def start(self, version: str) -> None:  # noqa: ARG002  # the version is a header of HTTP only
        return

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.close(_GRACE)

    def _start(self) -> Process:
        try:
            self._process = Process.start(self._launch, self._hear)
        except (OSError, ValueError) as error:
            raise Unreachable(f"cannot be started: {reason_of(error)}") from None
        self._process.when_over(lambda _: self._lose("has ended"))
        return self._process

    def _hear(self, name: str, chunk: bytes) -> None:
        """Ignores stderr, and lines that are no message, such as a greeting."""
        for line in self._lines.ended(chunk) if name == OUT else ():
            with suppress(Unreachable):
                for message in messages_in(line):
                    self._receive(message)
        if self._lines.length > MOST_BYTES and self._process is not None:
            self._process.kill()
