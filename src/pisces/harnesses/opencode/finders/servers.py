"""OpenCode's MCP servers, from every configuration file, the one that wins first."""

from __future__ import annotations

from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.merged_servers import ConfigLayer, merged_servers
from pisces.discovery.options import McpConfig
from pisces.harnesses.opencode.finders.places import config_places

_OPTIONS = McpConfig(keys=("mcp",), syntax="lenient")


def find(where: Where) -> FinderResults:
    places = ((level, path) for level, path in config_places(where.places) if path.endswith((".json", ".jsonc")))
    layers = [ConfigLayer(path, level) for level, path in places]
    yield from merged_servers(layers, where.given(_OPTIONS, where.path))
