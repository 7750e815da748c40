"""MCP servers for targets: which fields a target reads, in its own spelling; the others are reported one by one."""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, LOST_SERVER, lost, mapped
from pisces.converting.spelling import Spelling, spelled_value
from pisces.shapes.mcp_server import AUTO, WEBSOCKET, McpServer
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginServer


class EntryTarget(Value):
    """`entry` is the target's own configuration of a server, `fields` the keys of the source that it stands for."""

    spelling: Spelling
    entry: Callable[[McpServer], Mapping[str, Any]]
    fields: tuple[str, ...] = ("type", "command", "args", "env", "url", "headers", "cwd", "httpUrl", "serverUrl")


class ServerEntries(Value):
    entries: Mapping[str, Any]
    fates: tuple[Fate, ...]


def server_entries(plugin: Plugin, target: EntryTarget, path: str) -> ServerEntries:
    """`path` is the file that they are written to."""
    entries: dict[str, Any] = {}
    fates: list[Fate] = []
    for server in plugin.servers:
        shape = McpServer(server.name, dict(server.fields), server.path, server.keys)
        if shape.transport in ("", WEBSOCKET):
            fates.append(_unreachable(server, shape, target.spelling.label))
            continue
        value, lost_places = spelled_value(server, dict(target.entry(shape)), plugin.harness, target.spelling)
        entries[server.name] = value
        fates += [mapped(server, path), *lost_places, *_unread(server, target.fields, target.spelling.label)]
    return ServerEntries(entries, tuple(fates))


def plain_entry(server: McpServer) -> dict[str, Any]:
    """As most programs write it: a program with its arguments, or an address with its transport."""
    if server.argv:
        entry: dict[str, Any] = {"command": server.command, "args": list(server.argv[1:])}
        entry.update({"env": dict(server.env)} if server.env else {})
        return {**entry, **({"cwd": server.cwd} if server.cwd else {})}
    kind = {} if server.transport == "auto" else {"type": server.transport}
    headers = {"headers": dict(server.headers)} if server.headers else {}
    return {**kind, "url": server.url, **headers}


def guessed_transport(server: PluginServer, label: str) -> tuple[Fate, ...]:
    """For a target that must be told how an address is spoken to, where the source finds out by itself."""
    shape = McpServer(server.name, dict(server.fields), server.path, server.keys)
    why = f"the program it was written for finds out how the address is spoken to; {label} speaks HTTP, and not SSE"
    return (lost(APPROXIMATED, CHANGED_MEANING, server, why, "type"),) if shape.transport == AUTO else ()


def _unreachable(server: PluginServer, shape: McpServer, label: str) -> Fate:
    why = (
        f"{label} does not speak over a web socket" if shape.transport else "neither a program nor an address is given"
    )
    return lost(DROPPED, LOST_SERVER, server, why, "type")


def _unread(server: PluginServer, known: Iterable[str], label: str) -> list[Fate]:
    names = [key for key in server.fields if key not in known]
    return [lost(DROPPED, LOST_FIELD, server, f"{label} does not read `{key}`", key) for key in names]
