"""Whatever listens at the port, our client neither fails nor hangs: it says that it cannot be talked to, or goes on."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

from pisces.ide.choosing import Choice
from pisces.ide.client.connection import Attempt, ClientConnection, connected
from pisces.ide.endpoint import Endpoint
from tests.ide.client_room import run

HEAD = b"HTTP/1.1 200 OK\r\n"
EVENTS = HEAD + b"content-type: text/event-stream\r\n"
ABOUT = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "hostile", "version": "1"}}


def _json(value: Any, head: bytes = HEAD) -> bytes:
    body = json.dumps(value).encode()
    return head + b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body


class Hostile:
    """Answers `first` to every POST, or proper answers if there is none, and `stream` to the GET."""

    def __init__(self, first: bytes | None = None, stream: bytes = EVENTS + b"\r\n") -> None:
        self._first = first
        self._stream = stream

    async def __aenter__(self) -> Hostile:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            size = next(
                (int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length")), 0
            )
            body = await reader.readexactly(size)
            writer.write(self._stream if head.startswith("get") else self._answered(body))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    def _answered(self, body: bytes) -> bytes:
        return self._proper(json.loads(body)) if self._first is None else self._first

    def _proper(self, message: dict[str, Any]) -> bytes:
        if "id" not in message or "method" not in message:
            return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
        result = {"initialize": ABOUT, "tools/list": {"tools": []}}.get(message["method"], {})
        session = HEAD + b"mcp-session-id: s\r\n"
        return _json({"jsonrpc": "2.0", "id": message["id"], "result": result}, session)


async def _reached(hostile: Hostile) -> tuple[ClientConnection | None, str]:
    """What came of it; anything that escaped into the loop fails the test."""
    escaped: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: escaped.append(context))
    async with hostile:
        choice = Choice((Endpoint("test", hostile.port, "token"),))
        found, failed = await connected(choice, {"REMOTE_CONTAINERS": "1"}, lambda *_: None)
        if found:
            found.listen()
            async with asyncio.timeout(10):
                failed.append(Attempt(found.endpoint, found.host, await asyncio.shield(found.lost)))
            await found.close()
        await asyncio.sleep(0)
    assert escaped == []
    return found, failed[-1].reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"SSH-2.0-OpenSSH\r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 999999999999 \r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 20_000 + b"\r\n", "closed"),
        (b"", "closed"),
        (b"HTTP/1.1 302 Found\r\nlocation: http://example.com/\r\ncontent-length: 0\r\n\r\n", "refused (302)"),
        (b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n", "token (401)"),
        (HEAD + b"content-length: 10\r\n\r\nshort", "closed"),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n-5\r\nabc", "does not speak HTTP"),
        (HEAD + b"transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc", "does not speak HTTP"),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\nab", "closed"),
        (HEAD + b"content-type: application/json\r\n\r\n{", "not JSON"),
        (HEAD + b"content-type: application/json\r\n\r\n" + b"[" * 50_000, "not JSON"),
        (_json([1, 2]), "not JSON-RPC"),
        (_json({"id": 1, "result": {"protocolVersion": "1999-01-01"}}), "speaks version 1999-01-01"),
        (_json({"id": 1, "result": None}), "speaks version None"),
        (_json({"id": 1, "error": {"code": 1, "message": "go away"}}), "go away"),
        (_json({"id": 1, "error": "go away"}), "go away"),
        (EVENTS + b"\r\ndata: {]\n\n", "not JSON"),
    ],
)
def test_an_answer_that_is_none_is_a_reason(answer: bytes, reason: str) -> None:
    found, told = run(_reached(Hostile(answer)))
    assert found is None
    assert reason in told


def _event(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


@pytest.mark.parametrize(
    "stream",
    [
        b"data: nonsense\n\n",
        b"id: \xc3\xa4\ndata: nonsense\n\n",
        b"id: x\r\n\r\nretry: 0\n\ndata: [1]\n\n",
        _event({"id": 99, "result": 1}) + b"data: {\n\n",
        _event({"id": True, "error": None}) + b"data: {\n\n",
        _event({"id": [], "method": "ping"}) + b"data: {\n\n",
        _event({"id": 5, "method": "sampling/createMessage"}) + b"data: {\n\n",
        _event({"method": 7}) + b"data: {\n\n",
    ],
)
def test_a_stream_of_nonsense_ends_the_connection_and_nothing_else(stream: bytes) -> None:
    assert "not JSON" in run(_reached(Hostile(stream=EVENTS + b"\r\n" + stream)))[1]


class Talkative(Hostile):
    """Tells much before it has answered the first question."""

    def _proper(self, message: dict[str, Any]) -> bytes:
        if message["method"] != "initialize":
            return super()._proper(message)
        told = [{"method": "ide/contextUpdate", "params": number} for number in range(1000)]
        told += [{"method": f"ide/other{number}", "params": number} for number in range(1000)]
        answered = {"jsonrpc": "2.0", "id": message["id"], "result": ABOUT}
        return EVENTS + b"mcp-session-id: s\r\n\r\n" + b"".join(map(_event, [*told, answered]))


def test_of_what_is_told_before_the_handshake_only_the_newest_is_kept() -> None:
    heard: list[tuple[str, Any]] = []

    async def body() -> None:
        async with Talkative() as talkative:
            endpoint = Endpoint("test", talkative.port, "token")
            found, failed = await connected(
                Choice((endpoint,)), {"REMOTE_CONTAINERS": "1"}, lambda *told: heard.append(told)
            )
            assert found, failed
            found.listen()
            await found.close()

    run(body())
    assert heard[0] == ("ide/contextUpdate", 999)
    assert len(heard) < 100


def test_no_bytes_at_all_can_break_it() -> None:
    random = Random(6)
    good = [_json({"id": 1, "result": ABOUT}), EVENTS + b"\r\n" + _event({"id": 1, "result": ABOUT})]

    async def body() -> list[str]:
        return [(await _reached(Hostile(_spoiled(random, random.choice(good)))))[1] for _ in range(150)]

    assert len(set(run(body()))) > 5


def _spoiled(random: Random, answer: bytes) -> bytes:
    spoiled = bytearray(answer)
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(spoiled))
        kind = random.random()
        if kind < 0.4:
            spoiled[at] = random.randrange(256)
        elif kind < 0.7:
            del spoiled[at : at + random.randint(1, 20)]
        else:
            spoiled[at:at] = random.randbytes(random.randint(1, 8))
    return bytes(spoiled) or b"x"
