"""Serves several clients over HTTP: on loopback unless told otherwise, with a token, each client with its own host.

The HTTP of the companion for editors does the rest: strict heads, limits, bounded sessions, one stream a session.
What a call reports or asks meanwhile goes to the stream that the client opens with GET.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.ide.companion import rpc
from pisces.ide.companion.connection import ServerConnection
from pisces.ide.companion.http import Head, HttpReply, chunk, comment_frame, json_bytes, json_reply
from pisces.ide.companion.options import CompanionOptions
from pisces.ide.companion.server import HOSTS, PATH, Server
from pisces.ide.companion.sessions import CompanionSession, Sessions
from pisces.serving.served_client import ServedClient
from pisces.serving.stdio import INITIALIZE
from pisces.serving.stdio_loop import end_on_signals
from pisces.serving.token import VARIABLE, token_for
from pisces.serving.wire import MOST_LINE, error_for, message_in

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.serving.choices import ServeChoices

NOT_SERVED = Rule("mcp-address", ERROR, "`pisces mcp serve --http` cannot listen there")

LOOPBACK = "127.0.0.1"
_ADDRESS = re.compile(r"(?:(\[[0-9a-fA-F:]+\]|[^:\[\]]+):)?([0-9]{1,5})")
_ANY = ("0.0.0.0", "::")
_CLOSE_SECONDS = 0.2  # for clients to read the end of their streams
_OPTIONS = CompanionOptions(
    session_timeout=3600.0, most_connections=64, most_body=MOST_LINE, most_waiting=8 * 1024 * 1024
)


def serve(places: Places, choices: ServeChoices, where: tuple[str, str | None], note: Callable[[str], object]) -> int:
    """`where` is the address and the file with the token. Returns the exit code when a signal came."""
    host, port = address_of(where[0])
    token, is_new = token_for(places, where[1])
    server = HttpServer(token, places, choices)

    async def run() -> None:
        ended = asyncio.Event()
        end_on_signals(ended)
        try:
            listening = await server.listen(host, port)
        except OSError as error:
            raise PiscesError(NOT_SERVED.at("", f"{where[0]}: {(error.strerror or str(error)).lower()}")) from None
        note(f"pisces: serving on http://{_shown(host)}:{server.port}{PATH}")
        if is_new:
            note(f"pisces: clients need the header `Authorization: Bearer {token}` (or set {VARIABLE} before)")
        alive = asyncio.get_running_loop().create_task(server.keep_alive())
        await ended.wait()
        alive.cancel()
        listening.close()
        await server.close()

    asyncio.run(run())
    return 0


def address_of(text: str) -> tuple[str, int]:
    """`8808`, `localhost:8808`, `[::1]:8808`; port 0 is any free one."""
    match = _ADDRESS.fullmatch(text)
    if not match or int(match[2]) > 65535:
        raise PiscesError(NOT_SERVED.at("", f"`{text}` is no address", hint="a port, or `HOST:PORT`"))
    return (match[1] or LOOPBACK).strip("[]"), int(match[2])


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class HttpServer(Server):
    """Each session is a client with a host of its own."""

    def __init__(self, token: str, places: Places, choices: ServeChoices) -> None:
        super().__init__(
            token, _OPTIONS, Sessions(_OPTIONS, lambda: comment_frame("pisces"), self._session_ended), None
        )
        self._places, self._choices = places, choices  # with our own port, as soon as that is known
        self._clients: dict[str, ServedClient] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._takes_any_host = False

    async def listen(self, host: str, port: int) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(lambda: ServerConnection(self), host, port)
        self.port = listening.sockets[0].getsockname()[1]
        self._hosts = frozenset(f"{name}:{self.port}" for name in (*HOSTS, "[::1]", _shown(host).lower()))
        self._takes_any_host = host in _ANY
        self._choices = self._choices.replace(own_port=self.port)
        return listening

    def refusal(self, head: Head) -> HttpReply | None:
        """Who listens on every address has names that we do not know; then the token alone protects."""
        if self._takes_any_host:
            head = head.replace(headers={**head.headers, "host": next(iter(self._hosts))})
        return super().refusal(head)

    async def close(self) -> None:
        for session in list(self._clients):
            self._end(session)
        await asyncio.gather(*self._closing)
        await self.close_connections(_CLOSE_SECONDS)

    async def _posted(self, head: Head, body: bytearray) -> HttpReply:
        try:
            message = message_in(body)
        except rpc.Fault as fault:
            return json_reply(400, error_for(body, fault))
        body.clear()  # free it: it may be large
        if message.method == INITIALIZE and message.wants_answer and "mcp-session-id" not in head.headers:
            return await self._greeted(message)
        session = self._sessions.find(head.headers.get("mcp-session-id", ""))
        if session is None:
            has_id = "mcp-session-id" in head.headers
            text = "Session not found" if has_id else "Bad Request: No valid session ID provided"
            return json_reply(404 if has_id else 400, rpc.error(message.id, rpc.NO_SESSION, text))
        connection = self._clients[session.id].connection
        fields = (("mcp-session-id", session.id),)
        if message.wants_answer:
            return json_reply(200, await connection.response_to(message), fields)
        connection.take_message(message)
        return HttpReply(202, headers=fields)

    async def _greeted(self, message: rpc.Message) -> HttpReply:
        session = self._sessions.create()
        client = ServedClient(lambda sent: session.send(_frame(sent)), self._places, self._choices)
        client.connection.is_listening = lambda: session.stream is not None
        self._clients[session.id] = client
        return json_reply(200, await client.connection.response_to(message), (("mcp-session-id", session.id),))

    def _session_ended(self, session: CompanionSession) -> None:
        self._end(session.id)

    def _end(self, session: str) -> None:
        client = self._clients.pop(session, None)
        if client is not None:
            task = asyncio.get_running_loop().create_task(client.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)


def _frame(message: Mapping[str, Any]) -> bytes:
    return chunk(b"event: message\ndata: " + json_bytes(message) + b"\n\n")
