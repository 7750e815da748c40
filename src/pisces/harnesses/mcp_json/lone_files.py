"""MCP servers in a file that belongs to no harness, and the file that the MCP registry takes."""

from __future__ import annotations

from pisces.checking.lone_file import BY_NAME, LoneFile, Reading
from pisces.discovery.harness import Finder
from pisces.discovery.options import McpConfig
from pisces.harnesses.mcp_json.registry_shape import SCHEMAS

NAMES = ("server.json",)


def reading(file: LoneFile) -> Reading | None:
    if file.name in NAMES:
        schema = file.json.get("$schema") if isinstance(file.json, dict) else None
        registry = Finder("pisces.harnesses.mcp_json.finders.registry_servers")
        known = isinstance(schema, str) and SCHEMAS in schema
        return Reading("mcp-servers", registry, file.path, weight=BY_NAME) if known else None
    if file.name not in (".mcp.json", "mcp.json"):
        return None
    return Reading("mcp-servers", McpConfig(flat=True), file.path, weight=BY_NAME)
