"""Goose's extensions that are MCP servers: `cmd` starts a program, `uri` is an address; others are part of Goose.

The server's configuration has `command` and `url` beside them, under which everything else knows such fields.
"""

from __future__ import annotations

from pisces.discovery.config_file import YAML, ConfigFile, read_object
from pisces.discovery.finders.mcp_config import MCP_SERVER_ENTRY, MCP_SERVER_OFF
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import OFF, switched
from pisces.shapes.mcp_server import McpServer

_KEY = "extensions"
_FIELDS = {"stdio": ("cmd", "command"), "sse": ("uri", "url"), "streamable_http": ("uri", "url")}


def find(where: Where) -> FinderResults:
    return read_object(where.path, YAML, where.run, lambda file: _servers(file, where))


def _servers(file: ConfigFile, where: Where) -> FinderResults:
    listed = file.part((_KEY,))
    for name, entry in listed.items() if isinstance(listed, dict) else ():
        kind = entry.get("type") if isinstance(entry, dict) else None
        if not isinstance(kind, str) or kind not in _FIELDS:
            continue
        theirs, ours = _FIELDS[kind]
        config = {**entry, ours: entry.get(theirs), "env": entry.get("envs") or {}}
        place = file.place(_KEY, name)
        missing = next((key for key in (theirs, "enabled") if entry.get(key) in (None, "")), "")
        if missing:
            message = f"server `{name}` has no `{missing}`"
            yield MCP_SERVER_ENTRY.at(file.path, message, place=place, about=str(name))
            continue
        held = None
        if entry.get("enabled") is False:
            yield MCP_SERVER_OFF.at(file.path, f"server `{name}` is switched off", place=place, about=str(name))
            keys = (_KEY, name, "enabled")
            held = switched(OFF, "it is switched off where it is configured", file, keys, "set `enabled` to true")
        yield where.replace(held=held).found(McpServer(str(name), config, file.path, (_KEY, name)))
