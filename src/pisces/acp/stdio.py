"""Messages on stdin and stdout. A line that is no message of JSON-RPC is skipped; the library would end for some."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from acp import stdio_streams

if TYPE_CHECKING:
    import asyncio

_LONGEST = 50 * 1024 * 1024  # bytes of one line: a prompt with pictures


class StdioMessages:
    """A `Transport` of the library. Once it is closed, sending raises instead of waiting for ever."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._is_closed = False

    async def send(self, message: dict[str, Any]) -> None:
        if self._is_closed:
            raise ConnectionError("the editor is gone")
        self._writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        await self._writer.drain()

    async def receive(self) -> dict[str, Any] | None:
        """None at the end of input."""
        while True:
            try:
                line = await self._reader.readline()
            except ValueError:  # longer than the limit; what was read of it is gone
                continue
            if not line:
                return None
            message = _message_in(line)
            if message is not None:
                return message

    async def close(self) -> None:
        self._is_closed = True


def _message_in(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_message = isinstance(value, dict) and isinstance(value.get("id"), str | int | None)
    return value if is_message and isinstance(value.get("method"), str | None) else None


async def stdio_messages() -> StdioMessages:
    return StdioMessages(*await stdio_streams(limit=_LONGEST))
