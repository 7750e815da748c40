"""MCP servers of Claude Code: local (this project, private) before project (`.mcp.json`) before user.

Local and user servers live in `~/.claude.json`, or in the moved configuration folder. `.mcp.json` is read from the
current directory up to the top of the file system, nearest first. A `url` without a `type` is rejected, as Claude Code
does. One that waits or is rejected leaves its name to the next; one that is denied takes it along.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.config_file import MARKED, config_at
from pisces.discovery.finders.mcp_config import servers_in
from pisces.discovery.found import MANAGED, PROJECT, USER, Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import McpConfig
from pisces.discovery.state import OFF, SHADOWED, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import state_file
from pisces.harnesses.claude.locked import locked
from pisces.harnesses.claude.server_switches import denied, managed_file, off_here, rejections, ruled_out, waiting
from pisces.harnesses.claude.settings import settings_at
from pisces.harnesses.claude.trust import known_state, project_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.mcp_server import McpServer

MCP_SERVER_REJECTED = Rule("mcp-server-rejected", NOTE, "The user switched an MCP server off")

OPTIONS = McpConfig(needs_type=True, switches=False, blank=True)


def find(where: Where[WithSettings]) -> FinderResults:
    state = config_at(state_file(where.places), MARKED, where.run)
    if isinstance(state, Diagnostic):
        yield state
    rejected = rejections(where)
    lost: dict[str, str] = {}
    for each in _all(where):
        if isinstance(each, Diagnostic):
            yield each
            continue
        held = _held(each, rejected, lost, where)
        if held and held.name == OFF:
            yield _rejected(each.item.name, held)
        yield each.replace(held=held)


def _all(where: Where[WithSettings]) -> FinderResults:
    user = where.given(OPTIONS, where.path).replace(level=USER)
    managed = user.replace(level=MANAGED)
    if alone := managed_file(where):
        yield from servers_in(alone, ("mcpServers",), managed)
    for each in settings_at(where, "managedMcpServers", managed=True):
        yield from servers_in(each.file, each.keys, managed)
    known = known_state(where)
    if known:
        yield from servers_in(known, (*project_keys(where.places), "mcpServers"), user)
    yield from _project_servers(user.replace(level=PROJECT))
    if known:
        yield from servers_in(known, ("mcpServers",), user)


def _project_servers(where: Where[McpConfig]) -> FinderResults:
    for folder in _to_the_top(where.places.cwd):
        file = config_at(os.path.join(folder, ".mcp.json"), MARKED, where.run)
        if isinstance(file, Diagnostic):
            yield file
        elif file is not None and not isinstance(file.value, dict):
            yield file.not_object()
        elif file is not None:
            yield from servers_in(file, ("mcpServers",), where)


def _to_the_top(folder: str) -> Iterator[str]:
    while folder != os.path.dirname(folder):
        yield folder
        folder = os.path.dirname(folder)


def _held(
    found: Found[McpServer], rejected: dict[str, State], lost: dict[str, str], where: Where[WithSettings]
) -> State | None:
    server, project = found.item, found.source.level == PROJECT
    if found.source.level == MANAGED:
        return denied(server, where) or off_here(server.name, where)
    held = locked("mcp", where) or ruled_out(server, where)
    approval = (rejected.get(server.name) or waiting(server, where)) if project else None
    if approval:
        return held or approval
    if server.name in lost:
        return State(SHADOWED, f"`{lost[server.name]}` is met first, and is denied", lost[server.name])
    if held and held.name == OFF:
        lost[server.name] = server.path
    return held or off_here(server.name, where)


def _rejected(name: str, held: State) -> Diagnostic:
    place = (held.line, 1) if held.line else (0, 0)
    return MCP_SERVER_REJECTED.at(held.path, f"server `{name}` is switched off", place=place, about=name)
