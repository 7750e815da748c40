"""MCP servers from a configuration file: an object with one entry a server, somewhere in a JSON or TOML file."""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Rule
from pisces.discovery.config_file import ConfigFile, read_object
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import McpConfig, prefixed
from pisces.discovery.state import OFF, switched
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


MCP_SERVER_ENTRY = Rule("mcp-server-entry", ERROR, "An MCP server entry cannot be used")
MCP_SERVER_TYPE = Rule("mcp-server-type", ERROR, "A remote MCP server does not say its type")
MCP_SERVER_BLANK = Rule("mcp-server-blank", NOTE, "An MCP server has an empty address")
MCP_SERVER_OFF = Rule("mcp-server-off", NOTE, "An MCP server is switched off where it is configured")


def find(where: Where[McpConfig]) -> Iterator[Found | Diagnostic]:
    options = where.options
    return read_object(where.path, options.syntax, where.run, lambda file: servers_in(file, options.keys, where))


def servers_in(file: ConfigFile, keys: tuple[str | int, ...], where: Where[McpConfig]) -> Iterator[Found | Diagnostic]:
    """The servers below a key path of a file that is already read."""
    servers = file.part(keys)
    if servers is None and where.options.flat:
        keys, servers = (), {key: value for key, value in file.value.items() if _looks_like_server(value)}
    if servers is None or (servers == [] and where.options.blank):
        return
    if not isinstance(servers, dict):
        yield file.not_object(keys)
        return
    for name, config in servers.items():
        server = McpServer(prefixed(name, where), config, file.path, (*keys, name))
        switch = _off_switch(config) if where.options.switches else ""
        if switch:
            yield from _off(file, server, switch, where)
            continue
        flaw = _flaw(file, server, where)
        if flaw:
            yield flaw
        if flaw is None or flaw.code == MCP_SERVER_BLANK.code:
            yield where.found(server)


def _looks_like_server(value: Any) -> bool:
    return isinstance(value, dict) and any(key in value for key in ("command", "url", "type", "httpUrl", "serverUrl"))


def _off_switch(config: Any) -> str:
    """The key of an entry that switches it off, if there is one."""
    if not isinstance(config, dict):
        return ""
    return "disabled" if config.get("disabled") is True else "enabled" if config.get("enabled") is False else ""


def _off(file: ConfigFile, server: McpServer, switch: str, where: Where) -> Iterator[Found | Diagnostic]:
    keys = (*server.keys, switch)
    state = switched(OFF, "it is switched off where it is configured", file, keys, f"remove `{switch}` from its entry")
    name, place = str(server.keys[-1]), file.place(*server.keys)
    yield MCP_SERVER_OFF.at(file.path, f"server `{name}` is switched off", place=place, about=name)
    yield where.replace(held=where.held or state).found(server)


def _flaw(file: ConfigFile, server: McpServer, where: Where[McpConfig]) -> Diagnostic | None:
    name, config, rule, hint = str(server.keys[-1]), server.config, MCP_SERVER_ENTRY, ""
    if not isinstance(config, dict):
        flaw = "is not an object"
    elif where.options.blank and config.get("url") == "" and not config.get("command"):
        rule, flaw = MCP_SERVER_BLANK, "has an empty `url`"
        hint = "users have to fill it in before the server connects"
    elif not server.launch:
        flaw = "has neither a `command` nor a `url`"
    elif where.options.needs_type and not config.get("command") and not config.get("type"):
        rule, flaw = MCP_SERVER_TYPE, "has a `url` but no `type`"
        hint = 'add `"type": "http"` (or `"sse"`)'
    else:
        return None
    return rule.at(file.path, f"server `{name}` {flaw}", place=file.place(*server.keys), hint=hint, about=name)
