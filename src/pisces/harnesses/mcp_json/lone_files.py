"""MCP servers in a file that belongs to no harness."""

from __future__ import annotations

from pisces.checking.lone_file import BY_NAME, LoneFile, Reading
from pisces.discovery.options import McpConfig


def reading(file: LoneFile) -> Reading | None:
    if file.name not in (".mcp.json", "mcp.json"):
        return None
    return Reading("mcp-servers", McpConfig(flat=True), file.path, weight=BY_NAME)
