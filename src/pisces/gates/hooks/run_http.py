"""Sends an event to the address of a hook: one POST of JSON, one answer, no redirects, bounded time and length."""

from __future__ import annotations

import asyncio
import errno
import re
import ssl
from urllib.parse import urlsplit

from pisces.gates.hooks.dialect import NO_ANSWER, TIMEOUT, TOO_LONG, HookOutcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

    from pisces.shapes.hook import Hook

MOST = 1 << 20  # bytes of an answer
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_PORTS = {"http": 80, "https": 443}
_LINE_BREAKS = re.compile(r"[\r\n\0]")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class _RefusedError(Exception):
    """The address, a header or the answer is not acceptable. The text says why."""


async def run_http(hook: Hook, payload: bytes, seconds: float, env: Mapping[str, str]) -> HookOutcome:
    """The body of an answer of 2xx is what the hook says; anything else is no answer, with the body beside it."""
    try:
        async with asyncio.timeout(seconds):
            status, body = await _answer(hook, payload, env)
    except TimeoutError:
        return HookOutcome(None, stderr="it took too long", ended=TIMEOUT)
    except (_RefusedError, OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        return HookOutcome(None, stderr=str(error) or type(error).__name__, ended=NO_ANSWER)
    text = body[:MOST].decode("utf-8", "replace")
    if len(body) > MOST:
        return HookOutcome(None, text, ended=TOO_LONG)
    if not 200 <= status < 300:
        return HookOutcome(None, text, f"HTTP {status}", NO_ANSWER)
    return HookOutcome(0, text)


async def _answer(hook: Hook, payload: bytes, env: Mapping[str, str]) -> tuple[int, bytes]:
    address = urlsplit(hook.url)
    if address.scheme not in _PORTS or not address.hostname or address.username is not None:
        raise _RefusedError("the address must be http or https, with a host and without a user")
    context = ssl.create_default_context() if address.scheme == "https" else None
    port = address.port or _PORTS[address.scheme]
    try:
        reader, writer = await asyncio.open_connection(address.hostname, port, ssl=context)
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "") or str(error)
        raise _RefusedError(f"connect {name} {address.hostname}:{port}") from None
    try:
        writer.write(_request(address, _headers(hook, env), payload))
        await writer.drain()
        return await _read(reader)
    finally:
        writer.transport.abort()  # nothing more is expected, and closing politely would wait for the other side


def _request(address: SplitResult, headers: Mapping[str, str], payload: bytes) -> bytes:
    target = (address.path or "/") + (f"?{address.query}" if address.query else "")
    host = address.netloc
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {host}",
        "Content-Type: application/json",
        f"Content-Length: {len(payload)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if any(_LINE_BREAKS.search(line) for line in lines) or " " in target:
        raise _RefusedError("the address or a header has a line break or a blank in it")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8") + payload


def _headers(hook: Hook, env: Mapping[str, str]) -> dict[str, str]:
    """`$NAME` is replaced if the hook lists the name; else by nothing, so that no secret leaves by accident."""
    allowed = frozenset(hook.allowed_env_vars or ())
    own = ("host", "content-length", "connection", "transfer-encoding")
    found: dict[str, str] = {}
    for name, value in hook.headers.items():
        if not _NAME.fullmatch(str(name)):
            raise _RefusedError(f"`{name}` is no name of a header")
        if str(name).lower() not in own:
            found[str(name)] = _VARIABLE.sub(lambda each: _value(each[1] or each[2], allowed, env), str(value))
    return found


def _value(name: str, allowed: frozenset[str], env: Mapping[str, str]) -> str:
    return env.get(name, "") if name in allowed else ""


async def _read(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    words = first.split(" ")
    if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
        raise _RefusedError("the answer is not HTTP")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "chunked" in fields.get("transfer-encoding", "").lower():
        return int(words[1]), await _chunks(reader)
    length = fields.get("content-length", "")
    if length.isdigit():
        return int(words[1]), await reader.readexactly(min(int(length), MOST + 1))
    return int(words[1]), await _rest(reader)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while len(body) <= MOST:
        size = int((await reader.readline()).partition(b";")[0], 16)
        if size <= 0:
            break
        body += await reader.readexactly(min(size, MOST + 1 - len(body)))
        if len(body) <= MOST:
            await reader.readexactly(2)
    return body


async def _rest(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while len(body) <= MOST and (chunk := await reader.read(1 << 16)):
        body += chunk
    return body
