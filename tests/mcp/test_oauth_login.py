"""A login against the SDK's own authorization server, and what becomes of its tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from pisces.mcp.client import McpClient
from pisces.mcp.connection import ServerAsks, ServerError
from pisces.mcp.login import log_in, log_out
from pisces.mcp.oauth_bearer import Bearer
from pisces.mcp.tokens import TokenStore
from tests.mcp.oauth_plans import allow, home_in, remote, somebody
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


def test_a_host_calls_tools_with_the_token_and_renews_it_by_itself(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    client = McpClient(remote(server.url, places=home_in(tmp_path)), ServerAsks(), allow)

    async def calls() -> list[object]:
        first = await client.call("only", {})
        server.provider.access.clear()
        second = await client.call("only", {})
        await client.close()
        return [first["content"], second["content"]]

    assert asyncio.run(calls()) == [[{"type": "text", "text": "done"}]] * 2
    assert server.provider.log[-1] == "refresh"


def test_a_login_that_ends_in_the_middle_is_the_reason_of_the_call_that_fails(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    client = McpClient(remote(server.url, places=home_in(tmp_path)), ServerAsks(), allow)

    async def reason() -> str:
        await client.call("only", {})
        server.provider.access.clear()
        server.provider.refresh.clear()
        with pytest.raises(ServerError) as error:
            await client.call("only", {})
        await client.close()
        return str(error.value)

    assert asyncio.run(reason()) == "needs login: `pisces mcp login remote` (the last one has ended)"


def test_more_scopes_than_the_client_was_registered_for_are_asked_for(server: Running, tmp_path: Path) -> None:
    log_in_here(server, tmp_path)
    places = home_in(tmp_path)
    grant = asyncio.run(log_in(remote(server.url), TokenStore(places), places.env, somebody(scopes=("more",))))
    assert sorted(grant.scope.split()) == ["more", "use"]


def test_the_address_that_a_browser_on_another_machine_ended_on_can_be_pasted(server: Running, tmp_path: Path) -> None:
    places, ended = home_in(tmp_path), []

    async def show(url: str) -> None:
        async with httpx2.AsyncClient(trust_env=False) as browser:
            ended.append((await browser.get(url)).headers["location"])

    async def paste() -> str:
        return f"  {ended[0]}\n"

    asyncio.run(log_in(remote(server.url), TokenStore(places), places.env, somebody(show=show, paste=paste)))
    assert asyncio.run(status(server, bearer_of(server, tmp_path))) == 200
