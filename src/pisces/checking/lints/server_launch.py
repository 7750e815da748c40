"""How MCP servers start, in every dialect: relative to the wrong folder, or in a version that may change."""

from __future__ import annotations

import os
import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.discovery.acts import acts_of
from pisces.discovery.item_place import item_place
from pisces.formats.json import JsonObject
from pisces.shapes.act import SERVER
from pisces.shapes.launch_words import float_of
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.shapes.subagent import Subagent

SERVER_RELATIVE = Rule("server-relative", WARNING, "An MCP server is started from the wrong folder")
SERVER_FLOATING = Rule("server-floating", NOTE, "An MCP server whose version is not fixed")

_SCRIPT = re.compile(r"(?!-)[\w.@-]+(?:/[\w.@-]+)*\.(?:js|mjs|cjs|ts|py|sh|rb)")


def _find(subject: Subject) -> Diagnostics:
    for found in subject.every("mcp-servers"):
        server = found.item
        config = server.config if isinstance(server.config, dict) else {}
        command, args = config.get("command"), _texts(config.get("args"))
        if not isinstance(command, str):
            continue
        if subject.formats and (relative := _relative(subject, command, args, config)):
            place = _place(subject, server, *relative[1])
            hint = f"begin with `${{{_root(subject, found.source.harness)}}}/`, or set `cwd`"
            message = f"`{relative[0]}` is looked for in the user's project"
            yield SERVER_RELATIVE.at(server.path, message, place=place, hint=hint, about=server.name)
        floating = float_of((command, *args))
        if floating:
            place = _place(subject, server, "command")
            yield SERVER_FLOATING.at(server.path, floating.reason, place=place, hint=floating.hint, about=server.name)
    for found in subject.every("subagents"):
        yield from _of_subagent(found)


def _of_subagent(found: Found[Subagent]) -> Diagnostics:
    for act in acts_of("subagents", found):
        floating = float_of(act.argv) if act.kind == SERVER and act.argv else None
        if floating:
            place = item_place(found.replace(item=act))
            yield SERVER_FLOATING.at(act.path, floating.reason, place=place, hint=floating.hint, about=act.name)


def _relative(
    subject: Subject, command: str, args: list[str], config: JsonObject
) -> tuple[str, tuple[str | int, ...]] | None:
    """The first relative path in a command line, and the keys that lead to it."""
    if config.get("cwd"):
        return None
    if command.startswith(("./", "../", ".\\")):
        return command, ("command",)
    for index, word in enumerate(args):
        if word.startswith(("./", "../")) or _SCRIPT.fullmatch(word):
            return (word, ("args", index)) if os.path.exists(subject.inside(word)) else None
    return None


def _root(subject: Subject, format_id: str) -> str:
    return next(each.root_variable for each in subject.package_formats if each.id == format_id)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _place(subject: Subject, server: McpServer, *keys: str | int) -> tuple[int, int]:
    """Below `mcpServers`, or at the top of a flat file; (0, 0) for a file that is not JSON, such as a config.toml."""
    if not server.path.endswith(".json"):
        return 0, 0
    values = subject.pages.json(server.path)
    servers = values.get("mcpServers") if isinstance(values, dict) else None
    table = servers if isinstance(servers, dict) else values if isinstance(values, dict) else {}
    above = ("mcpServers",) if isinstance(servers, dict) else ()
    name = next((each for each in table if server.name == each or server.name.endswith(f":{each}")), server.name)
    return subject.pages.json_place(server.path, (*above, name, *keys))


LINT = Lint("how MCP servers are started", _find)
