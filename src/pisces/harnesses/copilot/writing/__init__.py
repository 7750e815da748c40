"""A package as a plugin of the Copilot CLI and VS Code, which take much of what Claude Code takes.

Commands and variables of Claude Code are read as they are; subagents allow groups of tools.
"""

from __future__ import annotations

from pisces.converting.agent_files import AgentHeader, AgentTarget, written_agent_files
from pisces.converting.assembling import assembled, json_file, left_fields, other_files, rest_fates
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_AGENT,
    WIDENED,
    WIDENED_TOOLS,
    lost,
    mapped,
)
from pisces.converting.leftovers import manifest_fates, renamed_command, without_place
from pisces.converting.names import UniqueNames, slug
from pisces.converting.prompt_text import DATA, PROJECT, ROOT, SESSION, SKILL_FOLDER
from pisces.converting.server_entries import EntryTarget, plain_entry, server_entries
from pisces.converting.skill_folders import SkillTarget, written_skills
from pisces.converting.spelling import Spelling, spelled
from pisces.converting.tool_groups import ToolGroups, grouped_tools
from pisces.converting.writer import OutputFile, WriteOptions, Writer, Written
from pisces.discovery import tool_names as to
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.copilot import MANIFEST
from pisces.harnesses.copilot.writing.hooks import written_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent

LABEL = "Copilot"
_VARIABLES = {
    ROOT: "${CLAUDE_PLUGIN_ROOT}",
    DATA: "${CLAUDE_PLUGIN_DATA}",
    PROJECT: "${CLAUDE_PROJECT_DIR}",
    SESSION: "${CLAUDE_SESSION_ID}",
    SKILL_FOLDER: "${CLAUDE_SKILL_DIR}",
}
_TEXT = Spelling(LABEL, "$ARGUMENTS", "${number}", "!`{line}`", "@{path}", _VARIABLES, "copilot")
_GROUPS = ToolGroups(
    LABEL,
    {
        **dict.fromkeys((to.READ,), "read"),
        **dict.fromkeys((to.WRITE, to.EDIT, to.PATCH), "edit"),
        **dict.fromkeys((to.SEARCH, to.FIND, to.LIST), "search"),
        **dict.fromkeys((to.SHELL, to.TYPE), "execute"),
        **dict.fromkeys((to.FETCH, to.WEB_SEARCH), "web"),
        to.SUBAGENT: "agent",
        **dict.fromkeys((to.TODOS, to.TASKS), "todo"),
    },
    "{server}/{tool}",
)
_SKILLS = SkillTarget("copilot", _TEXT, fields=("disable-model-invocation", "user-invocable", "argument-hint"))
_CARRIED = ("author", "homepage", "repository", "license", "keywords")
_MOST_PROMPT = 30_000
_LANGUAGE_SERVER = "language server"


def write(plugin: Plugin, options: WriteOptions) -> Written:
    parts = (
        _manifest(plugin),
        written_agent_files(plugin, AgentTarget(_TEXT, lambda agent: _header(agent, options), suffix=".agent.md")),
        written_skills(plugin, _SKILLS, options).written(),
        _commands(plugin),
        _servers(plugin),
        written_hooks(plugin, options),
        other_files(plugin, _is_component, LABEL),
    )
    return assembled(parts)


def _is_component(path: str) -> bool:
    """A file that no component of the source is, and that Copilot would load."""
    first = path.partition("/")[0]
    return first in ("agents", "commands", "hooks.json", ".lsp.json", "plugin.json") or path in (MANIFEST, ".mcp.json")


def _manifest(plugin: Plugin) -> Written:
    values: dict[str, Any] = {"name": slug(plugin.name), "version": plugin.version or "0.0.0"}
    values.update({"description": plugin.description} if plugin.description else {})
    values.update({key: plugin.metadata[key] for key in _CARRIED if key in plugin.metadata})
    servers = {each.name: dict(each.fields) for each in plugin.rest if each.sort == _LANGUAGE_SERVER}
    files = [json_file(MANIFEST, values)]
    fates = [*manifest_fates(plugin, _CARRIED, LABEL), *without_place((*plugin.settings, *plugin.contexts), LABEL)]
    others = tuple(each for each in plugin.rest if each.sort != _LANGUAGE_SERVER)
    fates += rest_fates(plugin.replace(rest=others), LABEL)
    if servers:
        files.append(json_file(".lsp.json", {"lspServers": servers}))
        fates += [mapped(each, ".lsp.json") for each in plugin.rest if each.sort == _LANGUAGE_SERVER]
    return Written(tuple(files), tuple(fates))


def _header(agent: PluginAgent, options: WriteOptions) -> AgentHeader:
    tools = grouped_tools(agent, _GROUPS)
    fates = list(tools.fates)
    if tools.names == () and not options.widen:
        why = f"none of its tools exists in {LABEL}; without a list it would have all"
        return AgentHeader(None, (*fates, lost(DROPPED, LOST_AGENT, agent, why, "tools")))
    if tools.names == ():
        why = "none of its tools is left, so it has no list and may use all tools"
        fates.append(lost(WIDENED, WIDENED_TOOLS, agent, why, "tools"))
    if tools.names and {"edit", "search", "web"}.intersection(tools.names):
        why = f"{LABEL} allows tools in groups: {', '.join(f'`{each}`' for each in tools.names)}"
        fates.append(lost(APPROXIMATED, CHANGED_MEANING, agent, why, "tools"))
    if len(agent.prompt.written) > _MOST_PROMPT:
        why = f"{LABEL} reads the first {_MOST_PROMPT:,} characters of a subagent"
        fates.append(lost(APPROXIMATED, CHANGED_MEANING, agent, why))
    return AgentHeader({"tools": tools.names} if tools.names else {}, tuple(fates))


def _commands(plugin: Plugin) -> Written:
    files: list[OutputFile] = []
    fates: list[Fate] = []
    names = UniqueNames()
    for command in plugin.commands:
        name = names.unique(command.name.replace(":", "/"))
        path = f"commands/{name}.md"
        text = spelled(command, command.prompt, _TEXT)
        header = {"description": command.description, "argument-hint": command.argument_hint}
        page = markdown_text({key: value for key, value in header.items() if value}, text.text)
        files.append(OutputFile(path, page.encode("utf-8", "replace")))
        fates += [mapped(command, path), *renamed_command(command, name, "/"), *text.fates]
        fates += left_fields(command, (*header, "name"), LABEL)
    return Written(tuple(files), tuple(fates))


def _servers(plugin: Plugin) -> Written:
    path = ".mcp.json"
    made = server_entries(plugin, EntryTarget(_TEXT, plain_entry), path)
    files = (json_file(path, {"mcpServers": dict(made.entries)}),) if made.entries else ()
    return Written(files, made.fates)


WRITER = Writer("copilot", LABEL, "copilot-plugin", write)
