"""One HTTP request on its own connection: no proxy, no redirects, and the body is read as it arrives."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress

from pisces.ide.client.wire import MOST_BYTES, Unreachable
from pisces.ide.listener import stranger
from pisces.value import Value

CONNECT_SECONDS = 2.0
_CHUNK = 64 * 1024
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}")
_STATUS = re.compile(r"[1-5][0-9]{2}")
_LENGTH = re.compile(r"[0-9]{1,12}")
_LOOPBACK = ("127.", "::1")
_BROKEN = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


class HttpRequest(Value):
    method: str
    headers: Mapping[str, str]
    body: bytes = b""
    path: str = "/mcp"


class Answer:
    """Status, headers by lower-case name, and the body, which can be read once. The caller closes it."""

    def __init__(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        words = first.split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not _STATUS.fullmatch(words[1]):
            raise Unreachable("does not speak HTTP")
        self.status = int(words[1])
        pairs = (line.partition(":") for line in lines if ":" in line)
        self.headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        self._reader = reader
        self._writer = writer

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    async def whole(self) -> bytes:
        parts, size = [], 0
        async for chunk in self.chunks():
            parts.append(chunk)
            size += len(chunk)
            if size > MOST_BYTES:
                raise Unreachable(f"sent an answer of more than {MOST_BYTES:,} bytes")
        return b"".join(parts)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body. Raises `Unreachable` if the connection ends before the body does."""
        try:
            if "chunked" in self.headers.get("transfer-encoding", "").lower():
                body = self._chunked()
            else:
                body = self._counted(self.headers.get("content-length", ""))
            async for chunk in body:
                yield chunk
        except _BROKEN as error:
            raise Unreachable(f"broke off: {reason_of(error)}") from None

    def close(self) -> None:
        self._writer.close()

    async def _chunked(self) -> AsyncIterator[bytes]:
        while size := _size(await self._reader.readuntil(b"\r\n")):
            while size:
                chunk = await self._reader.read(min(size, _CHUNK))
                if not chunk:
                    raise asyncio.IncompleteReadError(b"", size)
                size -= len(chunk)
                yield chunk
            await self._reader.readexactly(2)

    async def _counted(self, length: str) -> AsyncIterator[bytes]:
        """As many bytes as the Content-Length says; without one, until the connection ends."""
        left = int(length) if _LENGTH.fullmatch(length) else -1
        if self.status in (204, 304):
            left = 0
        while left and (chunk := await self._reader.read(_CHUNK if left < 0 else min(left, _CHUNK))):
            left -= len(chunk) if left > 0 else 0
            yield chunk
        if left > 0:
            raise asyncio.IncompleteReadError(b"", left)


async def answer(host: str, port: int, request: HttpRequest, seconds: float) -> Answer:
    """Sends a request and reads the head of the answer. Raises `Unreachable` if none comes in time."""
    reader, writer = await _connected(host, port)
    try:
        async with asyncio.timeout(seconds):
            writer.write(_head(host, port, request) + request.body)
            await writer.drain()
            head = await reader.readuntil(b"\r\n\r\n")
        return Answer(head, reader, writer)
    except BaseException as error:
        writer.close()
        if isinstance(error, TimeoutError):
            raise Unreachable(f"did not answer within {seconds:g} s") from None
        if isinstance(error, _BROKEN):
            raise Unreachable(f"broke off: {reason_of(error)}") from None
        raise


async def _connected(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(host, port)
    except TimeoutError:
        raise Unreachable(f"did not answer within {CONNECT_SECONDS:g} s") from None
    except (OSError, OverflowError, ValueError) as error:  # the last two: an invalid port or host name
        raise Unreachable(f"cannot be reached: {reason_of(error)}") from None
    with suppress(OSError, AttributeError):  # to detect on a silent stream that the other machine is gone
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if (user := _stranger(writer)) is not None:
        writer.close()
        raise Unreachable(f"belongs to user {user}, not to you: nothing was sent to it")
    return reader, writer


def _stranger(writer: asyncio.StreamWriter) -> int | None:
    """Asked on every connection, before the token is sent: the editor may have gone since the last one."""
    there, here = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
    is_local = bool(there and here) and there[0].startswith(_LOOPBACK)
    return stranger((there[0], there[1]), here[1]) if is_local else None


def _head(host: str, port: int, request: HttpRequest) -> bytes:
    headers = {"Host": f"{host}:{port}", "Connection": "close", **request.headers}
    if request.method == "POST":
        headers["Content-Length"] = str(len(request.body))
    lines = [f"{request.method} {request.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip()
    if not _SIZE.fullmatch(digits):
        raise Unreachable("does not speak HTTP")
    return int(digits, 16)


def reason_of(error: BaseException) -> str:
    if isinstance(error, asyncio.IncompleteReadError | asyncio.LimitOverrunError):
        return "the connection was closed"
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
