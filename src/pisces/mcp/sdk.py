"""A connection by the official SDK: stdio, streamable HTTP, SSE. Answers stay the JSON that came, checked once.

Everything that a server does wrong becomes a `ServerError`; the end of the connection becomes a `ServerGone`. This file
and what it imports are the only ones that load the SDK.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from inspect import signature
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError

from mcp import ClientSession, MCPError
from pisces import __version__
from pisces.diagnostics import PiscesError
from pisces.mcp.connection import MOST_BYTES, ServerError, ServerGone
from pisces.mcp.http import http_client
from pisces.mcp.http_sse import sse
from pisces.mcp.plan import AUTO_ERA
from pisces.mcp.sdk_asks import callbacks
from pisces.mcp.sdk_connection import SdkConnection, why
from pisces.mcp.sdk_requests import Requests
from pisces.mcp.sdk_streams import End, Heard, Reports
from pisces.mcp.sdk_times import CallTimes
from pisces.mcp.stdio import stdio
from pisces.mcp.without_values import without_values
from pisces.shapes.mcp_server import AUTO, HTTP, SSE, STDIO

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from pisces.mcp.connection import Connection, ServerAsks
    from pisces.mcp.http import ServerClient
    from pisces.mcp.plan import ServerPlan

# Up to 2.2 the SDK has no such limit; since then its own is too low for answers that are allowed on stdio.
_HAS_LIMIT = "max_sse_event_size" in signature(streamable_http_client).parameters
_EVENT_LIMIT: dict[str, Any] = {"max_sse_event_size": MOST_BYTES} if _HAS_LIMIT else {}

for _name in ("mcp", "client"):  # without a handler, Python prints the SDK's warnings to the program's stderr
    logging.getLogger(_name).addHandler(logging.NullHandler())


@asynccontextmanager
async def connected(plan: ServerPlan, asks: ServerAsks) -> AsyncIterator[Connection]:
    """Enter and leave it in one task. Raises `ServerGone` with the reason, also for a server that goes meanwhile."""
    link = _Link(plan, asks)
    ours: list[BaseException] = []
    try:
        async with AsyncExitStack() as stack:
            made = await link.made(stack)
            try:
                yield made
            except BaseException as error:
                ours.append(error)
                raise
    except Exception as error:  # noqa: BLE001  # the border with the SDK and with somebody's server
        first = _first(error)
        if first in ours or isinstance(first, ServerError | PiscesError):
            raise first from None
        raise ServerGone(link.reason(first)) from None


class _Link:
    """One try to reach one server, and what is known of it so far."""

    def __init__(self, plan: ServerPlan, asks: ServerAsks) -> None:
        self._plan, self._asks = plan, asks
        self._reports, self._end = Reports(asks.notified), End()
        self._stream: Any = None
        self._status = 0  # of the last refused HTTP request
        self._http: ServerClient | None = None

    async def made(self, stack: AsyncExitStack) -> Connection:
        kinds = (HTTP, SSE) if self._plan.transport == AUTO else (self._plan.transport,)
        limit = asyncio.timeout(self._plan.start_seconds)
        try:
            async with limit:
                return await self._tried(stack, kinds)
        except TimeoutError:
            if not limit.expired():
                raise
            said = getattr(self._stream, "last_words", "") or getattr(self._stream, "unread", "")
            ready = f"it was not ready after {self._plan.start_seconds:g} seconds"
            raise ServerGone(f"{ready}: {said}" if said else ready) from None

    async def _tried(self, stack: AsyncExitStack, kinds: tuple[str, ...]) -> Connection:
        try:
            return await self._entered(stack, kinds[0])
        except Exception:
            if len(kinds) == 1 or not self._is_other_kind:
                raise
        return await self._entered(stack, kinds[1])

    def reason(self, error: BaseException) -> str:
        refused = f" (HTTP {self._status})" if self._status else ""
        known = self._refusal() or self._end.reason or getattr(self._stream, "reason", "")
        return without_values(known or why(error) + refused, self._plan)

    def _refusal(self) -> str:
        """What the server wants instead of the last request, if that is known: a login."""
        return self._http.reason if self._http else ""

    @property
    def _is_other_kind(self) -> bool:
        """The protocol's sign of a server of the older kind. One that wants a login is not."""
        return 400 <= self._status < 500 and self._status not in (401, 403)

    async def _entered(self, stack: AsyncExitStack, kind: str) -> Connection:
        async with AsyncExitStack() as inner:
            read, write = await inner.enter_async_context(self._transport(kind))
            self._stream, self._end = read, End()
            requests, times = Requests(write), CallTimes()
            heard: Any = Heard(read, self._reports, self._end, requests)
            ours = types.Implementation(name="pisces", version=__version__)
            session = ClientSession(heard, write, client_info=ours, **callbacks(self._asks, times))
            await inner.enter_async_context(session)
            await _agree(session, self._plan.era)
            made = SdkConnection(session, requests, self._end, times, self._refusal)
            inner.push_async_callback(made.listening.close)
            stack.push_async_exit(inner.pop_all())
            return made
        raise AssertionError("unreachable")  # the stack swallows nothing

    def _transport(self, kind: str) -> AbstractAsyncContextManager[Any]:
        if kind == STDIO:
            return stdio(self._plan, self._reports.junk)
        if kind == SSE:
            return sse(self._plan.url, self._client())
        if kind == HTTP:
            return streamable_http(self._plan.url, self._client())
        raise ServerGone(f"`{kind}` is no transport of this client: it has stdio, streamable HTTP and SSE")

    def _client(self) -> Any:
        self._http = http_client(self._plan)
        self._http.event_hooks["response"].append(self._note_status)
        return self._http

    async def _note_status(self, response: Any) -> None:
        if response.status_code >= 400 and response.request.method == "POST":
            self._status = response.status_code


@asynccontextmanager
async def streamable_http(url: str, client: Any) -> AsyncIterator[Any]:
    async with client, streamable_http_client(url, http_client=client, **_EVENT_LIMIT) as streams:
        yield streams


async def _agree(session: ClientSession, era: str) -> None:
    """The handshake. `auto` asks for the newer protocol before it."""
    if era == AUTO_ERA:
        with suppress(MCPError, RuntimeError, ValidationError):  # it is older, or knows no version that we know
            await session.discover()
            return
    await session.initialize()


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
