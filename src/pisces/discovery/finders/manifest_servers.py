"""MCP servers that a package's manifest declares, with `trust` dropped: a package cannot vouch for itself."""

from __future__ import annotations

import os

from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where


def find(where: Where) -> Iterator[Found | Diagnostic]:
    """Option `manifest`: the file that the servers stand in, relative to the package."""
    package = where.package
    servers = package.manifest.get("mcpServers") if package else None
    if package is None or not isinstance(servers, dict):
        return
    path = os.path.join(package.path, where.options["manifest"])
    for name, server in servers.items():
        config = {key: value for key, value in server.items() if key != "trust"} if isinstance(server, dict) else server
        yield where.found(McpServer(name, config, path))
