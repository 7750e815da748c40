"""The stdio transport: a program, and a JSON message a line. What a server writes cannot block, bloat or end us.

The SDK wants a stream to read and one to write. These two use the program's pipes directly, without tasks and queues
in between. The server gets exactly the environment of its plan and ends with everything that it started.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from pisces.mcp.bounded_lines import BoundedLines, Dropped, Endless, answered_id
from pisces.mcp.connection import MOST_BYTES, ServerGone
from pisces.mcp.fence import launch_of
from pisces.mcp.last_words import last_words
from pisces.mcp.without_values import without_values
from pisces.processes.clean import Cleaner
from pisces.processes.launch import OUT
from pisces.processes.process import Process

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import Self

    from pisces.mcp.plan import ServerPlan
    from pisces.processes.ended import Ended

    Junk = Callable[[str], object]  # gets what is wrong with a line

_PATIENCE = 0.5  # seconds between the end of its input and SIGTERM
_LAST_WORDS = 8192  # bytes of stderr that are remembered
_SHOWN = 600  # characters of them that a reason has
_START = 80  # bytes of a line that is no message
_AT_ONCE = 64  # messages before the event loop gets its time


@asynccontextmanager
async def stdio(plan: ServerPlan, junk: Junk) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Raises `ServerGone` where the program cannot be started."""
    try:
        process = Process.start(launch_of(plan))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or str(error)
        raise ServerGone(f"`{plan.argv[0] if plan.argv else ''}` cannot be started: {why}") from None
    incoming, outgoing = Incoming(process, plan, junk), Outgoing(process)
    try:
        yield incoming, outgoing
    finally:
        with anyio.CancelScope(shield=True):
            if process.has_exited or outgoing.is_broken:
                await incoming.say_why()
            await process.close(_PATIENCE)


class Incoming:
    """Messages of a server. `reason` says how it went, once there are no more."""

    def __init__(self, process: Process, plan: ServerPlan, junk: Junk) -> None:
        self.reason = ""
        self._process, self._plan, self._junk = process, plan, junk
        self._lines = BoundedLines(MOST_BYTES)
        self._waiting: list[bytes | Dropped] = []  # the next one is the last
        self._count = 0
        self._errors = b""
        self._odd = ""  # the last line that is no message

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None

    async def aclose(self) -> None:
        return None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        while True:
            while not self._waiting:
                self._waiting = await self._more()
            await self._be_fair()
            message = self._read(self._waiting.pop())
            if message is not None:
                return message

    async def receive(self) -> SessionMessage:
        try:
            return await self.__anext__()
        except StopAsyncIteration:
            raise anyio.EndOfStream from None

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr, safe to show."""
        cleaner = Cleaner()
        text = (cleaner.clean(self._errors) + cleaner.end()).decode("utf-8", "replace")
        return " / ".join(last_words(without_values(text, self._plan)))[:_SHOWN]

    @property
    def unread(self) -> str:
        """What it wrote to stdout that is no message; empty if nothing is known of such a thing."""
        if self._lines.start:
            return f"its output is a line without an end: {self._shown(self._lines.start)}"
        return self._odd

    async def _be_fair(self) -> None:
        """A flood of messages must not hold up everybody else."""
        self._count += 1
        if self._count % _AT_ONCE == 0:
            await asyncio.sleep(0)

    async def _more(self) -> list[bytes | Dropped]:
        chunk = await self._process.next_chunk(OUT)
        if chunk is None:
            await self.say_why()
            raise StopAsyncIteration
        name, data = chunk
        if name != OUT:
            self._note_errors(data)
            return []
        try:
            return self._lines.ended(data)[::-1]
        except Endless:
            self._process.kill("its line has no end")
            return []

    def _note_errors(self, data: bytes) -> None:
        self._errors = (self._errors + data[-_LAST_WORDS:])[-_LAST_WORDS:]

    async def say_why(self) -> None:
        """The output of a program that ends is closed a moment before the program has ended.

        Whoever writes to it may notice before its reader does, and then the reader never comes to its end.
        """
        if self.reason:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                async for _, data in self._process:
                    self._note_errors(data)
        if self._process.is_over:
            self.reason = _how(await self._process.wait())
        else:
            self.reason = "it closed its output"
        if self.last_words:
            self.reason += f": {self.last_words}"

    def _read(self, line: bytes | Dropped) -> SessionMessage | None:
        if isinstance(line, Dropped):
            return self._unread(line.id, f"a line of more than {MOST_BYTES >> 20} MB was dropped")
        if not line.strip():
            return None
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            return self._read_again(line)

    def _read_again(self, line: bytes) -> SessionMessage | None:
        """Bytes that are not UTF-8 and halves of surrogate pairs become marks, a mark of the encoding is left out."""
        try:
            value: Any = json.loads(line.decode("utf-8-sig", "replace"))
            text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
        except (ValueError, RecursionError):
            what = f"a line is no message of the protocol: {self._shown(line)}"
            return self._unread(answered_id(line[:512], line[-512:]), what)

    def _shown(self, line: bytes) -> str:
        return repr(without_values(line[:_START].decode("utf-8", "replace"), self._plan))

    def _unread(self, number: int | str | None, what: str) -> SessionMessage | None:
        """Whoever waits for this answer gets an error at once."""
        self._odd = what
        self._junk(what)
        if number is None:
            return None
        error = ErrorData(code=INTERNAL_ERROR, message=f"the answer cannot be read: {what}")
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))


class Outgoing:
    """Messages to a server. Waits while the server does not read."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.is_broken = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None

    async def aclose(self) -> None:
        return None

    async def send(self, item: SessionMessage, /) -> None:
        text: str = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        self._process.write(text.encode() + b"\n")
        try:
            await self._process.drain()
        except BrokenPipeError:
            self.is_broken = True
            raise anyio.BrokenResourceError from None


def _how(ended: Ended) -> str:
    if ended.reason:
        return f"it was ended: {ended.reason}"
    return f"it was killed by {ended.signal}" if ended.signal else f"it ended with exit code {ended.code}"
