"""A login against the SDK's own authorization server, and what becomes of its tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from pisces.mcp.login import log_in, log_out
from pisces.mcp.oauth_bearer import Bearer
from pisces.mcp.tokens import TokenStore
from tests.mcp.oauth_plans import home_in, remote, somebody
from tests.mcp.servers.oauth_sdk import Running, authorizing_server

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.fixture
def server() -> Iterator[Running]:
    with authorizing_server() as running:
        yield running


async def status(server: Running, bearer: Bearer) -> int:
    async with httpx2.AsyncClient(auth=bearer, trust_env=False) as client:
        headers = {"Accept": "application/json, text/event-stream"}
        return (await client.post(server.url, json=INITIALIZE, headers=headers)).status_code


def bearer_of(server: Running, home: Path) -> Bearer:
    places = home_in(home)
    return Bearer(remote(server.url), TokenStore(places), places.env)


def log_in_here(server: Running, home: Path) -> None:
    places = home_in(home)
    asyncio.run(log_in(remote(server.url), TokenStore(places), places.env, somebody()))


def test_a_login_finds_registers_proves_and_stores(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    assert server.provider.log == ["register", "authorize", "code"]
    assert server.provider.resources == [server.url]
    assert asyncio.run(status(server, bearer_of(server, tmp_path))) == 200


def test_without_a_login_the_reason_names_the_command(server: Running, tmp_path: Path) -> None:
    bearer = bearer_of(server, tmp_path)
    assert asyncio.run(status(server, bearer)) == 401
    assert bearer.reason == "needs login: `pisces mcp login remote`"


def test_a_second_login_uses_the_registered_client_again(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    log_in_here(server, tmp_path)
    assert server.provider.log == ["register", "authorize", "code", "authorize", "code"]


def test_no_token_is_readable_on_the_disk(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert path.stat().st_mode & 0o077 == 0, path
        assert not any(token.encode() in path.read_bytes() for token in server.provider.every_token), path


def test_logout_revokes_both_tokens(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    places = home_in(tmp_path)
    grant = TokenStore(places).find(server.url, "")
    assert grant
    assert asyncio.run(log_out(grant, places.env))
    assert (server.provider.access, server.provider.refresh) == ({}, {})
