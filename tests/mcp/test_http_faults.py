"""What a server over HTTP does wrong costs its own callers, at once, and no memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pisces.mcp.client import FAILED, UP
from pisces.mcp.connection import ServerAsks, ServerError, ServerGone
from pisces.mcp.plan import ServerPlan
from pisces.shapes.mcp_server import HTTP, SSE
from tests.mcp.faulty import SERVERS, found, said
from tests.mcp.real_servers import Reached, free_port, listening


@contextmanager
def reached(fault: str, home: Path, kind: str = HTTP) -> Iterator[Reached]:
    port = free_port()
    with listening((sys.executable, str(SERVERS / "client_http.py"), fault, str(port)), port, home):
        plan = ServerPlan("web", found("web"), transport=kind, url=f"http://127.0.0.1:{port}/mcp", call_seconds=20.0)
        server = Reached(plan, ServerAsks())
        try:
            yield server
        finally:
            server.close()


@pytest.mark.parametrize("fault", ["huge", "bomb", "huge_event", "not_json", "page", "elsewhere"])
def test_an_answer_that_is_none_is_an_error_at_once_and_the_next_call_works(fault: str, tmp_path: Path) -> None:
    with reached(fault, tmp_path) as server:
        began = time.monotonic()
        with pytest.raises(ServerError):
            server.call("fault")
        assert time.monotonic() - began < 15
        if server.client.state == UP:
            assert said(server.call("echo")) == "here"
        else:  # what broke the connection itself is told, and the server may be started again
            assert server.client.state == FAILED
            assert server.client.reason


def test_a_session_that_the_server_has_forgotten_is_made_anew(tmp_path: Path) -> None:
    with reached("forgotten", tmp_path) as server:
        with pytest.raises(ServerGone):
            server.call("fault")
        assert server.client.state == FAILED
        assert server.client.reason == "its session is over"
        deadline = time.monotonic() + 10
        while server.client.state != UP:
            assert time.monotonic() < deadline
            try:
                server.run(server.client.start())
            except ServerGone:
                time.sleep(0.05)
        assert said(server.call("echo")) == "here"


def test_a_server_that_is_gone_fails_the_call_and_says_so(tmp_path: Path) -> None:
    with reached("dies", tmp_path) as server:
        with pytest.raises(ServerError):
            server.call("fault")
        with pytest.raises(ServerError):
            server.call("echo")


def test_a_server_that_does_not_let_go_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with reached("slow_end", tmp_path) as server:
        assert said(server.call("echo")) == "here"
        began = time.monotonic()
        server.run(server.client.close())
        assert time.monotonic() - began < 5


def test_a_message_that_is_refused_over_sse_fails_its_call_at_once(tmp_path: Path) -> None:
    with reached("refused", tmp_path, SSE) as server:
        began = time.monotonic()
        with pytest.raises(ServerGone, match="HTTP 500"):
            server.call("echo")
        assert time.monotonic() - began < 10
        assert server.client.state == FAILED


def test_a_handshake_that_is_refused_over_sse_is_no_wait(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(ServerGone, match="HTTP 500"), reached("refused_at_start", tmp_path, SSE):
        pass
    assert time.monotonic() - began < 20
