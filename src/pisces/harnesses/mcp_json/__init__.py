"""MCP configuration files that belong to no harness: `mcp.json` and then `.mcp.json` in the current directory."""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look
from pisces.discovery.options import McpConfig

HARNESS = Harness(
    id="mcp-json",
    label="MCP config",
    priority=5,
    verified="by convention",
    looks={"mcp-servers": lambda: (Look(McpConfig(), "cwd:mcp.json"), Look(McpConfig(), "cwd:.mcp.json"))},
)
