"""Hooks that are an address: a denial counts, an allow only with a status of 2xx, and whatever goes wrong denies."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces.gates.hooks.run_http import MOST

from .session import Session, hook, verdict_of, without_leaks

INNER = {"hookEventName": "PreToolUse"}
ALLOW = json.dumps({"hookSpecificOutput": {**INNER, "permissionDecision": "allow"}})
DENY = json.dumps({"hookSpecificOutput": {**INNER, "permissionDecision": "deny"}})


def answer(body: str, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body.encode())}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


class Asked:
    """A server that gives one answer, or says nothing for ever if that is None. It remembers what it got."""

    def __init__(self, data: bytes | None) -> None:
        self.data = data
        self.got: list[bytes] = []

    async def served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            self.got.append(head + await reader.readexactly(length))
            if self.data is None:
                await reader.read()  # until the other side gives up
            else:
                writer.write(self.data)
        except asyncio.IncompleteReadError:
            pass  # the other side refused to ask
        finally:
            writer.close()


def decided(folder: Path, data: bytes | None, env: dict[str, str] | None = None, **fields: Any) -> tuple[str, Asked]:
    asked = Asked(data)

    async def play() -> str:
        server = await asyncio.start_server(asked.served, "127.0.0.1", 0)
        url = fields.pop("url", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/h?a=b")
        session = Session(folder, hook(url, type="http", url=url, **fields), env=env or {})
        verdict = await verdict_of(session)
        await session.hooks.close()
        server.close()
        await server.wait_closed()
        return verdict.decision if verdict else ""

    return without_leaks(play), asked


@pytest.mark.parametrize(
    ("data", "decision"),
    [
        (answer(DENY), "deny"),
        (answer(ALLOW), "allow"),
        (answer(ALLOW, "201 Created"), "allow"),
        (answer("{}"), ""),
        (answer(""), ""),
        (answer("", "204 No Content"), ""),
        (answer("thanks"), ""),
        (answer(ALLOW, "500 Oops"), "deny"),
        (answer(ALLOW, "403 No"), "deny"),
        (answer(ALLOW, "302 Found", "Location: http://127.0.0.1:9/"), "deny"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + ALLOW.encode(), "allow"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + ALLOW.encode(), "deny"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", ""),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", "deny"),
        (b"hello there\r\n\r\n", "deny"),
        (b"", "deny"),
        (b"x" * 200_000, "deny"),
        (answer(ALLOW + " " * MOST), "deny"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * (3 * MOST), "deny"),
    ],
)
def test_what_an_answer_means(data: bytes, decision: str, tmp_path: Path) -> None:
    assert decided(tmp_path, data)[0] == decision


def test_an_address_that_says_nothing_denies_when_its_time_is_up(tmp_path: Path) -> None:
    assert decided(tmp_path, None, timeout=0.2)[0] == "deny"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/h",
        "notaurl",
        "file:///etc/passwd",
        "http://",
        "http://u:p@127.0.0.1/",
        "http://127.0.0.1:x/",
    ],
)
def test_an_address_that_cannot_be_reached_or_used_denies(url: str, tmp_path: Path) -> None:
    assert decided(tmp_path, b"", url=url)[0] == "deny"


def test_the_event_is_the_body_and_only_named_variables_are_in_headers(tmp_path: Path) -> None:
    headers = {"X-A": "Bearer $TOKEN", "X-B": "${OTHER}!", "Content-Length": "1", "Host": "elsewhere"}
    env = {"TOKEN": "t1", "OTHER": "o1"}
    _, asked = decided(tmp_path, answer("{}"), env, headers=headers, allowedEnvVars=["TOKEN"])
    head, _, body = asked.got[0].decode().partition("\r\n\r\n")
    assert head.startswith("POST /h?a=b HTTP/1.1\r\nHost: 127.0.0.1:")
    assert "X-A: Bearer t1\r\nX-B: !" in head
    assert head.count("Content-Length") == 1
    assert json.loads(body)["tool_input"] == {"command": "echo hi"}


def test_a_value_cannot_add_a_header(tmp_path: Path) -> None:
    headers = {"X-A": "$TOKEN"}
    decision, asked = decided(
        tmp_path, answer("{}"), {"TOKEN": "a\r\nX-B: b"}, headers=headers, allowedEnvVars=["TOKEN"]
    )
    assert (decision, asked.got) == ("deny", [])
    assert decided(tmp_path, answer("{}"), headers={"X A\r\n": "b"})[0] == "deny"
