"""MCP over Streamable HTTP: a POST for each message, answered as JSON or as events; a GET for notifications.

A stream that the server ends cleanly is opened again in the same session. Any other end ends the connection.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from pisces.formats.sse import Events, EventTooLarge, ServerSentEvent
from pisces.ide.client.http import Answer, HttpRequest, answer
from pisces.ide.client.wire import Message, Unreachable, encoded, messages_in
from pisces.ide.endpoint import Endpoint

_PRINTABLE = re.compile(r"[\x21-\x7e]{1,4096}")  # what may be sent back in a header
EVENTS = "text/event-stream"
_NOT_OFFERED = (404, 405, 501)
_STREAM_SECONDS = 5.0


class HttpTransport:
    """Calls `receive` with each message, and `lose` once with the reason if the connection is lost."""

    answers_at_once = True  # the response to a POST is in its body

    def __init__(
        self, host: str, endpoint: Endpoint, receive: Callable[[Message], None], lose: Callable[[str], None]
    ) -> None:
        self.host = host
        self._endpoint = endpoint
        self._receive = receive
        self._lose = lose
        self._session: dict[str, str] = {}
        self._stream: asyncio.Task[None] | None = None
        self.has_stream = False
        self.signs_of_life = 0  # chunks received on streams, comments included

    async def send(self, message: Message, seconds: float) -> None:
        headers = {**self._headers(), "Accept": f"application/json, {EVENTS}", "Content-Type": "application/json"}
        got = await answer(self.host, self._endpoint.port, HttpRequest("POST", headers, encoded(message)), seconds)
        try:
            async with asyncio.timeout(seconds):
                await self._take(got, message)
        except TimeoutError:
            raise Unreachable(f"did not answer within {seconds:g} s") from None
        finally:
            got.close()

    async def start(self, version: str) -> None:
        """Opens the stream after the handshake. A server without a stream still answers requests."""
        self._session["Mcp-Protocol-Version"] = version
        try:
            stream = await self._open(Events())
        except Unreachable as refused:
            if refused.status in _NOT_OFFERED:
                return
            raise
        self.has_stream = True
        self._stream = asyncio.create_task(self._listen(stream))

    async def close(self) -> None:
        stream, self._stream = self._stream, None
        if stream:
            stream.cancel()
            await asyncio.gather(stream, return_exceptions=True)

    def _headers(self) -> dict[str, str]:
        token = {"Authorization": f"Bearer {self._endpoint.token}"} if self._endpoint.token else {}
        return {**token, **self._session}

    async def _take(self, got: Answer, message: Message) -> None:
        if not 200 <= got.status < 300:
            raise refusal(got.status, await got.whole())
        session = got.headers.get("mcp-session-id", "")
        if message.get("method") == "initialize" and _PRINTABLE.fullmatch(session):
            self._session["Mcp-Session-Id"] = session
        if got.media_type == EVENTS:
            await self._read(got, Events())
        elif content := (await got.whole()).strip():
            self._receive_all(messages_in(content) if "id" in message else [])

    async def _listen(self, stream: Answer) -> None:
        events = Events()
        try:
            while True:
                try:
                    await self._read(stream, events)
                finally:
                    stream.close()
                await asyncio.sleep(events.pause)
                stream = await self._open(events)
        except Unreachable as gone:
            self._lose(str(gone))

    async def _open(self, events: Events) -> Answer:
        resume = {"Last-Event-ID": events.last_id} if _PRINTABLE.fullmatch(events.last_id) else {}
        request = HttpRequest("GET", {**self._headers(), "Accept": EVENTS, **resume})
        got = await answer(self.host, self._endpoint.port, request, _STREAM_SECONDS)
        if got.status == 200 and got.media_type == EVENTS:
            return got
        got.close()
        raise refusal(got.status if got.status != 200 else 405, b"")

    async def _read(self, got: Answer, events: Events) -> None:
        """Reads to a clean end. Raises `Unreachable` for any other end."""
        async for chunk in got.chunks():
            self.signs_of_life += 1
            for event in _fed(events, chunk):
                if event.name == "message":
                    self._receive_all(messages_in(event.data))

    def _receive_all(self, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            self._receive(message)


def _fed(events: Events, chunk: bytes) -> list[ServerSentEvent]:
    try:
        return events.fed(chunk)
    except EventTooLarge as error:
        raise Unreachable(str(error)) from None


def refusal(status: int, content: bytes) -> Unreachable:
    if status == 401:
        return Unreachable("does not accept the token (401)", status)
    text = content[:200].decode("utf-8", "replace").strip()
    return Unreachable(f"refused ({status})" + (f": {text}" if text else ""), status)
