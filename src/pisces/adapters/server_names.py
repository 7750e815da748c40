"""How a tool of an MCP server that a framework started is called where it is judged."""

from __future__ import annotations

import re
from typing import Any

_CLIENTS = ("mcp", "fastmcp", "mcpadapt", "langchain_mcp_adapters", "pydantic_ai.mcp")
_OTHER = re.compile(r"[^A-Za-z0-9_-]")


def spelled(server: str, tool: str) -> str:
    """As rules and hooks spell it. Without a server it is the tool's own name."""
    return f"mcp__{_OTHER.sub('_', server)}__{tool}" if server else tool


def is_of_server(tool: Any) -> bool:
    """Whether a toolset, a tool or its function is code of an MCP client. These packages need not be installed."""
    homes = [getattr(tool, "__module__", ""), *(kind.__module__ for kind in type(tool).__mro__)]
    return any(str(home) == client or str(home).startswith(f"{client}.") for home in homes for client in _CLIENTS)
