"""MCP servers from a configuration file: an object with one entry a server, somewhere in a JSON or TOML file."""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Rule
from pisces.discovery.config_file import ConfigFile, read_object
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import McpConfig, prefixed
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


MCP_SERVER_ENTRY = Rule("mcp-server-entry", ERROR, "An MCP server entry cannot be used")
MCP_SERVER_TYPE = Rule("mcp-server-type", ERROR, "A remote MCP server does not say its type")
MCP_SERVER_OFF = Rule("mcp-server-off", NOTE, "An MCP server is switched off where it is configured")


def find(where: Where[McpConfig]) -> Iterator[Found | Diagnostic]:
    options = where.options
    return read_object(where.path, options.syntax, where.run, lambda file: servers_in(file, options.keys, where))


def servers_in(file: ConfigFile, keys: tuple[str | int, ...], where: Where[McpConfig]) -> Iterator[Found | Diagnostic]:
    """The servers below a key path of a file that is already read."""
    servers = file.part(keys)
    if servers is None and where.options.flat:
        keys, servers = (), {key: value for key, value in file.value.items() if _looks_like_server(value)}
    if servers is None:
        return
    if not isinstance(servers, dict):
        yield file.not_object(keys)
        return
    for name, config in servers.items():
        flaw = server_flaw(file, (*keys, name), config, where)
        yield flaw or where.found(McpServer(prefixed(name, where), config, file.path, (*keys, name)))


def _looks_like_server(value: Any) -> bool:
    return isinstance(value, dict) and any(key in value for key in ("command", "url", "type", "httpUrl", "serverUrl"))


def server_flaw(
    file: ConfigFile, keys: tuple[str | int, ...], config: Any, where: Where[McpConfig]
) -> Diagnostic | None:
    """Why an entry starts no server."""
    name, options, rule, hint = str(keys[-1]), where.options, MCP_SERVER_ENTRY, ""
    if not isinstance(config, dict):
        flaw = "is not an object"
    elif options.switches and (config.get("disabled") is True or config.get("enabled") is False):
        rule, flaw = MCP_SERVER_OFF, "is switched off"
    elif not McpServer(name, config, file.path, keys).launch:
        flaw = "has neither a `command` nor a `url`"
    elif options.needs_type and not config.get("command") and not config.get("type"):
        rule, flaw = MCP_SERVER_TYPE, "has a `url` but no `type`"
        hint = 'add `"type": "http"` (or `"sse"`)'
    else:
        return None
    return rule.at(file.path, f"server `{name}` {flaw}", place=file.place(*keys), hint=hint, about=name)
