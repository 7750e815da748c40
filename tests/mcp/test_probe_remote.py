"""Servers that are reached by address keep the same rules, and what is wrong with reaching one is said in words."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from pisces.discovery.found import USER, Found, Source
from pisces.mcp.plan import ServerPlan
from pisces.mcp.probe.check import BROKEN, PASSED, CheckOutcome, checked
from pisces.mcp.probe.subject import ServerTarget
from pisces.places import Places
from pisces.shapes.mcp_server import AUTO, HTTP, SSE, McpServer

PEERS = Path(os.environ.get("PISCES_PEERS", Path(__file__).resolve().parents[2] / ".peers"))
EVERYTHING = PEERS / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def everything(kind: str) -> Iterator[int]:
    node = shutil.which("node")
    if node is None or not EVERYTHING.exists():
        pytest.skip("./scripts/setup-peers installs it")
    port = free_port()
    env = {"PATH": os.environ["PATH"], "PORT": str(port)}
    pipe, merged = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen([node, str(EVERYTHING), kind], env=env, stdout=pipe, stderr=merged) as process:
        try:
            assert process.stdout
            said = b""
            while str(port).encode() not in said:  # it says when it listens
                said = process.stdout.readline()
                assert said, "the server never listened"
            yield port
        finally:
            process.kill()


def probe(url: str, transport: str, folder: Path) -> list[CheckOutcome]:
    found = Found(McpServer("far", {"url": url}, "", ()), Source("", "", "", USER))
    places = Places(str(folder), str(folder), {"PATH": os.environ["PATH"], "HOME": str(folder)})
    plan = ServerPlan("far", found, transport=transport, url=url, cwd=str(folder), start_seconds=20, places=places)
    return asyncio.run(checked(ServerTarget(plan, places, seconds=20)))


def broken(outcomes: list[CheckOutcome]) -> dict[str, str]:
    return {each.check.rule.code: each.problems[0].message for each in outcomes if each.verdict == BROKEN}


@pytest.mark.parametrize(("kind", "path", "transport"), [("streamableHttp", "mcp", HTTP), ("sse", "sse", SSE)])
def test_an_official_server_breaks_no_rule(kind: str, path: str, transport: str, tmp_path: Path) -> None:
    with everything(kind) as port:
        outcomes = probe(f"http://127.0.0.1:{port}/{path}", transport, tmp_path)
    assert broken(outcomes) == {}
    assert sum(each.verdict == PASSED for each in outcomes) > 25


def test_an_address_that_does_not_say_how_is_tried_in_the_older_way_too(tmp_path: Path) -> None:
    with everything("sse") as port:
        assert broken(probe(f"http://127.0.0.1:{port}/sse", AUTO, tmp_path)) == {}


def test_where_nobody_listens_is_one_finding(tmp_path: Path) -> None:
    outcomes = probe(f"http://127.0.0.1:{free_port()}/mcp", HTTP, tmp_path)
    assert list(broken(outcomes)) == ["mcp-start"]


class _GoHabit(BaseHTTPRequestHandler):
    """A server of which only this matters: it says by the status of HTTP that there is no such method."""

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message["method"]
        answer: dict[str, object] = {}
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            about = {"name": "go", "version": "1"}
            answer = {"protocolVersion": version, "capabilities": {}, "serverInfo": about}
        body = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": answer}).encode()
        self.send_response(200 if method in ("initialize", "ping") else 202 if "id" not in message else 400)
        self.send_header("Content-Type", "application/json" if method in ("initialize", "ping") else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Nothing on stderr."""


def test_an_unknown_method_may_be_refused_by_the_status_of_http(tmp_path: Path) -> None:
    server = HTTPServer(("127.0.0.1", 0), _GoHabit)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        outcomes = probe(f"http://127.0.0.1:{server.server_port}/mcp", HTTP, tmp_path)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert "mcp-unknown-method" in [each.check.rule.code for each in outcomes if each.verdict == PASSED]


class _WantsLogin(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Bearer")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST  # noqa: N815  # as the standard library calls it

    def log_message(self, *_words: object) -> None:
        """Nothing on stderr."""


def test_a_server_that_wants_a_login_says_with_which_command(tmp_path: Path) -> None:
    server = HTTPServer(("127.0.0.1", 0), _WantsLogin)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        said = broken(probe(f"http://127.0.0.1:{server.server_port}/mcp", HTTP, tmp_path))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert "pisces mcp login far" in said["mcp-start"]
