"""What every part of a package is called in an extension, decided before anything is written.

A command and a skill of one extension share the names that users type, so each is there once. A server's name has no
`_`: Gemini CLI takes what is before the first one for the server.
"""

from __future__ import annotations

import re

from pisces.converting.names import UniqueNames, file_name, slug
from pisces.converting.plugin import PluginCommand, PluginSkill
from pisces.discovery.tool_names import SUBAGENT, allowed_name, meaning_of, tools_of
from pisces.harnesses.gemini.known_tools import is_tool_name
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.converting.plugin import Plugin, PluginAgent
    from pisces.converting.writer import WriteOptions

ID, LABEL = "gemini", "Gemini CLI"
LONGEST_SEGMENT = 44  # what is longer than 50 is cut when it is loaded; there is room for a number
OWN_AGENTS = ("generalist", "codebase_investigator", "cli_help", "browser_agent", "confucius")
_NOT_IN_AGENTS = re.compile(r"[^a-z0-9_-]+")
_NOT_IN_COMMANDS = re.compile(r"[^A-Za-z0-9_.:-]+")
_NOT_IN_SERVERS = re.compile(r"[^A-Za-z0-9.:-]+")
_NOT_IN_SKILLS = re.compile(r'[:\\/<>*?"|\x00-\x1f\x7f]+')
_NOT_IN_VARIABLES = re.compile(r"[^A-Z0-9]+")


class SkillName(Value):
    """`name` is in its header; `folder` holds it in the output."""

    name: str
    folder: str


class GeminiNames(Value):
    """By the path of an item's file; of commands by path and name, as one file may define several.

    `launched` are the skills that hold the text of a command, for all commands: few of them are written.
    """

    extension: str
    agents: Mapping[str, str]
    skills: Mapping[str, SkillName]
    commands: Mapping[str, str]
    launched: Mapping[str, str]
    servers: Mapping[str, str]
    variables: Mapping[str, str]
    package: str = ""
    tools: Mapping[str, str] = EMPTY

    def typed(self, command: PluginCommand | PluginSkill) -> str:
        """What the user types behind the slash."""
        return self.commands[key_of(command)].replace("/", ":")

    def server_tool(self, tool: str) -> str | None:
        """A tool of a server, or all of them, in Gemini CLI's spelling; empty where it cannot be said.

        None for what is no such tool.
        """
        if not tool.startswith("mcp__"):
            return None
        server, _, name = tool[5:].partition("__")
        spelled = "mcp_*" if server == "*" and name in ("", "*") else f"mcp_{self._server(server)}_{name or '*'}"
        return spelled if is_tool_name(spelled) else ""

    def _server(self, server: str) -> str:
        """Of this package in any spelling that authors use for it: `plugin_my_package_server`."""
        start = f"plugin_{self.package}_".replace("-", "_")
        plain = server[len(start) :] if server.replace("-", "_").startswith(start) else server
        alike = (new for old, new in self.servers.items() if old.replace("-", "_") == plain.replace("-", "_"))
        return self.servers.get(plain) or next(alike, plain)


def key_of(item: PluginCommand | PluginSkill) -> str:
    return f"{item.path}:{item.name}"


def names_of(plugin: Plugin, options: WriteOptions) -> GeminiNames:
    extension = slug(plugin.name, "extension")
    skills = _skills(plugin, options)
    typed = {each.name for each in skills.values()}
    commands = _commands(plugin, options, extension, typed)
    return GeminiNames(
        extension,
        _agents(plugin, extension),
        skills,
        commands,
        _launched(commands, typed),
        _servers(plugin),
        {each.name: setting_variable(plugin.name, each.name) for each in plugin.settings},
        plugin.name,
        _tools(plugin.harness),
    )


def is_command(skill: PluginSkill) -> bool:
    """What only the user starts: every skill of an extension is the model's as well."""
    return skill.by_user and not skill.by_model


def typed_items(plugin: Plugin) -> list[PluginCommand | PluginSkill]:
    """All that becomes a command."""
    return [*plugin.commands, *filter(is_command, plugin.skills)]


def is_left_out(item: PluginSkill | PluginCommand | PluginAgent, options: WriteOptions) -> bool:
    """Also a skill that neither the user nor the model may start."""
    if isinstance(item, PluginSkill) and (item.name in options.skipped_skills or not (item.by_user or item.by_model)):
        return True
    return bool(item.targets and ID not in item.targets)


def _agents(plugin: Plugin, extension: str) -> dict[str, str]:
    """The name alone; where it is taken, with its folders before it, and then with a number."""
    named: dict[str, str] = {}
    names = UniqueNames()
    counts: dict[str, int] = {}
    for agent in plugin.agents:
        counts[_agent_name(agent.name)] = counts.get(_agent_name(agent.name), 0) + 1
    for agent in plugin.agents:
        name = _agent_name(agent.name)
        if counts[name] > 1 and agent.folders:
            name = _agent_name("-".join((*agent.folders, agent.name)))
        elif name in OWN_AGENTS:
            name = f"{extension}-{name}"
        named[agent.path] = names.unique(name)
    return named


def _agent_name(name: str) -> str:
    return file_name(_NOT_IN_AGENTS.sub("-", name.lower()).strip("-_"), "agent")


def _skills(plugin: Plugin, options: WriteOptions) -> dict[str, SkillName]:
    found: dict[str, SkillName] = {}
    names, folders = UniqueNames(), UniqueNames()
    for skill in plugin.skills:
        if is_command(skill) or is_left_out(skill, options):
            continue
        name = names.unique(_NOT_IN_SKILLS.sub("-", skill.name).strip() or "skill")
        inner = skill.folder.rpartition("/")[2] or skill.name
        found[skill.path] = SkillName(name, folders.unique(file_name(inner, "skill")))
    return found


def _commands(plugin: Plugin, options: WriteOptions, extension: str, typed: set[str]) -> dict[str, str]:
    """The path of each file below `commands`, without its ending."""
    prefix = f"{extension}/" if has_prefix(plugin, options) else ""
    names = UniqueNames(f"{prefix}{slug_of_typed(each)}" for each in typed if prefix)
    found: dict[str, str] = {}
    for command in typed_items(plugin):
        if not is_left_out(command, options):
            plain = _NOT_IN_COMMANDS.sub("-", command.name).split(":")
            segments = [file_name(each, "command", LONGEST_SEGMENT) for each in plain]
            found[key_of(command)] = names.unique(prefix + "/".join(segments))
    return found


def has_prefix(plugin: Plugin, options: WriteOptions) -> bool:
    """What is written for Gemini CLI already is typed as it is."""
    return not options.without_prefix and plugin.harness != ID


def slug_of_typed(name: str) -> str:
    """What the user types for a skill: blanks are dashes."""
    return re.sub(r"\s+", "-", name.strip())


def _launched(commands: Mapping[str, str], typed: set[str]) -> dict[str, str]:
    names = UniqueNames(typed)
    return {key: names.unique(f"{slug(path.rpartition('/')[2])}-command") for key, path in commands.items()}


def _servers(plugin: Plugin) -> dict[str, str]:
    names = UniqueNames()
    return {
        each.name: names.unique(_NOT_IN_SERVERS.sub("-", each.name).strip("-") or "server") for each in plugin.servers
    }


def setting_variable(plugin: str, key: str) -> str:
    """With the package's name before it: no setting may replace `PATH`."""
    name = _NOT_IN_VARIABLES.sub("_", f"{plugin}_{key}".upper()).strip("_")
    return f"_{name}" if name[:1].isdigit() else name


def _tools(harness: str) -> dict[str, str]:
    """What texts call tools: those of the package's own program that have a counterpart with another name."""
    named = {tool: allowed_name(ID, tool) for tool in tools_of(harness)}
    return {tool: name for tool, name in named.items() if name and name != tool}


def is_recursion(tool: str) -> bool:
    """Gemini CLI lets no subagent start another."""
    return meaning_of(tool) == SUBAGENT
