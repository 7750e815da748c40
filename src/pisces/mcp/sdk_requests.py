"""Our requests on the streams of a transport, beside those of the SDK's session, which makes the handshake and answers.

The session would send a call through three models, two queues and a trace: half of the time that a call takes. Numbers
begin where the session's never get, so that each answer finds who asked.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from mcp import MCPError
from pisces.mcp.connection import ServerGone
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.connection import Progress

_FIRST = 1 << 20
_FAREWELL_SECONDS = 2.0  # for the word that nobody waits any more, to a server that does not read


class _Waiting(Value):
    answer: asyncio.Future[dict[str, Any]]
    progress: Progress | None


class Requests:
    """Of one connection, in one event loop."""

    def __init__(self, write: Any) -> None:
        self._write = write
        self._next = _FIRST
        self._waiting: dict[int, _Waiting] = {}
        self._is_closed = False

    async def answer(self, method: str, params: Mapping[str, Any], progress: Progress | None = None) -> dict[str, Any]:
        """The result as it came. Raises `MCPError` for an error of the server, `ServerGone` if there is none."""
        if self._is_closed:
            raise ServerGone("the connection was closed")
        number, self._next = self._next, self._next + 1
        waiting = _Waiting(asyncio.get_running_loop().create_future(), progress)
        self._waiting[number] = waiting
        try:
            await self._send(number, method, params if progress is None else _with_token(params, number))
            return await waiting.answer
        except asyncio.CancelledError:
            if not waiting.answer.done() or waiting.answer.cancelled():
                await self._say_cancelled(number)
            raise
        finally:
            del self._waiting[number]

    def take(self, message: Any) -> bool:
        """Whether this is an answer to one of our requests, who has it now."""
        if not isinstance(message, JSONRPCResponse | JSONRPCError):
            return False
        waiting = self._waiting.get(_number(message.id))
        if waiting is None:
            return False
        if waiting.answer.done():
            return True
        if isinstance(message, JSONRPCResponse):
            waiting.answer.set_result(message.result)
        else:
            waiting.answer.set_exception(MCPError.from_error_data(message.error))
        return True

    def note_progress(self, params: Mapping[str, Any]) -> bool:
        """Whether it is about one of our requests."""
        waiting = self._waiting.get(_number(params.get("progressToken")))
        done, total, text = params.get("progress"), params.get("total"), params.get("message")
        if waiting is None:
            return False
        whole = float(total) if isinstance(total, int | float) else None
        if waiting.progress is not None and isinstance(done, int | float):
            with suppress(Exception):  # the border with the caller: what it does with it is no fault of the server
                waiting.progress(float(done), whole, text if isinstance(text, str) else "")
        return True

    def close(self) -> None:
        self._is_closed = True
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(ServerGone("the connection was closed"))

    async def _send(self, number: int, method: str, params: Mapping[str, Any]) -> None:
        more = {"params": dict(params)} if params else {}
        try:
            await self._write.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=number, method=method, **more)))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise ServerGone("the connection was closed") from None

    async def _say_cancelled(self, number: int) -> None:
        params = {"requestId": number, "reason": "nobody waits for it any more"}
        message = JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params)
        with anyio.move_on_after(_FAREWELL_SECONDS, shield=True), suppress(Exception):  # a courtesy
            await self._write.send(SessionMessage(message))


def _with_token(params: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {**params, "_meta": {**params.get("_meta", {}), "progressToken": number}}


def _number(given: object) -> int:
    """Some servers answer with a text that has the number in it."""
    if isinstance(given, str) and given.isdecimal() and len(given) < 10:
        return int(given)
    return given if isinstance(given, int) else -1
