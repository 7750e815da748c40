"""What keeps an MCP server of Claude Code from starting: lists of allowed and denied servers, switches, approvals.

Servers of `.mcp.json` wait until somebody approves them. Any settings file can reject one; those of the project can
approve only where the folder is trusted. (`claude -p` asks nobody and starts them all.)
"""

from __future__ import annotations

import os
import re

from pisces.by_name import export_of
from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.found import MANAGED
from pisces.discovery.harness import Where
from pisces.discovery.state import INVALID, OFF, WAITING, State, switched
from pisces.formats.fit import misfits
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.locked import ASK
from pisces.harnesses.claude.plainly import plain_server
from pisces.harnesses.claude.settings import SettingHere, listed, setting, settings_at, takes_local_settings
from pisces.harnesses.claude.trust import is_trusted, known_state, project_keys, untrusted
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_APPROVE = "start `claude` in this folder and approve it, or add it to `enabledMcpjsonServers` of the user's settings"
_RULES = ("serverName", "serverCommand", "serverUrl")


def managed_file(where: Where[WithSettings]) -> ConfigFile | None:
    """The administrator's own list of servers: where it exists, there are no others."""
    file = config_at(os.path.join(where.options.managed, "managed-mcp.json"), MARKED, where.run)
    return file if isinstance(file, ConfigFile) and isinstance(file.value, dict) else None


def switched_off(server: McpServer, where: Where[WithSettings]) -> State | None:
    """Why a server does not start that nobody has to approve."""
    return ruled_out(server, where) or off_here(server.name, where)


def ruled_out(server: McpServer, where: Where[WithSettings]) -> State | None:
    """What speaks against a server before anybody is asked."""
    alone = managed_file(where)
    if alone and server.path != alone.path:
        return State(OFF, "where `managed-mcp.json` exists, only its servers are allowed", alone.path, 1, ASK)
    return _misshapen(server) or denied(server, where) or not_allowed(server, where)


def _misshapen(server: McpServer) -> State | None:
    if plain_server(server.config):
        return None
    shape = export_of("pisces.harnesses.claude", "manifest_shape", "server_shape")(server.config)
    flaw = next(misfits(server.config, shape), None)
    if flaw is None:
        return None
    reason = f"`{'.'.join(map(str, flaw.path))}` {flaw.message}" if flaw.path else f"it {flaw.message}"
    return State(INVALID, reason, server.path, change="mend that entry, or remove it")


def what_it_starts(server: McpServer) -> str:
    """The same text for servers that Claude Code takes for the same: one program with its arguments, one address."""
    args = server.fields.get("args")
    command = [server.fields.get("command"), *(args if isinstance(args, list) else ())]
    return repr(command) if command[0] else str(server.url)


def denied(server: McpServer, where: Where[WithSettings]) -> State | None:
    for found in settings_at(where, "deniedMcpServers"):
        for index, rule in enumerate(found.value if isinstance(found.value, list) else ()):
            if _fits(rule, server):
                place = found.replace(keys=("deniedMcpServers", index))
                return place.state(OFF, "{key} names it", "remove it from {key}")
    return None


def not_allowed(server: McpServer, where: Where[WithSettings]) -> State | None:
    only_managed = setting(where, "allowManagedMcpServersOnly", managed=True)
    lists = list(settings_at(where, "allowedMcpServers", managed=bool(only_managed and only_managed.value is True)))
    lists = [each for each in lists if isinstance(each.value, list)]
    if lists and not _is_allowed(server, [rule for each in lists for rule in each.value]):
        return lists[0].state(OFF, "{key} does not name it", "add it to {key}")
    return None


def _is_allowed(server: McpServer, rules: list[Any]) -> bool:
    """Where commands are listed, a program has to be one of them; where addresses are, a remote server does."""
    key = "serverCommand" if server.fields.get("command") else "serverUrl"
    chosen = [rule for rule in rules if isinstance(rule, dict) and key in rule] or rules
    return any(_fits(rule, server) for rule in chosen)


def _fits(rule: Any, server: McpServer) -> bool:
    key = next((key for key in _RULES if isinstance(rule, dict) and key in rule), "")
    if key == "serverName":
        return bool(rule[key] == server.name)
    if key == "serverCommand":
        args = server.fields.get("args")
        return bool(rule[key] == [server.fields.get("command"), *(args if isinstance(args, list) else ())])
    address = server.fields.get("url")
    if key != "serverUrl" or not isinstance(address, str):
        return False
    return re.fullmatch(".*".join(map(re.escape, str(rule[key]).split("*"))), address) is not None


def off_here(name: str, where: Where) -> State | None:
    state, keys = known_state(where), (*project_keys(where.places), "disabledMcpServers")
    names = state.part(keys) if state else None
    if state is None or not isinstance(names, list) or name not in names:
        return None
    reason = "it is switched off for this project"
    return switched(OFF, reason, state, (*keys, names.index(name)), "switch it on with `/mcp` in Claude Code")


# Approvals


def rejections(where: Where[WithSettings]) -> dict[str, State]:
    """The servers of `.mcp.json` that somebody rejected."""
    found = {
        name: each.state(OFF, "{key} names it", "remove it from {key}")
        for name, each in listed(where, "disabledMcpjsonServers").items()
    }
    return {**_remembered("disabledMcpjsonServers", where), **found}


def _remembered(key: str, where: Where) -> dict[str, State]:
    """Of older versions of Claude Code, which kept such lists in the state file.

    The program moves them to the local settings. Where it refuses that file they stay, and approve nothing.
    """
    state, keys = known_state(where), (*project_keys(where.places), key)
    names = state.part(keys) if state else None
    if state is None or not isinstance(names, list):
        return {}
    reason = f"`{key}` of this project names it"
    return {str(name): switched(OFF, reason, state, (*keys, index)) for index, name in enumerate(names)}


def waiting(server: McpServer, where: Where[WithSettings]) -> State | None:
    """Why a server of `.mcp.json` that nobody rejected does not start yet."""
    approvals = list(_approvals(server.name, where))
    if is_trusted(where):
        moved = _remembered("enabledMcpjsonServers", where) if takes_local_settings(where) else ()
        if approvals or server.name in moved:
            return None
    elif any(not each.of_project for each in approvals):
        return None
    elif approvals:
        return untrusted(where, f"{approvals[0].owner} approve it")
    return State(WAITING, "it depends on approval in Claude Code", server.path, change=_APPROVE, only_here=True)


def _approvals(name: str, where: Where[WithSettings]) -> Iterator[SettingHere]:
    for found in settings_at(where, "enabledMcpjsonServers"):
        alone = name == found.value and found.level != MANAGED  # the administrator has to write a list
        if alone or (isinstance(found.value, list) and name in found.value):
            yield found
    yield from _blanket(settings_at(where, "enableAllProjectMcpServers"), trusted=is_trusted(where))


def _blanket(found: Iterable[SettingHere], *, trusted: bool) -> Iterator[SettingHere]:
    """In a trusted folder the strongest file decides; else every file that counts does for itself."""
    for each in found:
        if each.value is True:
            yield each
        if trusted:
            return
