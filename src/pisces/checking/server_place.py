"""The place of an MCP server's field: below `mcpServers`, or at the top of a flat file."""

from __future__ import annotations

from pisces.checking.subject import Subject
from pisces.shapes.mcp_server import McpServer


def server_place(subject: Subject, server: McpServer, *keys: str | int) -> tuple[int, int]:
    """(0, 0) for a file that is not JSON, such as a config.toml."""
    if not server.path.endswith(".json"):
        return 0, 0
    values = subject.pages.json(server.path)
    servers = values.get("mcpServers") if isinstance(values, dict) else None
    table = servers if isinstance(servers, dict) else values if isinstance(values, dict) else {}
    above = ("mcpServers",) if isinstance(servers, dict) else ()
    name = next((each for each in table if server.name == each or server.name.endswith(f":{each}")), server.name)
    return subject.pages.json_place(server.path, (*above, name, *keys))
