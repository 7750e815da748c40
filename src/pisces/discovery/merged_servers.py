"""MCP servers of a harness that merges its configuration files key by key before it reads any server.

So a nearer file may switch a server of another file off, or change one argument of it. A server stands where its
nearest entry is; the entries below are part of it, and are shown as such.
"""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import ConfigFile, config_at
from pisces.discovery.finders.mcp_config import servers_in
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import SHADOWED, State
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from pisces.discovery.options import McpConfig


class ConfigLayer(Value):
    """A configuration file that may exist; where it is `held`, it is not merged."""

    path: str
    level: str
    held: State | None = None


def merged_servers(layers: Iterable[ConfigLayer], where: Where[McpConfig]) -> FinderResults:
    """The servers of all layers, the nearest layer first."""
    below: dict[str, Any] = {}
    found: list[list[Found | Diagnostic]] = []
    for layer in reversed(list(layers)):
        file = config_at(layer.path, where.options.syntax, where.run)
        here = where.replace(path=layer.path, level=layer.level, held=layer.held)
        found.append(_read(file, here, {} if layer.held else below))
    nearer: dict[str, str] = {}
    for each in reversed(found):
        yield from (_shown(one, nearer) for one in each)
        for one in each:
            if isinstance(one, Found) and not _is_apart(one):
                nearer.setdefault(one.item.keys[-1], one.source.path)


def _read(
    file: ConfigFile | Diagnostic | None, where: Where[McpConfig], below: dict[str, Any]
) -> list[Found | Diagnostic]:
    if file is None:
        return []
    if isinstance(file, Diagnostic):
        return [file]
    if not isinstance(file.value, dict):
        return [file.not_object()]
    keys = where.options.keys
    servers = file.part(keys)
    if not isinstance(servers, dict):
        return list(servers_in(file, keys, where))
    merged = {name: merged_config(below.get(name), config) for name, config in servers.items()}
    below.update(merged)
    value: Any = merged
    for key in reversed(keys):
        value = {key: value}
    return list(servers_in(file.replace(value=value), keys, where))


def merged_config(below: Any, above: Any) -> Any:
    """A configuration with what a nearer file says, key by key."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    if "type" in below and above.get("type", below["type"]) != below["type"]:
        return {**_switch_of(below), **above}  # another kind of server: of the one below only the switch counts
    return {**below, **{key: merged_config(below.get(key), value) for key, value in above.items()}}


def _switch_of(config: dict[str, Any]) -> dict[str, Any]:
    return {key: config[key] for key in ("enabled",) if key in config}


def _shown(found: Found | Diagnostic, nearer: dict[str, str]) -> Found | Diagnostic:
    if isinstance(found, Diagnostic) or _is_apart(found) or found.item.keys[-1] not in nearer:
        return found
    path = nearer[found.item.keys[-1]]
    return found.replace(held=State(SHADOWED, f"merged with the nearer entry in {path}", path))


def _is_apart(found: Found) -> bool:
    """Whether its whole file does not count."""
    return found.held is not None and found.held.name not in (SHADOWED, "off")
