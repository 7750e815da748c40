"""`pisces mcp serve --http`: a token, sessions, several clients at once, and nobody else."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.serving.served import SECONDS, SERVE, VERSION, World

TOKEN = "a-token-that-nobody-guesses"
_FACTS = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class HttpClient:
    """`session` is the id that the server gave."""

    def __init__(self, port: int, token: str = TOKEN) -> None:
        self.port, self.session = port, ""
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def sent(self, method: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        given = {**self.headers, **({"Mcp-Session-Id": self.session} if self.session else {}), **headers}
        try:
            connection.request(method, "/mcp", body, {name: value for name, value in given.items() if value})
            response = connection.getresponse()
            self.session = response.getheader("mcp-session-id") or self.session
            return response.status, response.read()
        finally:
            connection.close()

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, **({} if params is None else {"params": params})}
        found: dict[str, Any] = json.loads(self.sent("POST", json.dumps(message).encode())[1])
        return found

    def greet(self, capabilities: Any = None) -> None:
        self.ask("initialize", {**_FACTS, "capabilities": capabilities or {}})
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert self.sent("POST", json.dumps(note).encode())[0] == 202

    def events(self) -> Iterator[dict[str, Any]]:
        """What comes on the stream."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request("GET", "/mcp", headers={**self.headers, "Mcp-Session-Id": self.session})
            response = connection.getresponse()
            while line := response.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            connection.close()


@contextmanager
def listening(world: World, *options: str, env: Any = None) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    given = {**world.env, **({"PISCES_MCP_TOKEN": TOKEN} if env is None else env)}
    process = subprocess.Popen(
        [*SERVE, "--http", "0", *options], cwd=world.cwd, env=given, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        found = re.search(r":(\d+)/mcp", said)
        assert found, said
        yield int(found[1]), process
    finally:
        process.terminate()
        process.wait(SECONDS)
        process.stderr.close()


def test_a_client_with_the_token_lists_and_calls(world: World) -> None:
    world.tools()
    world.allow("shout")
    with listening(world) as (port, process):
        client = HttpClient(port)
        client.greet()
        assert "shout" in [each["name"] for each in client.ask("tools/list")["result"]["tools"]]
        called = client.ask("tools/call", {"name": "shout", "arguments": {"text": "x"}})
        assert called["result"]["content"][0]["text"] == "X"
        assert client.ask("tools/call", {"name": "noisy", "arguments": {}})["result"]["isError"] is True
        assert client.sent("DELETE")[0] == 200
        assert client.sent("POST", b'{"jsonrpc":"2.0","id":1,"method":"ping"}')[0] == 404
        process.terminate()
        assert process.wait(SECONDS) == 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer wrong-token-of-some-length"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:80"}, 403),
        ({"MCP-Protocol-Version": "1999-01-01"}, 400),
    ],
)
def test_nobody_else_gets_in(world: World, headers: dict[str, str], status: int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _FACTS}).encode()
    with listening(world) as (port, _process):
        for method in ("POST", "GET", "DELETE"):
            assert HttpClient(port).sent(method, body if method == "POST" else b"", **headers)[0] == status


def test_a_request_needs_a_session(world: World) -> None:
    with listening(world) as (port, _process):
        client = HttpClient(port)
        assert client.sent("POST", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')[0] == 400
        client.session = "made-up"
        assert client.sent("POST", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')[0] == 404
        assert client.sent("GET")[0] == 404
        assert client.sent("POST", b"[]")[0] == 400
        assert client.sent("POST", b"\xff")[0] == 400


def test_clients_do_not_see_each_other(world: World) -> None:
    """Each may use the same ids, and cancels only its own."""
    world.tools()
    world.allow("shout", "slow", "grow")
    with listening(world) as (port, _process):
        first, second = HttpClient(port), HttpClient(port)
        first.greet()
        second.greet()
        assert first.session != second.session
        answers: list[Any] = []
        slow = {"name": "slow", "arguments": {"seconds": 1}}
        waiting = threading.Thread(target=lambda: answers.append(first.ask("tools/call", slow)))
        waiting.start()
        note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        assert second.sent("POST", json.dumps(note).encode())[0] == 202
        second.ask("tools/call", {"name": "grow", "arguments": {}})
        waiting.join(SECONDS)
        assert answers[0]["result"]["content"][0]["text"] == "slept"
        assert "grown" not in [each["name"] for each in first.ask("tools/list")["result"]["tools"]]
        assert "grown" in [each["name"] for each in second.ask("tools/list")["result"]["tools"]]


def test_a_cancelled_request_is_answered_at_once(world: World) -> None:
    world.tools()
    world.allow("slow")
    with listening(world) as (port, _process):
        client = HttpClient(port)
        client.greet()
        answers: list[Any] = []
        slow = {"name": "slow", "arguments": {"seconds": 60}}
        waiting = threading.Thread(target=lambda: answers.append(client.ask("tools/call", slow)))
        waiting.start()
        note = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}).encode()
        while waiting.is_alive():
            client.sent("POST", note)
            waiting.join(0.1)
        assert "cancelled" in answers[0]["error"]["message"]


def test_a_question_goes_to_the_stream_of_its_own_client(world: World) -> None:
    world.tools()
    with listening(world) as (port, _process):
        client, other = HttpClient(port), HttpClient(port)
        client.greet({"elicitation": {}})
        other.greet({"elicitation": {}})
        call = {"name": "shout", "arguments": {"text": "x"}}
        assert other.ask("tools/call", call)["result"]["isError"] is True  # it opened no stream
        events = client.events()
        threading.Thread(target=_answer, args=(client, events), daemon=True).start()
        while (result := client.ask("tools/call", call)["result"]).get("isError"):
            assert "nobody can be asked" in result["content"][0]["text"]  # the stream is not open yet
        assert result["content"][0]["text"] == "X"


def _answer(client: HttpClient, events: Iterator[dict[str, Any]]) -> None:
    for event in events:
        answer = {"action": "accept", "content": {"decision": "allow"}}
        body = json.dumps({"jsonrpc": "2.0", "id": event["id"], "result": answer}).encode()
        client.sent("POST", body)


def test_a_new_token_is_written_to_a_private_file_and_read_again(world: World) -> None:
    file = world.home / "keys" / "token"
    for _ in range(2):
        with listening(world, "--token-file", str(file), env={}) as (port, _process):
            client = HttpClient(port, file.read_text().strip())
            client.greet()
            assert client.ask("ping")["result"] == {}
    assert len(file.read_text().strip()) > 30
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600


def test_without_a_file_the_token_is_shown_once(world: World) -> None:
    with listening(world, env={}) as (port, process):
        assert process.stderr is not None
        found = re.search(r"Bearer (\S+?)`", process.stderr.readline())
        assert found
        client = HttpClient(port, found[1])
        client.greet()
        assert client.ask("ping")["result"] == {}


def _refused(world: World, *options: str, **env: str) -> str:
    done = subprocess.run(
        [*SERVE, *options], cwd=world.cwd, env={**world.env, **env}, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 1
    return done.stderr + done.stdout


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_a_token_that_others_can_read_or_guess_is_refused(world: World) -> None:
    file = world.write("token", "a-token-of-a-good-length")
    file.chmod(0o644)
    assert "mcp-token-unsafe" in _refused(world, "--http", "0", "--token-file", str(file))
    file.chmod(0o600)
    file.write_text("short")
    assert "mcp-token-unsafe" in _refused(world, "--http", "0", "--token-file", str(file))
    assert "mcp-token-unsafe" in _refused(world, "--http", "0", PISCES_MCP_TOKEN="x")
    (world.cwd / "link").symlink_to(file)
    assert "mcp-token-unsafe" in _refused(world, "--http", "0", "--token-file", "link")


@pytest.mark.parametrize("address", ["http://localhost", "99999", "x", "a:b:1", "[::1"])
def test_an_address_that_is_none_is_refused(world: World, address: str) -> None:
    assert "mcp-address" in _refused(world, "--http", address, PISCES_MCP_TOKEN=TOKEN)


def test_a_port_that_is_taken_is_reported(world: World) -> None:
    with listening(world) as (port, _process):
        assert "mcp-address" in _refused(world, "--http", str(port), PISCES_MCP_TOKEN=TOKEN)
