"""MCP servers that an editor hands over with a session: each start is asked about, as if the project brought them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.shapes.mcp_server import McpServer

if TYPE_CHECKING:
    from collections.abc import Sequence


def servers_of(given: Sequence[Any] | None) -> tuple[McpServer, ...]:
    return tuple(McpServer(each.name, _config(each), "", ()) for each in given or () if _config(each))


def _config(given: Any) -> dict[str, Any]:
    """Empty for a kind that we did not offer to speak."""
    kind = getattr(given, "type", "stdio")
    if kind in ("http", "sse"):
        return {"type": kind, "url": given.url, "headers": {each.name: each.value for each in given.headers or ()}}
    if kind != "stdio":
        return {}
    env = {each.name: each.value for each in given.env or ()}
    return {"type": kind, "command": given.command, "args": list(given.args or ()), "env": env}
