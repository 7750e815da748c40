"""The companion under test: raw requests that no client would send, and one ordinary connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.files import Unreadable, read_text
from pisces.ide.client.connection import ClientConnection
from pisces.ide.client.http import Answer, HttpRequest, answer
from pisces.ide.client.wire import Failed, Unreachable, encoded, hello
from pisces.ide.endpoint import Endpoint, port_of
from pisces.value import EMPTY, Value

NOTHING_TO_PROBE = Rule("ide-nothing-to-probe", ERROR, "there is no companion that could be asked")
HELLO = {"id": 1, "method": "initialize", "params": hello("pisces-probe", "1")}
_SECONDS = 5.0
_ANSWERED_WITHIN = 2.0


class Skip(Exception):
    """The rule cannot be checked here. The text says why."""


class ProbeTarget(Value):
    """`path` is the discovery file, empty if only a port is known."""

    port: int
    token: str = ""
    path: str = ""
    host: str = "127.0.0.1"
    env: Mapping[str, str] = EMPTY
    with_diffs: bool = True
    patience: float = 0.0  # seconds to wait for a keep-alive on the stream
    quiet: float = 0.3  # seconds to wait for what must not come


class ProbeReply(Value):
    status: int
    headers: Mapping[str, str]
    body: bytes


class ProbeSubject:
    """Connects in `async with`. `heard` has all notifications in order."""

    def __init__(self, target: ProbeTarget) -> None:
        self.target = target
        self.heard: list[tuple[str, Any]] = []
        self.failure = ""
        self.connection: ClientConnection | None = None
        self.answers_newest_only = False
        self._greetings = 0  # sessions that were asked for
        self._greetings_then = 0  # when the ordinary client connected

    async def __aenter__(self) -> ProbeSubject:
        self.connection, self.failure = await self._connect(self.heard)
        self._greetings_then = self._greetings
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.connection:
            await self.connection.close()

    @property
    def client(self) -> ClientConnection:
        if self.connection is None:
            raise Skip("no client can connect")
        return self.connection

    async def renew(self) -> None:
        """Connects the ordinary client again if a newer one has silenced it: that rule is broken, and no other one."""
        if self.connection and self.answers_newest_only and self._greetings > self._greetings_then:
            await self.connection.close()
            self.connection, self.failure = await self._connect(self.heard)
            self._greetings_then = self._greetings

    async def is_answered(self) -> bool:
        """Whether the ordinary client still gets answers."""
        try:
            await self.client.request("ping", {}, _ANSWERED_WITHIN)
        except Failed:
            return True
        except Unreachable:
            return False
        return True

    async def another(self, heard: list[tuple[str, Any]]) -> ClientConnection | None:
        """A second client besides the first. The caller closes it."""
        return (await self._connect(heard))[0]

    async def post(self, message: Mapping[str, Any] | bytes, **headers: str | None) -> ProbeReply:
        """Posts as a correct client does, except for the given headers; None leaves one out. `path` is of the URL."""
        body = message if isinstance(message, bytes) else encoded(dict(message))
        self._greetings += message == HELLO
        usual = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        got = await self._answer("POST", {**usual, **headers}, body)
        try:
            async with asyncio.timeout(_SECONDS):
                return ProbeReply(got.status, got.headers, await got.whole())
        except TimeoutError:
            raise Unreachable("did not end its answer") from None
        finally:
            got.close()

    async def stream_status(self, **headers: str | None) -> tuple[int, str]:
        """The status and media type of a GET, which is closed at once."""
        got = await self._answer("GET", {"Accept": "text/event-stream", **headers}, b"")
        got.close()
        return got.status, got.media_type

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        result = await self.client.request("tools/call", {"name": tool, "arguments": dict(arguments)}, _SECONDS)
        return result if isinstance(result, dict) else {}

    async def wait_for(self, method: str, seconds: float) -> Any | None:
        """The params of the last such notification. Waits for the first one."""
        if self.connection is None or not self.connection.transport.has_stream:
            return None
        try:
            async with asyncio.timeout(seconds):
                while not any(name == method for name, _ in self.heard):
                    await asyncio.sleep(0.02)
        except TimeoutError:
            return None
        return [params for name, params in self.heard if name == method][-1]

    async def quiet(self) -> None:
        """Waits for what must not come."""
        await asyncio.sleep(self.target.quiet)

    async def _answer(self, method: str, headers: Mapping[str, str | None], body: bytes) -> Answer:
        token = {"Authorization": f"Bearer {self.target.token}"} if self.target.token else {}
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        path = changed.pop("path", None) or "/mcp"
        given = {name: value for name, value in {**token, **changed}.items() if value is not None}
        return await answer(self.target.host, self.target.port, HttpRequest(method, given, body, path), _SECONDS)

    async def _connect(self, heard: list[tuple[str, Any]]) -> tuple[ClientConnection | None, str]:
        self._greetings += 1
        endpoint = Endpoint(self.target.path or "the command line", self.target.port, self.target.token)
        connection = ClientConnection(
            endpoint, self.target.host, {}, lambda method, params: heard.append((method, params))
        )
        try:
            await connection.open()
        except (Unreachable, Failed) as error:
            await connection.close()
            return None, str(error)
        connection.listen()
        return connection, ""


def address_in(path: str) -> tuple[int, str]:
    """The port and token in a discovery file, which may be wrong otherwise."""
    try:
        found = json.loads(read_text(path))
    except Unreadable as error:
        raise PiscesError(NOTHING_TO_PROBE.at(path, error.message)) from None
    except (ValueError, RecursionError):
        raise PiscesError(NOTHING_TO_PROBE.at(path, "is not JSON")) from None
    values = found if isinstance(found, dict) else {}
    port, token = port_of(values.get("port")), values.get("authToken")
    if not port:
        raise PiscesError(NOTHING_TO_PROBE.at(path, "names no port between 1 and 65535"))
    return port, token if isinstance(token, str) else ""


def result_in(reply: ProbeReply) -> Any:
    """The JSON-RPC message of a reply, sent as JSON or as one event; None if there is none."""
    text = reply.body.decode("utf-8", "replace")
    if "text/event-stream" in reply.headers.get("content-type", ""):
        lines = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
        text = lines[0] if lines else ""
    try:
        return json.loads(text)
    except ValueError:
        return None
