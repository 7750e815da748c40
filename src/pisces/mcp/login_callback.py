"""The page that a browser comes back to after a login: on 127.0.0.1, for one answer, with nothing of it repeated.

Only a request for our own address counts, with the state that we sent. Others get an error, and waiting goes on: any
page in the browser can send a request here, and none of them may end a login.
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from pisces.mcp.oauth_requests import LoginFault
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LOOPBACK = "127.0.0.1"
PATH = "/callback"

_LARGEST_HEAD = 16 * 1024
_HEAD_SECONDS = 10.0
_LAST_PAGE_SECONDS = 0.5
_MOST_REQUESTS = 200
_DONE = "You are logged in. You can close this window and go back to the terminal."
_NOT_DONE = "The login did not work. The terminal says why."
_REFUSED = "This is not the answer that pisces waits for."
_PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>pisces</title><p>{}</p></html>"


class Returned(Value):
    """What the authorization server sent back with the browser. Never shown: `code` is a secret for a minute."""

    code: str = ""
    state: str = ""
    issuer: str | None = None
    error: str = ""
    description: str = ""

    def __repr__(self) -> str:
        return "Returned(...)"


def returned_in(address: str) -> Returned:
    """Of the address that the browser was sent to. What is there twice could be read in two ways: it does not count."""
    try:
        pairs = parse_qsl(urlsplit(address).query, keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return Returned()
    names = [name for name, _ in pairs]
    found = {name: value for name, value in pairs if names.count(name) == 1}
    code, state, error, description = (found.get(key, "") for key in ("code", "state", "error", "error_description"))
    return Returned(code, state, found.get("iss"), error, description)


def has_state(returned: Returned, state: str) -> bool:
    return hmac.compare_digest(returned.state.encode(), state.encode())


class Callback:
    """`redirect_uri` is what the authorization server is given. `wrong` counts answers with another state."""

    def __init__(self, path: str, state: str) -> None:
        self._path, self._state = path, state
        self._answer: asyncio.Future[Returned] = asyncio.get_running_loop().create_future()
        self._requests = 0
        self._serving: set[asyncio.Task[None]] = set()
        self.port = 0
        self.wrong = 0

    async def answer(self, seconds: float) -> Returned:
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(self._answer)
        except TimeoutError:
            also = "; an answer with a wrong state was refused" if self.wrong else ""
            raise LoginFault(f"nobody logged in within {seconds:g} seconds{also}") from None

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def close(self) -> None:
        """Browsers open connections that they never use, so the last page gets a moment and no more."""
        if self._serving:
            _, idle = await asyncio.wait(self._serving, timeout=_LAST_PAGE_SECONDS)
            for each in idle:
                each.cancel()
            await asyncio.gather(*idle, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Whatever comes is answered with a page, and nothing that comes is raised."""
        try:
            self._requests += 1
            if self._requests <= _MOST_REQUESTS:
                async with asyncio.timeout(_HEAD_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(self._page_for(head))
                    await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # somebody else's connection: waiting goes on
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _page_for(self, head: bytes) -> bytes:
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, *_ = [*first.split(" "), "", ""]
        hosts = [line.partition(":")[2].strip().lower() for line in lines if line.lower().startswith("host:")]
        if hosts not in ([f"{LOOPBACK}:{self.port}"], [f"localhost:{self.port}"]):
            return _page("421 Misdirected Request", _REFUSED)
        if method != "GET" or target.partition("?")[0] != self._path:
            return _page("404 Not Found", _REFUSED)
        returned = returned_in(target)
        if not has_state(returned, self._state):
            self.wrong += 1
            return _page("400 Bad Request", _REFUSED)
        if self._answer.done():
            return _page("410 Gone", _REFUSED)
        self._answer.set_result(returned)
        return _page("200 OK", _DONE if returned.code and not returned.error else _NOT_DONE)


@asynccontextmanager
async def callback_at(port: int, path: str, state: str) -> AsyncIterator[Callback]:
    """Listens on a port, 0 for any. Raises `OSError` where it is taken."""
    callback = Callback(path, state)
    server = await asyncio.start_server(callback.connected, LOOPBACK, port, limit=_LARGEST_HEAD)
    try:
        callback.port = server.sockets[0].getsockname()[1]
        yield callback
    finally:
        server.close()
        await callback.close()


def _page(status: str, text: str) -> bytes:
    body = _PAGE.format(text).encode()
    lines = [
        f"HTTP/1.1 {status}",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
