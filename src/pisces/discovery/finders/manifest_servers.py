"""MCP servers that a package's manifest declares, with `trust` dropped: a package cannot vouch for itself."""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.package_options import ManifestServers
from pisces.formats.fit import noun_of
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MCP_SERVERS_SHAPE = Rule("mcp-servers-shape", WARNING, "`mcpServers` is not an object")


def find(where: Where[ManifestServers]) -> Iterator[Found | Diagnostic]:
    package = where.package
    servers = package.manifest.get("mcpServers") if package else None
    if package is None or servers is None:
        return
    path = os.path.join(package.path, where.options.manifest)
    if not isinstance(servers, dict):
        yield MCP_SERVERS_SHAPE.at(path, f"`mcpServers` must be an object, not {noun_of(servers)}")
        return
    for name, server in servers.items():
        config = {key: value for key, value in server.items() if key != "trust"} if isinstance(server, dict) else server
        yield where.found(McpServer(name, config, path, ("mcpServers", name)))
