"""The older transport over HTTP: a stream of events from the server, and a POST for each message to it.

The SDK's own limits an event to 1 MB, at which the connection dies, and after one POST that fails it sends nothing more
and says nothing: every later call waits for its timeout. Here the one call fails, at once.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import anyio
import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError

from pisces.mcp.connection import MOST_BYTES, REFUSED, ServerGone
from pisces.mcp.http_address import origin_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from pisces.mcp.http import ServerClient

_HEADERS = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
_SAME_METHOD = (307, 308)


@asynccontextmanager
async def sse(url: str, client: ServerClient) -> AsyncIterator[tuple[Any, Any]]:
    """The two streams of a connection, as the SDK's transports have them. The client is closed with it."""
    async with client:
        request = client.build_request("GET", url, headers=_HEADERS)
        response = await client.send(request, stream=True, follow_redirects=True)  # the client has one origin
        try:
            if not response.is_success:
                raise ServerGone(client.reason or f"it answers HTTP {response.status_code}")
            events = aiter(httpx2.EventSource(response, max_event_size=MOST_BYTES))
            endpoint = await _endpoint(events, url)
            async with _Streams(client, endpoint).running(events) as streams:
                yield streams
        finally:
            await response.aclose()


async def _endpoint(events: Any, url: str) -> str:
    """Where messages go, which the first event says."""
    async for event in events:
        if event.event == "endpoint":
            address: str = urljoin(url, event.data)
            if origin_of(address) != origin_of(url):
                raise ServerGone("it wants its messages sent to another server")
            return address
    raise ServerGone("it did not say where messages go")


class _Streams:
    def __init__(self, client: httpx2.AsyncClient, endpoint: str) -> None:
        self._client, self._endpoint = client, endpoint
        self._into: MemoryObjectSendStream[SessionMessage | Exception]
        self._into, self.read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.write, self._out = anyio.create_memory_object_stream[SessionMessage](0)

    @asynccontextmanager
    async def running(self, events: Any) -> AsyncIterator[tuple[Any, Any]]:
        async with self._into, self.read, self.write, self._out, anyio.create_task_group() as group:
            group.start_soon(self._receive, events)
            group.start_soon(self._send, self._out, group)
            yield self.read, self.write
            group.cancel_scope.cancel()

    async def _receive(self, events: Any) -> None:
        async with self._into:
            try:
                await self._pass_on(events)
            except (httpx2.HTTPError, httpx2.StreamError) as error:
                await self._into.send(error)
            except anyio.BrokenResourceError:
                return  # nobody listens any more

    async def _pass_on(self, events: Any) -> None:
        async for event in events:
            if event.event == "message" and event.data:
                await self._into.send(_message(event.data))

    async def _send(self, out: MemoryObjectReceiveStream[SessionMessage], group: Any) -> None:
        """Each in a task of its own, so that a slow one does not hold up the message that cancels it."""
        async for message in out:
            group.start_soon(self._post, message.message)

    async def _post(self, message: Any) -> None:
        sent = message.model_dump(by_alias=True, mode="json", exclude_unset=True)
        request = self._client.build_request("POST", self._endpoint, json=sent)
        try:
            response = await self._client.send(request, follow_redirects=False)
            if response.status_code in _SAME_METHOD and response.next_request is not None:
                response = await self._client.send(response.next_request, follow_redirects=False)
            why = "" if response.is_success else REFUSED
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            why = f"the message could not be sent: {error}"
        if why and isinstance(message, JSONRPCRequest):
            error_data = ErrorData(code=INTERNAL_ERROR, message=why)
            try:
                await self._into.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=message.id, error=error_data)))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return  # the connection is over, which its callers know


def _message(text: str) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValidationError as error:
        return error
