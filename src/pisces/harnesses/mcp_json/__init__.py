"""MCP configuration files that belong to no harness: `mcp.json` and then `.mcp.json` in the current directory."""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

HARNESS = Harness(
    id="mcp-json",
    label="MCP config",
    priority=5,
    looks={"mcp-servers": (Look("mcp_config", "cwd:mcp.json"), Look("mcp_config", "cwd:.mcp.json"))},
)
