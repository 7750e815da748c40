"""Codex's MCP servers, from the folders up to the project's root and then from the user's config.toml."""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.merged_servers import ConfigLayer, merged_servers
from pisces.discovery.options import McpConfig
from pisces.harnesses.codex.layers import CONFIG, Layers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OPTIONS = McpConfig(keys=("mcp_servers",), syntax="toml", blank=True)


def find(where: Where) -> FinderResults:
    if where.harness is not None:
        layers = Layers(where.harness, where.places, where.run)
        yield from merged_servers(_layers(layers), where.given(_OPTIONS, where.path))


def _layers(layers: Layers) -> Iterator[ConfigLayer]:
    for folder in layers.folders:
        path = os.path.join(folder, ".codex", CONFIG)
        if path != layers.user_path and os.path.lexists(path):
            yield ConfigLayer(path, PROJECT, layers.held(folder))
    yield ConfigLayer(layers.user_path, USER)
