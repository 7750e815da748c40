"""A connection to one companion: the handshake, requests and responses, and notifications.

No message of a companion ends the connection; only a timeout or the end of the transport does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pisces import __version__
from pisces.ide.choosing import Choice
from pisces.ide.client.http_transport import HttpTransport
from pisces.ide.client.stdio_transport import StdioTransport
from pisces.ide.client.wire import UNDERSTOOD, Failed, Message, Unreachable, hello
from pisces.ide.endpoint import Endpoint
from pisces.value import Value

Notified = Callable[[str, Any], None]
Consent = Callable[[Endpoint, str], Awaitable[None]]

HANDSHAKE_SECONDS = 5.0
_CONTAINERS = ("/.dockerenv", "/run/.containerenv")
_EDITOR_IS_INSIDE = ("SSH_CONNECTION", "VSCODE_REMOTE_CONTAINERS_SESSION", "REMOTE_CONTAINERS")
_NO_SUCH_METHOD = -32601
_MOST_EARLY = 16  # kinds of notifications that are buffered during the handshake


class Attempt(Value):
    """An endpoint that could not be connected to, and why."""

    endpoint: Endpoint
    host: str
    reason: str

    def __str__(self) -> str:
        return f"{self.endpoint} on {self.host or 'this machine'} {self.reason}"


class ClientConnection:
    """`lost` has the reason once the connection has ended. `server` is the `serverInfo` of the companion."""

    def __init__(self, endpoint: Endpoint, host: str, env: Mapping[str, str], notified: Notified) -> None:
        self.endpoint = endpoint
        self.host = host
        self.tools: frozenset[str] = frozenset()
        self.server: dict[str, Any] = {}
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._notified = notified
        self._early: dict[str, Any] | None = {}
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._count = 0
        self._replies: set[asyncio.Task[None]] = set()
        where: Any = host if endpoint.port else env
        made = HttpTransport if endpoint.port else StdioTransport
        self.transport: HttpTransport | StdioTransport = made(where, endpoint, self._receive, self._lose)

    @property
    def can_diff(self) -> bool:
        return {"openDiff", "closeDiff"} <= self.tools

    async def open(self) -> None:
        """Does the handshake and lists the tools. A companion without tools is valid."""
        result = await self.request("initialize", hello("pisces", __version__), HANDSHAKE_SECONDS)
        version = result.get("protocolVersion") if isinstance(result, dict) else None
        if version not in UNDERSTOOD:
            raise Unreachable(f"speaks version {version} of MCP, and we speak {', '.join(UNDERSTOOD)}")
        self.server = result.get("serverInfo") or {}
        await self.transport.send({"method": "notifications/initialized"}, HANDSHAKE_SECONDS)
        await self.transport.start(version)
        try:
            listed = await self.request("tools/list", {}, HANDSHAKE_SECONDS)
            self.tools = frozenset(_names(listed))
        except Failed:
            self.tools = frozenset()

    def listen(self) -> None:
        """Starts to call `notified`, first with what came during the handshake."""
        early, self._early = self._early or {}, None
        for method, params in early.items():
            self._notified(method, params)

    async def request(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        """The result. Raises `Failed` for an error response, `Unreachable` without a response."""
        self._count += 1
        number = self._count
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self.transport.send({"id": number, "method": method, "params": params}, seconds)
            if self.transport.answers_at_once and not waiting.done():
                raise Unreachable(f"did not answer `{method}`")
            async with asyncio.timeout(seconds):
                return await waiting
        except TimeoutError:
            raise Unreachable(f"did not answer `{method}` within {seconds:g} s") from None
        finally:
            self._waiting.pop(number, None)
            if not waiting.cancel() and not waiting.cancelled():
                waiting.exception()  # retrieved, so that asyncio does not log it after a failed send

    async def close(self) -> None:
        for reply in list(self._replies):
            reply.cancel()
        await asyncio.gather(*self._replies, return_exceptions=True)
        await self.transport.close()
        self._lose("was closed")

    def _lose(self, reason: str) -> None:
        if not self.lost.done():
            self.lost.set_result(reason)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(Unreachable(reason))

    def _receive(self, message: Message) -> None:
        method, number = message.get("method"), message.get("id")
        if isinstance(method, str) and number is None:
            self._notify(method, message.get("params"))
        elif isinstance(method, str):
            self._reply(method, number)
        elif type(number) is int and (waiting := self._waiting.get(number)) and not waiting.done():
            _settle(waiting, message)

    def _notify(self, method: str, params: Any) -> None:
        if self._early is None:
            self._notified(method, params)
        elif method in self._early or len(self._early) < _MOST_EARLY:
            self._early[method] = params  # the newest of each kind, so that the buffer stays small

    def _reply(self, method: str, number: Any) -> None:
        """Answers `ping`; any other request of a companion gets an error."""
        refused = {"error": {"code": _NO_SUCH_METHOD, "message": f"no such method: {method}"}}
        message = {"id": number, **({"result": {}} if method == "ping" else refused)}
        reply = asyncio.create_task(self._send_reply(message))
        self._replies.add(reply)
        reply.add_done_callback(self._replies.discard)

    async def _send_reply(self, message: Message) -> None:
        try:
            await self.transport.send(message, HANDSHAKE_SECONDS)
        except Unreachable as gone:
            self._lose(str(gone))


async def connected(
    choice: Choice, env: Mapping[str, str], notified: Notified, consent: Consent | None = None
) -> tuple[ClientConnection | None, list[Attempt]]:
    """The first endpoint that connects, and the attempts that failed before it.

    `consent` is called before each session with a port.
    """
    failed = []
    for endpoint, host in addresses(choice, env):
        connection = ClientConnection(endpoint, host, env, notified)
        try:
            if consent and endpoint.port:
                await consent(endpoint, host)
            await connection.open()
        except (Unreachable, Failed) as reason:
            failed.append(Attempt(endpoint, host, str(reason)))
            await connection.close()
        except BaseException:
            await connection.close()
            raise
        else:
            return connection, failed
    return None, failed


def addresses(choice: Choice, env: Mapping[str, str]) -> list[tuple[Endpoint, str]]:
    """Every endpoint on every host, in the order in which they are tried. A program has no host."""
    return [(each, host) for each in choice.endpoints for host in (hosts(env) if each.port else [""])]


def hosts(env: Mapping[str, str], markers: tuple[str, ...] = _CONTAINERS) -> list[str]:
    """This machine; in a container the container's host too, unless the editor's server runs in the same container."""
    is_inside = any(map(os.path.exists, markers)) and not any(map(env.get, _EDITOR_IS_INSIDE))
    return ["127.0.0.1", "host.docker.internal"] if is_inside else ["127.0.0.1"]


def _settle(waiting: asyncio.Future[Any], message: Message) -> None:
    error = message.get("error")
    if error is None:
        waiting.set_result(message.get("result"))
    else:
        waiting.set_exception(Failed(str(error.get("message") if isinstance(error, dict) else error)))


def _names(listed: Any) -> list[str]:
    tools = listed.get("tools") if isinstance(listed, dict) else None
    named = [tool.get("name") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return [name for name in named if isinstance(name, str)]
