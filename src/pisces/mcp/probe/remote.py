"""A speaker for a server that is reached by address: the SDK's transports carry the messages, we choose them.

Imports the SDK, so it is loaded by name, for such a server only.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Any, Self

from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from pisces.mcp.connection import ServerError, ServerGone
from pisces.mcp.http import http_client
from pisces.mcp.http_sse import sse
from pisces.mcp.probe.speaker import Speaker
from pisces.mcp.sdk import streamable_http
from pisces.shapes.mcp_server import SSE
from pisces.value import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.plan import ServerPlan


class RemoteSpeaker(Speaker):
    """`status` is that of the last HTTP request that was refused, 0 if none was."""

    def __init__(self, plan: ServerPlan, kind: str) -> None:
        super().__init__()
        self._plan, self._kind = plan, kind
        self.status = 0
        self._stop = asyncio.Event()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[None] = loop.create_future()
        self._owner = loop.create_task(self._own())  # the SDK wants to be entered and left by one task
        await self._ready
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._stop.set()
        await asyncio.wait([self._owner])

    async def _own(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                read, self._write = await self._entered(stack)
                reading = asyncio.get_running_loop().create_task(self._read(read))
                self._ready.set_result(None)
                await self._stop.wait()
                reading.cancel()
                with suppress(asyncio.CancelledError):
                    await reading
        except Exception as error:  # noqa: BLE001  # the border with the SDK and with somebody's server
            self._failed(error)
        self.lose("the connection was closed")

    def _failed(self, error: BaseException) -> None:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        self.lose(str(error) or type(error).__name__)
        if not self._ready.done():
            self._ready.set_exception(error if isinstance(error, ServerError) else ServerGone(self.ended))

    async def _entered(self, stack: AsyncExitStack) -> Any:
        client = self._client = http_client(self._plan)
        client.event_hooks["response"].append(self._note_status)
        transport = sse if self._kind == SSE else streamable_http
        return await stack.enter_async_context(transport(self._plan.url, client))

    async def _note_status(self, response: Any) -> None:
        if response.status_code >= 400 and response.request.method == "POST":
            self.status = response.status_code

    async def request(self, method: str, params: Mapping[str, Any] = EMPTY, seconds: float = 10.0) -> Any:
        try:
            return await super().request(method, params, seconds)
        except ServerError:
            reason = self._client.reason
            if reason:
                raise ServerGone(reason) from None
            raise

    async def _read(self, stream: Any) -> None:
        async for item in stream:
            if isinstance(item, Exception):
                self.note_junk(str(item)[:500])
            else:
                await self.heard(item.message.model_dump(by_alias=True, exclude_unset=True, mode="json"))
        self._stop.set()  # the SDK says why when it is left

    async def send(self, message: Mapping[str, Any]) -> None:
        try:
            await self._write.send(SessionMessage(jsonrpc_message_adapter.validate_python(dict(message))))
        except Exception as error:  # noqa: BLE001  # the border with the SDK: the stream is closed
            raise ServerGone(self.ended or str(error) or type(error).__name__) from None
