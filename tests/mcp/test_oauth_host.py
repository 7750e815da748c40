"""A host with servers that want a login: it never opens a browser, and uses a login that somebody made."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces.host.host import Host
from pisces.mcp.client import FAILED, UP, McpClient
from pisces.mcp.connection import ServerAsks, ServerError, ServerGone
from pisces.mcp.login import log_in
from pisces.mcp.tokens import TokenStore
from pisces.places import Places
from pisces.shapes.mcp_server import AUTO, SSE
from tests.mcp.oauth_plans import allow, home_in, remote, somebody
from tests.mcp.servers.oauth_sdk import authorizing_server, authorizing_sse_server
from tests.mcp.servers.oauth_web import speaks, web


def world(home: Path, **servers: Any) -> Places:
    (home / "work").mkdir()
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text(json.dumps({"mcpServers": servers}))
    return home_in(home).replace(cwd=str(home / "work"))


async def _states(places: Places) -> dict[str, tuple[str, str]]:
    async with Host.open(places, approve=lambda _request, _questions: True) as host:
        await host.connect()
        return {name: (each.state, each.reason) for name, each in host.servers.items()}


def test_a_server_that_wants_a_login_fails_alone_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", f"touch {tmp_path}/opened")
    with authorizing_server() as server, web(speaks) as other:
        places = world(tmp_path, secured={"httpUrl": server.url}, free={"httpUrl": other.url})
        states = asyncio.run(_states(places))
        assert states["secured"] == (FAILED, "needs login: `pisces mcp login secured`")
        assert states["free"] == (UP, "")
        assert server.provider.log == []
        assert not (tmp_path / "opened").exists()


def test_a_login_is_used_by_every_host_of_the_user(tmp_path: Path) -> None:
    with authorizing_server() as server:
        places = world(tmp_path, secured={"httpUrl": server.url})
        asyncio.run(log_in(remote(server.url), TokenStore(places), places.env, somebody()))
        assert asyncio.run(_states(places))["secured"] == (UP, "")
        assert asyncio.run(_states(places))["secured"] == (UP, "")
        assert server.provider.log == ["register", "authorize", "code"]


@pytest.mark.parametrize("transport", [SSE, AUTO])
def test_a_server_of_the_older_transport_is_logged_in_to_and_called(transport: str, tmp_path: Path) -> None:
    with authorizing_sse_server() as server:
        places = home_in(tmp_path)
        plan = remote(server.url, transport=transport, places=places)

        async def story() -> tuple[str, str]:
            client = McpClient(plan, ServerAsks(), allow)
            with pytest.raises(ServerGone):
                await client.tools()
            reason = client.reason
            await client.close()
            await log_in(plan, TokenStore(places), places.env, somebody())
            client = McpClient(plan, ServerAsks(), allow)
            said = (await client.call("only", {}))["content"][0]["text"]
            await client.close()
            return reason, said

        assert asyncio.run(story()) == ("needs login: `pisces mcp login remote`", "done")


def test_a_stream_that_names_another_origin_gets_nothing(tmp_path: Path) -> None:
    """The first event of the older transport says where messages go."""
    with web(speaks) as thief:
        event = f"event: endpoint\ndata: {thief.url}/messages\n\n".encode()
        with web(lambda *_: (200, {"Content-Type": "text/event-stream"}, event)) as server:
            headers = {"X-Key": "k3y"}
            plan = remote(server.url, transport=SSE, headers=headers, places=home_in(tmp_path), start_seconds=5.0)

            async def state() -> str:
                client = McpClient(plan, ServerAsks(), allow)
                with pytest.raises(ServerGone):
                    await client.tools()
                await client.close()
                return client.reason

            assert asyncio.run(state())
    assert thief.requests == []


def test_a_token_is_not_sent_beside_credentials_of_the_entry(tmp_path: Path) -> None:
    with authorizing_server() as server:
        places = home_in(tmp_path)
        asyncio.run(log_in(remote(server.url), TokenStore(places), places.env, somebody()))
    with web(speaks) as other:
        grant = TokenStore(places).find(server.url, "")
        assert grant
        TokenStore(places).put(grant.replace(url=other.url), "remote")
        plan = remote(other.url, headers={"authorization": "Bearer own"}, places=places)

        async def called() -> None:
            client = McpClient(plan, ServerAsks(), allow)
            await client.tools()
            await client.close()

        asyncio.run(called())
    assert set(other.headers("authorization")) == {"Bearer own"}


def test_over_the_older_transport_a_large_answer_comes_and_a_refused_message_fails_its_call_at_once(
    tmp_path: Path,
) -> None:
    with authorizing_sse_server() as server:
        places = home_in(tmp_path)
        plan = remote(server.url, transport=SSE, places=places)

        async def story() -> tuple[int, str, str]:
            await log_in(plan, TokenStore(places), places.env, somebody())
            client = McpClient(plan, ServerAsks(), allow)
            size = len((await client.call("large", {}))["content"][0]["text"])
            server.provider.access.clear()
            renewed = (await client.call("only", {}))["content"][0]["text"]
            server.provider.access.clear()
            server.provider.refresh.clear()
            with pytest.raises(ServerError) as error:
                await asyncio.wait_for(client.call("only", {}), 20)
            await client.close()
            return size, renewed, str(error.value)

        ended = "needs login: `pisces mcp login remote` (the last one has ended)"
        assert asyncio.run(story()) == (3_000_000, "done", ended)
