"""The MCP server: one path, sessions, two tools. All of it runs in one event loop."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from typing import Any

from pisces import __version__
from pisces.ide.companion import rpc
from pisces.ide.companion.connection import ServerConnection
from pisces.ide.companion.diffs import EditorDiffs
from pisces.ide.companion.http import Head, HttpReply, comment_frame, json_reply, text_reply
from pisces.ide.companion.options import CompanionOptions
from pisces.ide.companion.sessions import CompanionSession, Sessions
from pisces.ide.endpoint import COMPANION_NAME

PATH = "/mcp"
HOSTS = ("127.0.0.1", "localhost")
CONTAINER_HOSTS = ("host.docker.internal", "host.containers.internal")  # Docker, Podman


class Server:
    """`diffs` is None if the editor shows none."""

    def __init__(self, token: str, options: CompanionOptions, sessions: Sessions, diffs: EditorDiffs | None) -> None:
        self.options = options
        self.port = 0
        self._token = token
        self._sessions = sessions
        self._diffs = diffs
        self._hosts: frozenset[str] = frozenset()
        self._connections: dict[ServerConnection, bool] = {}  # and whether it is authenticated

    async def start(self) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(lambda: ServerConnection(self), "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        names = (*HOSTS, *CONTAINER_HOSTS) if self.options.containers else HOSTS
        self._hosts = frozenset(f"{name}:{self.port}" for name in names)
        return listening

    async def close_connections(self, seconds: float) -> None:
        """Aborts the connections that are not closed in time."""
        for connection in list(self._connections):
            connection.end()
        await asyncio.sleep(seconds if self._connections else 0)
        for connection in list(self._connections):
            connection.abort()
        await asyncio.sleep(0)  # lets `connection_lost` run

    async def keep_alive(self) -> None:
        frame = comment_frame("keep-alive")
        while True:
            await asyncio.sleep(self.options.keep_alive)
            self._sessions.reap()
            self._sessions.keep_alive(frame)

    def connected(self, connection: ServerConnection) -> None:
        """Above the limit, aborts the oldest unauthenticated connection, so that idle ones lock nobody out."""
        self._connections[connection] = False
        if len(self._connections) > self.options.most_connections:
            unauthenticated = (each for each, is_known in self._connections.items() if not is_known)
            next(unauthenticated, connection).abort()

    def authenticated(self, connection: ServerConnection) -> None:
        self._connections[connection] = True

    def disconnected(self, connection: ServerConnection) -> None:
        self._connections.pop(connection, None)

    def refusal(self, head: Head) -> HttpReply | None:
        """Why a request is refused: it comes from a web page, or has no token.

        The head alone decides, so nobody without the token can make the companion read a body.
        """
        if "origin" in head.headers:
            return json_reply(403, {"error": "Request denied by CORS policy."})
        if head.headers.get("host", "").lower() not in self._hosts:  # against DNS rebinding
            return json_reply(403, {"error": "Invalid Host header"})
        words = head.headers.get("authorization", "").split(" ")
        given = words[1] if len(words) == 2 and words[0].lower() == "bearer" else ""
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return text_reply(401, "Unauthorized").replace(headers=(("WWW-Authenticate", "Bearer"),))
        return None

    async def answer(self, head: Head, body: bytearray) -> HttpReply:
        if head.target.partition("?")[0] != PATH:
            return text_reply(404, "Not Found")
        if head.headers.get("mcp-protocol-version", rpc.VERSIONS[0]) not in rpc.VERSIONS:
            text = f"Bad Request: unsupported protocol version, known are {', '.join(rpc.VERSIONS)}"
            return _fault(400, rpc.Fault(rpc.NO_SESSION, text))
        if head.method == "POST":
            return await self._posted(head, body)
        if head.method not in ("GET", "DELETE"):
            return text_reply(405, "Method Not Allowed").replace(headers=(("Allow", "GET, POST, DELETE"),))
        session = self._sessions.find(head.headers.get("mcp-session-id", ""))
        if session is None:
            return _no_session(head)
        if head.method == "GET":
            return HttpReply(200, stream=session, headers=(("mcp-session-id", session.id),))
        self._sessions.end(session)
        return HttpReply(200)

    async def _posted(self, head: Head, body: bytearray) -> HttpReply:
        try:
            messages = rpc.messages_in(body)
        except rpc.Fault as fault:
            return _fault(400, fault)
        is_batch = re.match(rb"\s*\[", body) is not None
        body.clear()  # free it: it may be large, and the editor may be slow
        if messages[0].method == "initialize" and len(messages) == 1 and messages[0].wants_answer:
            session = self._sessions.create()
            greeted = rpc.result(messages[0].id, rpc.greeting(messages[0].params, COMPANION_NAME))
            return json_reply(200, greeted, (("mcp-session-id", session.id),))
        found = self._sessions.find(head.headers.get("mcp-session-id", ""))
        if found is None:
            return _no_session(head)
        answers = [await self._answer(found, message) for message in messages if message.wants_answer]
        fields = (("mcp-session-id", found.id),)
        if not answers:
            return HttpReply(202, headers=fields)
        return json_reply(200, answers if is_batch else answers[0], fields)

    async def _answer(self, session: CompanionSession, message: rpc.Message) -> dict[str, Any]:
        try:
            return rpc.result(message.id, await self._called(session, message))
        except rpc.Fault as fault:
            return rpc.error(message.id, fault.code, fault.message)

    async def _called(self, session: CompanionSession, message: rpc.Message) -> Any:
        if message.method in ("ping", "logging/setLevel"):
            return {}
        if message.method == "initialize":
            raise rpc.Fault(rpc.INVALID_REQUEST, "this session is initialized already")
        if message.method == "tools/list":
            return {"tools": list(rpc.TOOLS) if self._diffs else []}
        if message.method != "tools/call":
            raise rpc.Fault(rpc.UNKNOWN_METHOD, f"Method not found: {message.method[:100]}")
        params = message.params if isinstance(message.params, dict) else {}
        arguments = params.get("arguments")
        if self._diffs and params.get("name") == rpc.OPEN_DIFF:
            return await self._open_diff(self._diffs, session, arguments)
        if self._diffs and params.get("name") == rpc.CLOSE_DIFF:
            return await self._close_diff(self._diffs, session, arguments)
        raise rpc.Fault(rpc.INVALID_PARAMS, f"no tool is called {str(params.get('name'))[:100]}")

    async def _open_diff(self, diffs: EditorDiffs, session: CompanionSession, arguments: Any) -> dict[str, Any]:
        path, content = rpc.path_argument(arguments), rpc.text_argument(arguments, "newContent")
        try:
            await diffs.open(session, path, content)
        except TimeoutError:
            return rpc.tool_text("The editor does not answer.", failed=True)
        except Exception as problem:  # noqa: BLE001  # the editor's code may raise anything: the client gets the message
            return rpc.tool_text(f"The editor cannot show the diff: {problem}", failed=True)
        return {"content": []}

    async def _close_diff(self, diffs: EditorDiffs, session: CompanionSession, arguments: Any) -> dict[str, Any]:
        """If the editor fails, the user's edits are lost, but not the change: the client has the proposed text."""
        try:
            content = await diffs.close(session, rpc.text_argument(arguments, "filePath"))
        except rpc.Fault:
            raise
        except Exception:  # noqa: BLE001  # the editor's code, see above
            content = None
        return rpc.tool_text(json.dumps({} if content is None else {"content": content}))


def _no_session(head: Head) -> HttpReply:
    if "mcp-session-id" in head.headers:
        return _fault(404, rpc.Fault(rpc.NO_SESSION, "Session not found"))
    refused = _fault(400, rpc.Fault(rpc.NO_SESSION, "Bad Request: No valid session ID provided"))
    return refused.replace(headers=(("Server", f"{COMPANION_NAME}/{__version__}"),))  # `pisces ide status` asks that


def _fault(status: int, fault: rpc.Fault) -> HttpReply:
    return json_reply(status, rpc.error(None, fault.code, fault.message))
