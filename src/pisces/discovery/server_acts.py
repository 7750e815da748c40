"""What an MCP server does: what is started or reached, what it is given, and what is allowed to it in advance."""

from __future__ import annotations

import json

from pisces.discovery.addresses import hosts_in, variables_in
from pisces.shapes.act import GRANT, PROGRAM, SERVER, Act
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESSES = ("httpUrl", "url", "serverUrl", "http_url", "tcp")
_NAMED_VARIABLES = ("env_vars", "bearer_token_env_var", "envFile", "env_file")
_GRANTED = ("alwaysAllow", "autoApprove", "auto_approve", "always_allow")


def server_acts(server: McpServer, when: str) -> Iterator[Act]:
    fields, name = server.fields, str(server.name)
    made = Act(SERVER, name, "", when, server.path, server.keys, hosts=_hosts(server), env=tuple(_env(server)))
    cwd = f", works in {server.cwd}" if server.cwd else ""
    argv, line = server.argv, " ".join(server.argv)
    if argv:
        yield made.replace(text=f"{line}{cwd}", runs=line, argv=argv)
    for url in dict.fromkeys(str(fields[key]) for key in _ADDRESSES if fields.get(key)):
        yield made.replace(text=url, url=url)
    if not argv and not any(fields.get(key) for key in _ADDRESSES):
        yield made.replace(text=json.dumps(server.config, default=str))
    helper = fields.get("headersHelper")
    if isinstance(helper, str) and helper:
        yield Act(
            PROGRAM,
            "headersHelper",
            helper,
            f"{when}, for the server {name}",
            server.path,
            (*server.keys, "headersHelper"),
            helper,
            argv=("sh", "-c", helper),
            hosts=hosts_in(helper),
        )
    yield from _grants(server, when)


def _grants(server: McpServer, when: str) -> Iterator[Act]:
    fields, name = server.fields, str(server.name)
    if server.trust:
        yield Act(GRANT, "trust", f"every tool of {name} runs unasked", when, server.path, (*server.keys, "trust"))
    for key in _GRANTED:
        tools = fields.get(key)
        if tools:
            words = ", ".join(map(str, tools)) if isinstance(tools, list) else str(tools)
            yield Act(GRANT, key, f"tools of {name} run unasked: {words}", when, server.path, (*server.keys, key))
    permissions = fields.get("toolPermissions")
    listed = fields.get("tools")
    allowed = [
        *(tool for tool, policy in (permissions if isinstance(permissions, dict) else {}).items() if policy == "allow"),
        *(
            each.get("name")
            for each in (listed if isinstance(listed, list) else ())
            if isinstance(each, dict) and each.get("permission_policy") == "always_allow"
        ),
    ]
    if allowed:
        words = ", ".join(map(str, allowed))
        yield Act(GRANT, "tools", f"tools of {name} run unasked: {words}", when, server.path, server.keys)


def _hosts(server: McpServer) -> tuple[str, ...]:
    plain = server.fields.get("tcp")
    direct = (plain,) if isinstance(plain, str) and plain and "://" not in plain else ()
    return (*direct, *hosts_in(server.config))


def _env(server: McpServer) -> Iterator[str]:
    """Names that are set for it, then names that it is given or that are filled in. Values are never shown."""
    fields = server.fields
    yield from dict.fromkeys((*map(str, server.env), *map(str, _environment(fields.get("environment")))))
    for key in _NAMED_VARIABLES:
        for each in fields[key] if isinstance(fields.get(key), list) else (fields.get(key),):
            name = each.get("name") if isinstance(each, dict) else each
            if name:
                yield str(name)
    headers = fields.get("env_http_headers")
    yield from map(str, headers.values() if isinstance(headers, dict) else ())
    yield from (name for name in variables_in(server.config) if name not in server.env)


def _environment(table: object) -> tuple[str, ...]:
    return tuple(table) if isinstance(table, dict) else ()
