"""The tools of a host as a client sees them: those of modules and servers, `activate_skill`, and programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pisces.discovery.found import PROJECT
from pisces.instructions.index_lines import fitting
from pisces.instructions.part import tokens_of
from pisces.instructions.skills import line_of
from pisces.modules.tool_arguments import json_schema
from pisces.serving.choices import EXECUTABLES, SERVERS, SKILLS, TOOLS
from pisces.serving.names import served_names
from pisces.serving.servers import server_of_tools
from pisces.shapes.tool import arguments_of
from pisces.tools.activate_skill import NAME as ACTIVATE_SKILL
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from pisces.commands.names.catalog import CatalogEntry
    from pisces.host.host import Host
    from pisces.serving.choices import ServeChoices
    from pisces.shapes.tool import Tool

SEARCH, CALL = "search_tools", "call_tool"
_PROGRAM = "run_"
_CLOSED = {"type": "object", "additionalProperties": False}
_HINTS = {"readOnlyHint": bool, "destructiveHint": bool, "idempotentHint": bool, "openWorldHint": bool, "title": str}


class ServedTool(Value):
    """`name` is what the client calls, `tool` what the host does. `program` is set for a command that is a program,
    `activates_skills` for the tool of the host that does.
    """

    name: str
    tool: str
    description: str
    schema: Mapping[str, Any]
    hints: Mapping[str, Any] = EMPTY
    program: CatalogEntry | None = None
    activates_skills: bool = False

    def listed(self) -> dict[str, Any]:
        made = {"name": self.name, "description": self.description, "inputSchema": arguments_of(self.schema)}
        return {**made, "annotations": arguments_of(self.hints)} if self.hints else made

    @property
    def tokens(self) -> int:
        return tokens_of(json.dumps(self.listed()))


def served_tools(host: Host, choices: ServeChoices) -> dict[str, ServedTool]:
    """By the names that the client calls, in an order that does not change."""
    tools, programs = host.tools, served_programs(host) if choices.has(EXECUTABLES) else {}
    names = served_names((*sorted(tools), *sorted(programs)), (SEARCH, CALL))
    made: dict[str, ServedTool] = {}
    servers = server_of_tools(host, choices)
    for real, tool in sorted(tools.items()):
        if tool.name == ACTIVATE_SKILL and not tool.module:
            served = _skill_tool(tool, names[real], skills_offered(host, choices), host)
        else:
            served = _served(tool, names[real], choices, servers.get(real, ""))
        if served is not None:
            made[served.name] = served
    for real, entry in sorted(programs.items()):
        if choices.offers(names[real], entry.name, entry.qualified):
            made[names[real]] = _served_program(entry, names[real])
    return made


def served_programs(host: Host) -> dict[str, CatalogEntry]:
    """Commands that are programs and need no terminal; those of a project only once it is trusted."""
    entries = [each for each in host.commands.entries if each.command.executable]
    trusted = [each for each in entries if host.is_trusted or each.source.level != PROJECT]
    return {
        f"{_PROGRAM}{each.name}": each
        for each in trusted
        if each.command.executable and not each.command.executable.interactive
    }


def skills_offered(host: Host, choices: ServeChoices) -> list[str]:
    """The names of the skills that the client's model may activate."""
    return [name for name in host.skills.names if choices.offers(name)] if choices.has(SKILLS) else []


def _served(tool: Tool, name: str, choices: ServeChoices, server: str) -> ServedTool | None:
    """None where it is not chosen."""
    if not choices.has(SERVERS if server else TOOLS) or not (server or tool.module):
        return None
    if not choices.offers(name, tool.name, *((server,) if server else ())):
        return None
    hints = {key: tool.hints[key] for key, kind in _HINTS.items() if isinstance(tool.hints.get(key), kind)}
    return ServedTool(name, tool.name, tool.description, _object_schema(json_schema(tool)), hints)


def _skill_tool(tool: Tool, name: str, skills: list[str], host: Host) -> ServedTool | None:
    """With the list of skills, which a client has nowhere else; None without any."""
    if not skills:
        return None
    schema = _object_schema(json_schema(tool))
    named = {**schema["properties"]["name"], "enum": skills}
    schema["properties"] = {**schema["properties"], "name": named}
    lines, more = fitting(line_of(host.skills.skills[each]) for each in skills)
    rest = [f"- and {more} more"] if more else []
    description = "\n".join((tool.description, "", "Skills:", *lines, *rest))
    return ServedTool(name, tool.name, description, schema, {"readOnlyHint": True}, activates_skills=True)


def _object_schema(schema: Any) -> dict[str, Any]:
    """Clients want an object, whatever a tool says of itself."""
    made = dict(schema) if isinstance(schema, Mapping) else {}
    return {**made, "type": "object", "properties": made.get("properties") or {}}


def _served_program(entry: CatalogEntry, name: str) -> ServedTool:
    executable = entry.command.executable
    assert executable is not None
    words: dict[str, Any] = {"type": "string", "description": "the words of its command line, quoted as for a shell"}
    properties = {"arguments": words}
    if executable.subcommands:
        properties = {"subcommand": {"type": "string", "enum": list(executable.subcommands)}, **properties}
    description = f"Runs the program `{entry.name}` of {entry.origin}. {entry.command.description}".strip()
    return ServedTool(name, entry.qualified, description, {**_CLOSED, "properties": properties}, program=entry)
