"""The companion that is being asked: raw requests that a client would never send, and one ordinary conversation."""

from __future__ import annotations

import asyncio
import json

from pisces.ide.client.connection import Connection
from pisces.ide.client.http import Request, answer
from pisces.ide.client.wire import Failed, Unreachable, encoded
from pisces.ide.way import Way
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.ide.client.http import Answer

HELLO = {
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "pisces-probe", "version": "1"},
    },
}
_SECONDS = 5.0


class Target(Value):
    """`path` is the discovery file, empty where only a port is known."""

    port: int
    token: str = ""
    path: str = ""
    host: str = "127.0.0.1"
    env: Mapping[str, str] = EMPTY
    with_diffs: bool = True
    patience: float = 0.0  # seconds to wait for a sign of life on the stream
    quiet: float = 0.3  # seconds in which what should not come would have come


class Reply(Value):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Subject:
    """Opened by `async with`; `heard` is all that came by itself, in order."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.heard: list[tuple[str, Any]] = []
        self.failure = ""
        self.connection: Connection | None = None

    async def __aenter__(self) -> Subject:
        self.connection, self.failure = await self._opened(self.heard)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.connection:
            await self.connection.close()

    async def another(self, heard: list[tuple[str, Any]]) -> Connection | None:
        """A second client beside the first. Close it."""
        return (await self._opened(heard))[0]

    async def post(self, message: Mapping[str, Any] | bytes, **headers: str | None) -> Reply:
        """As a good client posts it, except for the headers named here; None leaves one out. `path` is the address."""
        body = message if isinstance(message, bytes) else encoded(dict(message))
        usual = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        got = await self._answer("POST", {**usual, **headers}, body)
        try:
            async with asyncio.timeout(_SECONDS):
                return Reply(got.status, got.headers, await got.whole())
        except TimeoutError:
            raise Unreachable("did not end its answer") from None
        finally:
            got.close()

    async def stream_status(self, **headers: str | None) -> tuple[int, str]:
        """Of a GET, which is closed at once."""
        got = await self._answer("GET", {"Accept": "text/event-stream", **headers}, b"")
        got.close()
        return got.status, got.media_type

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if self.connection is None:
            raise Unreachable(self.failure)
        told = await self.connection.request("tools/call", {"name": tool, "arguments": dict(arguments)}, _SECONDS)
        return told if isinstance(told, dict) else {}

    async def wait_for(self, method: str, seconds: float) -> Any | None:
        """The params of the last such notification, waiting for the first."""
        if self.connection is None or not self.connection.has_stream:
            return None
        try:
            async with asyncio.timeout(seconds):
                while not any(name == method for name, _ in self.heard):
                    await asyncio.sleep(0.02)
        except TimeoutError:
            return None
        return [params for name, params in self.heard if name == method][-1]

    async def quiet(self) -> None:
        """Time for what would come, if it came."""
        await asyncio.sleep(self.target.quiet)

    async def _answer(self, method: str, headers: Mapping[str, str | None], body: bytes) -> Answer:
        token = {"Authorization": f"Bearer {self.target.token}"} if self.target.token else {}
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        path = changed.pop("path", None) or "/mcp"
        given = {name: value for name, value in {**token, **changed}.items() if value is not None}
        return await answer(self.target.host, self.target.port, Request(method, given, body, path), _SECONDS)

    async def _opened(self, heard: list[tuple[str, Any]]) -> tuple[Connection | None, str]:
        way = Way(self.target.path or "the command line", self.target.port, self.target.token)
        connection = Connection(way, self.target.host, {}, lambda method, params: heard.append((method, params)))
        try:
            await connection.open()
        except (Unreachable, Failed) as error:
            await connection.close()
            return None, str(error)
        connection.listen()
        return connection, ""


def result_in(reply: Reply) -> Any:
    """The JSON-RPC message of an answer, sent as JSON or as one event; None where there is none."""
    text = reply.body.decode("utf-8", "replace")
    if "text/event-stream" in reply.headers.get("content-type", ""):
        lines = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
        text = lines[0] if lines else ""
    try:
        return json.loads(text)
    except ValueError:
        return None
