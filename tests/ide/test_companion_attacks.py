"""Whoever knocks at a companion's port without its token gets nothing, holds up nobody and costs next to nothing."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pisces.ide import Companion, CompanionOptions, Editor, Window
from pisces.ide.companion.http import MOST_HEAD, BadRequest, taken_head
from pisces.shapes.ide_context import Cursor
from tests.ide.companion_client import Client
from tests.ide.gemini_terminal import until

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HASTY = CompanionOptions(head_within=0.3, body_within=0.3, most_connections=8)


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    editor = Editor(lambda _path, _content: None, lambda _path: None)
    with Companion(Window((str(tmp_path),)), editor, env={"TMPDIR": str(tmp_path)}) as made:
        yield made


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Companion]:
    with Companion(Window(), None, HASTY, {"TMPDIR": str(tmp_path)}) as made:
        yield made


def raw(companion: Companion, data: bytes) -> bytes:
    """All that comes back until the companion hangs up."""
    with closing(dialled(companion)) as sock:
        sock.sendall(data)
        return rest_of(sock)


def dialled(companion: Companion) -> socket.socket:
    return socket.create_connection(("127.0.0.1", companion.port), timeout=15)


def rest_of(sock: socket.socket) -> bytes:
    seen = b""
    try:
        while data := sock.recv(65536):
            seen += data
    except ConnectionResetError:
        return seen
    return seen


def head(companion: Companion, *lines: str, start: str = "POST /mcp HTTP/1.1", host: str = "127.0.0.1") -> bytes:
    fixed = [start, f"Host: {host}:{companion.port}", f"Authorization: Bearer {companion.token}"]
    return "\r\n".join([*fixed, *lines, "", ""]).encode()


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    "scheme", ["", "Bearer", "Bearer ", "Bearer {0}x", "Bearer {0} x", "Basic {0}", "{0}", "Bearer  {0}"]
)
def test_without_the_right_token_there_is_nothing(companion: Companion, scheme: str) -> None:
    for method in ("POST", "GET", "DELETE", "PUT"):
        stranger = Client(companion.port, companion.token)
        given = scheme.format(companion.token)
        status, fields, body = stranger.request(method, json.dumps(PING).encode(), Authorization=given)
        assert (status, body) == (401, b"Unauthorized")
        assert "mcp-session-id" not in fields


def test_a_token_elsewhere_than_in_its_header_does_not_count(companion: Companion) -> None:
    stranger = Client(companion.port, "")
    cookie = f"token={companion.token}"
    for path in (f"/mcp?token={companion.token}", f"/mcp?access_token={companion.token}"):
        status, _, body = stranger.request(
            "POST", json.dumps(PING).encode(), path, Cookie=cookie, X_Token=companion.token
        )
        assert (status, body) == (401, b"Unauthorized")


def test_every_start_has_a_token_of_256_bits_of_its_own(tmp_path: Path) -> None:
    tokens = set()
    companion = Companion(Window(), env={"TMPDIR": str(tmp_path)})
    for _ in range(3):
        with companion:
            tokens.add(companion.token)
    assert len(tokens) == 3
    assert {len(bytes.fromhex(token)) for token in tokens} == {32}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:{0}", "http://127.0.0.1:{0}", ""])
def test_a_web_page_gets_nothing_even_with_the_token(companion: Companion, origin: str) -> None:
    page = Client(companion.port, companion.token)
    for method in ("POST", "GET", "OPTIONS"):
        status, fields, body = page.request(method, json.dumps(PING).encode(), Origin=origin.format(companion.port))
        assert (status, json.loads(body)) == (403, {"error": "Request denied by CORS policy."})
        assert not [name for name in fields if name.startswith("access-control")]


REBOUND = ["evil.example:{0}", "127.0.0.1", "localhost", "127.0.0.1:1", "localhost.evil.example:{0}", "[::1]:{0}", ""]


@pytest.mark.parametrize("host", [*REBOUND, "host.docker.internal:{0}", "0.0.0.0:{0}", "127.0.0.1:{0}.", "127.1:{0}"])
def test_a_name_that_was_bent_to_this_machine_is_refused(companion: Companion, host: str) -> None:
    client = Client(companion.port, companion.token)
    status, _, body = client.request("POST", json.dumps(PING).encode(), Host=host.format(companion.port))
    assert (status, json.loads(body)) == (403, {"error": "Invalid Host header"})


def test_a_request_without_a_host_is_refused(companion: Companion) -> None:
    line = f"POST /mcp HTTP/1.0\r\nAuthorization: Bearer {companion.token}\r\n\r\n"
    assert status_of(raw(companion, line.encode())) == 403


def test_containers_are_let_in_where_the_editor_says_so(tmp_path: Path) -> None:
    with Companion(Window(), None, CompanionOptions(containers=True), {"TMPDIR": str(tmp_path)}) as companion:
        client = Client(companion.port, companion.token)
        for name in ("host.docker.internal", "127.0.0.1", "LOCALHOST"):
            assert client.post(PING, Host=f"{name}:{companion.port}")[0] == 400, "let in, but it has no session"
        assert client.post(PING, Host=f"evil.example:{companion.port}")[0] == 403


TWICE = ["Host: evil.example", "Authorization: Bearer x", "Content-Length: 2\r\nContent-Length: 3"]
ODD = [
    *TWICE,
    "Content-Length: -1",
    "Content-Length: 0x10",
    "Content-Length: 1 1",
    " folded: x",
    "no colon",
    "a b: c",
    "a:\0",
    "a:" + " " * 15_000 + "\0",  # a pattern that goes back and forth would take seconds
]


@pytest.mark.parametrize("line", ODD)
def test_what_could_be_read_in_two_ways_is_refused(companion: Companion, line: str) -> None:
    answer = raw(companion, head(companion, line) + b"{}{}")
    assert status_of(answer) == 400
    assert answer.count(b"HTTP/1.1") == 1, "and nothing that follows is read as a request"


def test_a_body_without_a_length_is_refused_and_cannot_hide_a_second_request(companion: Companion) -> None:
    hidden = head(companion, "Content-Length: 0", start="DELETE /mcp HTTP/1.1")
    answer = raw(companion, head(companion, "Transfer-Encoding: chunked", "Content-Length: 4") + b"0\r\n\r\n" + hidden)
    assert status_of(answer) == 411
    assert answer.count(b"HTTP/1.1") == 1


def test_an_oversized_body_is_refused_before_it_is_sent(companion: Companion) -> None:
    length = f"Content-Length: {CompanionOptions().most_body + 1}"
    assert status_of(raw(companion, head(companion, length, "Expect: 100-continue"))) == 413
    stranger = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{companion.port}\r\n{length}\r\n\r\n"
    assert status_of(raw(companion, stranger.encode())) == 401


def test_a_client_that_sends_an_oversized_body_anyway_can_read_why(companion: Companion) -> None:
    with closing(dialled(companion)) as sock:
        sock.sendall(head(companion, f"Content-Length: {10**12}") + b"x" * 500_000)
        assert status_of(rest_of(sock)) == 413


@pytest.mark.parametrize("flood", ["x: y\r\n" * 101, "x: " + "y" * MOST_HEAD + "\r\n", "x" * MOST_HEAD])
def test_a_flood_of_headers_ends_at_a_few_kilobytes(companion: Companion, flood: str) -> None:
    assert status_of(raw(companion, b"GET /mcp HTTP/1.1\r\n" + flood.encode() + b"\r\n")) == 431


@pytest.mark.parametrize(
    "noise",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET\r\n\r\n", b"\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\n"],
)
def test_what_is_not_http_is_refused(companion: Companion, noise: bytes) -> None:
    assert status_of(raw(companion, noise)) == 400


def test_connections_that_say_nothing_or_stop_halfway_are_closed(hasty: Companion) -> None:
    assert raw(hasty, b"") == b""
    assert status_of(raw(hasty, b"POST /mcp HTTP/1.1\r\nHost: ")) == 408
    assert status_of(raw(hasty, head(hasty, "Content-Length: 10") + b"{")) == 408


def test_a_drip_of_bytes_does_not_keep_a_connection_open(hasty: Companion) -> None:
    start, tick = monotonic(), threading.Event()
    with closing(dialled(hasty)) as sock:
        try:
            for byte in head(hasty, "Content-Length: 10") * 3:
                sock.sendall(bytes([byte]))
                tick.wait(0.02)
        except OSError:
            assert monotonic() - start < 5
            return
    pytest.fail("it was never closed")


def test_a_crowd_of_idle_strangers_locks_nobody_out(hasty: Companion) -> None:
    crowd = [dialled(hasty) for _ in range(40)]
    try:
        with Client(hasty.port, hasty.token).connect() as client:
            assert client.next() == {"workspaceState": {"openFiles": []}}
            crowd += [dialled(hasty) for _ in range(40)]
            hasty.trust(True)
            assert client.next()["workspaceState"]["isTrusted"] is True
    finally:
        for sock in crowd:
            sock.close()


def test_pipelined_requests_are_answered_in_order(companion: Companion) -> None:
    with Client(companion.port, companion.token).connect() as client, closing(dialled(companion)) as sock:
        count = 2_000
        requests = [_call(companion, client, {**PING, "id": number}) for number in range(count)]
        requests[7] = _call(companion, client, _open_diff(7))  # waits for the editor
        sender = threading.Thread(target=sock.sendall, args=(b"".join(requests),))
        sender.start()
        seen, left = bytearray(), count
        while left:
            data = sock.recv(1 << 20)
            assert data
            left = count - (seen := seen + data).count(b'"result"')
        sender.join()
    ids = [int(each.split(b",", 1)[0]) for each in seen.split(b'"id":')[1:]]
    assert ids == list(range(count))


def test_a_client_that_asks_much_and_reads_nothing_is_let_go(tmp_path: Path) -> None:
    options = CompanionOptions(body_within=0.3)
    editor = Editor(lambda _path, _content: None, lambda _path: "x" * 4_000_000)
    with (
        Companion(Window(), editor, options, {"TMPDIR": str(tmp_path)}) as companion,
        Client(companion.port, companion.token).connect() as client,
        closing(dialled(companion)) as sock,
    ):
        close = {"name": "closeDiff", "arguments": {"filePath": "/a"}}
        for number in range(0, 100, 2):
            sock.sendall(_call(companion, client, _open_diff(number)))
            sock.sendall(_call(companion, client, {**PING, "id": number, "method": "tools/call", "params": close}))
        assert until(lambda: _is_reset(sock))
        assert client.ask("ping")["result"] == {}, "others are served"


def test_a_slow_client_never_delays_the_others(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.touch()
    with Client(companion.port, companion.token).connect() as quick, Client(companion.port, companion.token) as slow:
        slow.session = slow.post({**PING, "method": "initialize"})[1]["mcp-session-id"]
        with closing(socket.socket()) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect(("127.0.0.1", companion.port))
            sock.sendall(head(companion, f"Mcp-Session-Id: {slow.session}", start="GET /mcp HTTP/1.1"))
            quick.next()
            worst, last = 0.0, 400
            for line in range(1, last + 1):
                start = monotonic()
                companion.open_files.focus(str(file), Cursor(line, 1), "🐟" * 8192)
                if line % 20 == 0:
                    while quick.next()["workspaceState"]["openFiles"][0]["cursor"]["line"] != line:
                        continue
                    worst = max(worst, monotonic() - start)
            assert worst < 1.0
            sock.settimeout(15)
            seen = b""
            while b'"line":%d,' % last not in seen:  # whatever it missed, it hears the newest
                data = sock.recv(1 << 20)
                assert data
                seen = seen[-200:] + data


def _open_diff(id: int) -> dict[str, Any]:
    params = {"name": "openDiff", "arguments": {"filePath": "/a", "newContent": "b"}}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def _call(companion: Companion, client: Client, message: dict[str, Any]) -> bytes:
    body = json.dumps(message).encode()
    return head(companion, f"Mcp-Session-Id: {client.session}", f"Content-Length: {len(body)}") + body


def _is_reset(sock: socket.socket) -> bool:
    try:
        sock.sendall(b"GET")
    except OSError:
        return True
    return False


PIECES = [
    b"GET /mcp HTTP/1.1",
    b"POST",
    b" ",
    b"\r\n",
    b"\n",
    b"\r",
    b":",
    b"Host: x",
    b"Content-Length: 3",
    b"\0",
    b"\xff",
    b"a",
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=30).map(b"".join), st.data())
def test_any_bytes_are_a_head_or_refused_wherever_they_are_cut(stream: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(stream)))
    assert _first_head(stream) == _first_head(stream[:at], stream[at:])


def _first_head(*parts: bytes) -> Any:
    buffer = bytearray()
    for part in parts:
        buffer += part
        try:
            if head := taken_head(buffer):
                return head
        except BadRequest as refused:
            return refused.status, refused.message
    return None


NONSENSE: list[tuple[bytes, int]] = [
    (b"", -32700),
    (b"{", -32700),
    (b"\xff\xfe", -32700),
    (b"[" * 100_000, -32700),
    (b"[]", -32600),
    (b"[" + b",".join([json.dumps(PING).encode()] * 51) + b"]", -32600),
    (b"1", -32600),
    (b'{"id": 1, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": ""}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "result": {}}', -32600),
    (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700),
    (b'{"jsonrpc": "2.0", "id": Infinity, "method": "ping"}', -32700),
    (b'{"jsonrpc": "2.0", "id": -Infinity, "method": "initialize"}', -32700),
    (b'{"jsonrpc": "2.0", "id": 1e999, "method": "ping"}', -32700),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}', -32700),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1e999]}', -32700),
    (b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "ping"}', -32700),
    (b'{"jsonrpc": "2.0", "id": ' + b"9" * 50 + b', "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 9007199254740992, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1e300, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "initialize"}', -32600),
    (b'{"jsonrpc": "2.0", "id": null, "result": {}}', -32600),
    (b'{"jsonrpc": "2.0", "id": [1], "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "\\udfff"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', -32700),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "initialize"}', -32700),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": 1, "a": 2}}', -32700),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": NaN, "method": "ping"}]', -32700),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": null, "method": "ping"}]', -32600),
    ('{"jsonrpc": "2.0", "id": 1, "method": "ping"}'.encode("utf-16"), -32700),
    ('{"jsonrpc": "2.0", "id": 1, "method": "ping"}'.encode("utf-32-le"), -32700),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping"} {}', -32700),
    (b'{"jsonrpc": "2.0", "id": "a\nb", "method": "ping"}', -32700),
]


@pytest.mark.parametrize(("body", "code"), NONSENSE)
def test_nonsense_is_answered_with_an_error_of_json_rpc(companion: Companion, body: bytes, code: int) -> None:
    status, _, told = Client(companion.port, companion.token).request("POST", body)
    assert status == 400
    assert json.loads(told)["error"]["code"] == code
    assert json.loads(told)["id"] is None


def test_sessions_must_be_known(companion: Companion) -> None:
    client = Client(companion.port, companion.token)
    assert client.post(PING)[0] == 400
    assert client.request("GET")[0] == 400
    client.session = "0" * 32
    assert client.post(PING)[0] == 404
    assert client.request("GET")[0] == 404
    assert client.request("DELETE")[0] == 404


def test_the_rest_of_the_protocol(companion: Companion) -> None:
    with Client(companion.port, companion.token).connect("1999-01-01") as client:
        assert client.ask("ping")["result"] == {}
        assert client.ask("resources/list")["error"]["code"] == -32601
        again = client.post([{**PING, "method": "initialize"}, PING])[2]
        assert again[0]["error"]["code"] == -32600
        batch = client.post([PING, {"jsonrpc": "2.0", "method": "notifications/x"}, {**PING, "id": "b"}])[2]
        assert [each["id"] for each in batch] == [1, "b"]
        for id in ("text", "", 0, -1, 2**53 - 1):
            assert client.post({**PING, "id": id})[2]["id"] == id
        assert b'"id":7,' in client.request("POST", json.dumps({**PING, "id": 7.0}).encode())[2]
        status, _, told = client.post(PING, MCP_Protocol_Version="1999-01-01")
        assert (status, "2025-06-18" in told["error"]["message"]) == (400, True)
        assert client.post(PING, MCP_Protocol_Version="2025-06-18")[0] == 200
        assert client.request("PUT")[0] == 405
        assert client.request("POST", b"{}", "/other")[0] == 404
        assert client.post({"jsonrpc": "2.0", "id": 5, "result": {}})[0] == 202
