"""Codex's MCP servers: the tables `mcp_servers` of all layers are merged key by key, the nearest layer last.

So a project may switch a server of the user's off, or change one argument. A server stands where its nearest entry is.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import TOML, ConfigFile, read_object
from pisces.discovery.finders.mcp_config import servers_in
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import McpConfig
from pisces.harnesses.codex.layers import CONFIG, Layers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.state import State

_OPTIONS = McpConfig(keys=("mcp_servers",), syntax="toml")


def find(where: Where) -> FinderResults:
    if where.harness is None:
        return
    layers = Layers(where.harness, where.places, where.run)
    below: dict[str, Any] = {}
    found: list[FinderResults] = []
    for path, level, held in reversed(list(_paths(layers))):
        here = where.given(_OPTIONS, path).replace(level=level, held=held)
        found.append(read_object(path, TOML, where.run, _merging(here, {} if held else below)))
    results = [list(each) for each in found]
    for each in reversed(results):
        yield from each


def _paths(layers: Layers) -> Iterator[tuple[str, str, State | None]]:
    """Every configuration file that may exist, nearest first."""
    for folder in layers.folders:
        path = os.path.join(folder, ".codex", CONFIG)
        if path != layers.user_path and os.path.lexists(path):
            yield path, PROJECT, layers.held(folder)
    yield layers.user_path, USER, None


def _merging(where: Where[McpConfig], below: dict[str, Any]) -> Any:
    """Reads the servers of a file as they are with what the layers below say of them."""

    def read(file: ConfigFile) -> FinderResults:
        servers = file.part(("mcp_servers",))
        if not isinstance(servers, dict):
            return servers_in(file, ("mcp_servers",), where)
        merged = {name: _merged(below.get(name), config) for name, config in servers.items()}
        below.update(merged)
        return servers_in(file.replace(value={"mcp_servers": merged}), ("mcp_servers",), where)

    return read


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{key: _merged(below.get(key), value) for key, value in above.items()}}
