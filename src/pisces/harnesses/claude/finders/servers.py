"""MCP servers of Claude Code: local (this project, private) before project (`.mcp.json`) before user.

Local and user servers live in `~/.claude.json`, or in the moved configuration folder. `.mcp.json` is read from the
current directory up to the repository's root, nearest first. A `url` without a `type` is rejected, as Claude Code does.
Servers that a settings file rejects, or that were switched off for this project, are left out with a note.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.finders.mcp_config import servers_in
from pisces.discovery.found import PROJECT, USER, Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import McpConfig
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import state_file
from pisces.harnesses.claude.settings import settings_here, texts_in
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MCP_SERVER_REJECTED = Rule("mcp-server-rejected", NOTE, "The user switched an MCP server off")

OPTIONS = McpConfig(needs_type=True, switches=False, blank=True)


def find(where: Where[WithSettings]) -> FinderResults:
    state = config_at(state_file(where.places), JSON, where.run)
    if isinstance(state, Diagnostic):
        yield state
    known = state if isinstance(state, ConfigFile) and isinstance(state.value, dict) else None
    off = _switched_off(known, where.places)
    where_user = where.given(OPTIONS, where.path).replace(level=USER)
    if known:
        for keys in _project_keys(where.places):
            yield from _unless_off(servers_in(known, (*keys, "mcpServers"), where_user), off)
    rejected = {**texts_in(settings_here(where), "disabledMcpjsonServers"), **off}
    yield from _unless_off(_project_servers(where_user.replace(level=PROJECT)), rejected)
    if known:
        yield from _unless_off(servers_in(known, ("mcpServers",), where_user), off)


def _project_servers(where: Where[McpConfig]) -> FinderResults:
    for folder in where.places.ancestors():
        file = config_at(os.path.join(folder, ".mcp.json"), JSON, where.run)
        if isinstance(file, Diagnostic):
            yield file
        elif file is not None and not isinstance(file.value, dict):
            yield file.not_object()
        elif file is not None:
            yield from servers_in(file, ("mcpServers",), where)


def _project_keys(places: Places) -> Iterator[tuple[str, str]]:
    """Where `~/.claude.json` may keep what belongs to this project; paths have forward slashes there."""
    for folder in places.ancestors():
        yield "projects", folder.replace(os.sep, "/")


def _switched_off(state: ConfigFile | None, places: Places) -> dict[str, ConfigFile]:
    found: dict[str, ConfigFile] = {}
    for keys in _project_keys(places) if state else ():
        names = state.part((*keys, "disabledMcpServers")) if state else None
        found.update((str(name), state) for name in (names if isinstance(names, list) else ()) if state)
    return found


def _unless_off(found: Iterable[Found | Diagnostic], off: Mapping[str, ConfigFile]) -> FinderResults:
    for each in found:
        if isinstance(each, Diagnostic) or each.item.name not in off:
            yield each
            continue
        name, file = each.item.name, off[each.item.name]
        place = file.place("disabledMcpjsonServers") if "disabledMcpjsonServers" in file.value else (0, 0)
        yield MCP_SERVER_REJECTED.at(file.path, f"server `{name}` is switched off", place=place, about=name)
