"""Plans for remote servers, a home of their own, and somebody who logs in without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2

from pisces.discovery.found import USER, Found, Source
from pisces.mcp.login import Person
from pisces.mcp.plan import ServerPlan
from pisces.places import Places
from pisces.shapes.mcp_server import HTTP, McpServer
from pisces.shapes.verdict import Verdict


def remote(url: str, /, **fields: Any) -> ServerPlan:
    """`config` are fields of the entry, others are those of the plan."""
    name = fields.pop("name", "remote")
    config = {"url": url, **fields.pop("config", {})}
    server = McpServer(name, config, "/settings.json", ())
    found = Found(server, Source("pisces", "pisces", "/settings.json", USER))
    return ServerPlan(name, found, **{"transport": HTTP, "url": url, "oauth": config.get("oauth") or {}, **fields})


def home_in(folder: Path, **env: str) -> Places:
    return Places(str(folder), str(folder), {"PISCES_SECRETS_STORE": "file", **env})


async def _browse(url: str) -> None:
    """As a browser would: follows every redirect, also the one to the callback."""
    async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as browser:
        await browser.get(url)


async def allow(_plan: ServerPlan) -> Verdict:
    return Verdict.allow()


def somebody(**fields: Any) -> Person:
    return Person(**{"show": _browse, "seconds": 10.0, **fields})
