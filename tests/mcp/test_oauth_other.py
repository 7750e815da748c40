"""The same login against another implementation of OAuth: Authlib, from `$PISCES_PEERS/servers`."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from pisces.mcp.client import McpClient
from pisces.mcp.connection import ServerAsks
from pisces.mcp.login import log_in, log_out
from pisces.mcp.tokens import TokenStore
from tests.mcp.oauth_plans import allow, home_in, remote, somebody
from tests.mcp.servers.oauth_ports import free_port
from tests.peer_programs import PEERS

PYTHON = PEERS / "servers" / "bin" / "python"
PROGRAM = Path(__file__).parent / "servers" / "oauth_authlib.py"
HAS_AUTHLIB = bool(list(PEERS.glob("servers/lib/python*/site-packages/authlib")))

pytestmark = pytest.mark.skipif(not HAS_AUTHLIB, reason="Authlib is not in $PISCES_PEERS/servers")


@pytest.fixture
def base() -> Iterator[str]:
    port = free_port()
    with subprocess.Popen([PYTHON, PROGRAM, str(port)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        assert running.stderr
        for line in running.stderr:  # it says when it listens
            if b"Running on" in line:
                break
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            running.kill()


def log_of(base: str) -> list[str]:
    with httpx2.Client(trust_env=False) as client:
        found: list[str] = client.get(f"{base}/log").json()
        return found


def test_login_call_renewal_and_logout(base: str, tmp_path: Path) -> None:
    places = home_in(tmp_path)
    store, plan = TokenStore(places), remote(f"{base}/api/mcp", places=places)

    async def story() -> list[object]:
        await log_in(plan, store, places.env, somebody())
        client = McpClient(plan, ServerAsks(), allow)
        said: list[object] = [(await client.call("clock", {}))["content"][0]["text"]]
        async with httpx2.AsyncClient(trust_env=False) as other:
            await other.post(f"{base}/forget")
        said.append((await client.call("clock", {}))["content"][0]["text"])
        await client.close()
        grant = store.find(plan.url, "")
        assert grant
        return [*said, await log_out(grant, places.env)]

    assert asyncio.run(story()) == ["True", "True", True]
    asked = f"authorize {base} tools offline_access mcp"
    assert log_of(base) == ["register", asked, "code", "refresh", "revoke", "revoke"]
