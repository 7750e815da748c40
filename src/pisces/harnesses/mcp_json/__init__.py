"""MCP configuration files that belong to no harness: `mcp.json` and then `.mcp.json` in the current directory."""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Harness, Look

HARNESS = Harness(
    id="mcp-json",
    label="MCP config",
    priority=5,
    is_program=False,
    verified="by convention",
    looks={"mcp-servers": lambda: (Look(find.McpConfig(), "cwd:mcp.json"), Look(find.McpConfig(), "cwd:.mcp.json"))},
)
