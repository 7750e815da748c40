"""How a tool of an MCP server that a framework started is called where it is judged."""

from __future__ import annotations

import re

_OTHER = re.compile(r"[^A-Za-z0-9_-]")


def spelled(server: str, tool: str) -> str:
    """As rules and hooks spell it. Without a server it is the tool's own name."""
    return f"mcp__{_OTHER.sub('_', server)}__{tool}" if server else tool
