"""What Claude Code itself never loads of a plugin, in 2.1.325 and 2.1.197: reported, and not given to others."""

from __future__ import annotations

from pisces.converting.agent_tools import bare
from pisces.converting.fate import DROPPED, LOST_FIELD, NEVER_LOADED, SOURCE_REFUSED, Fate, lost
from pisces.converting.plugin import PluginRest, PluginServer, PluginSkill
from pisces.discovery.plugin_programs import entries_of
from pisces.discovery.tool_names import meaning_of
from pisces.harnesses.claude.hook_shape import each_of
from pisces.harnesses.claude.manifest_shape import FIELDS
from pisces.harnesses.claude.refusals import plugin_refusals
from pisces.harnesses.claude.tools import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginAgent, PluginCommand
    from pisces.converting.reading import PackageReading

_LISTED = ("icon", "category", "tags", "source", "strict")
_SERVER_FILE = ".mcp.json"
_AGENT_SECRETS = ("hooks", "mcpServers", "permissionMode")


def refusal(plugin: Plugin, reading: PackageReading) -> tuple[str, tuple[Fate, ...]]:
    """Why nothing of the plugin loads; empty where it does."""
    found = next(iter(plugin_refusals(reading.files.folder, dict(plugin.fields))), None)
    manifest = reading.files.absolute(plugin.manifest) if plugin.manifest else ""
    if found:
        path, flaw = found
        return _refused(reading, path, flaw.message, flaw.keys)
    if manifest and reading.inventory.package is None:
        return _refused(reading, manifest, "its manifest cannot be read", ())
    return "", ()


def _refused(
    reading: PackageReading, path: str, message: str, keys: tuple[str | int, ...]
) -> tuple[str, tuple[Fate, ...]]:
    at = reading.files.below(path)
    line = reading.files.lines(path, keys, ()).get("", 1)
    why = f"Claude Code refuses the whole plugin: {message}"
    fix = f"mend `{'.'.join(map(str, keys))}` in {at}" if keys else f"mend {at}"
    field = ".".join(map(str, keys))
    rule = SOURCE_REFUSED
    return why, (Fate(DROPPED, "plugin", at, line, field, "", rule.code, rule.severity, why, fix),)


def without_foreign_tools(plugin: Plugin) -> tuple[Plugin, list[Fate]]:
    """A name that only another program has for a tool gives a subagent nothing in Claude Code, and so nothing there."""
    fates: list[Fate] = []
    agents: list[PluginAgent] = []
    for agent in plugin.agents:
        foreign = [each for each in agent.tools or () if bare(each) not in TOOLS and meaning_of(bare(each))]
        own = None if agent.tools is None else tuple(each for each in agent.tools if each not in foreign)
        agents.append(agent.replace(tools=own))
        for tool in foreign:
            why = f"Claude Code has no tool `{tool}`, so that the subagent has none like it"
            fates.append(lost(DROPPED, NEVER_LOADED, agent, why, "tools"))
    return plugin.replace(agents=tuple(agents)), fates


def one_skill(plugin: Plugin, reading: PackageReading) -> tuple[Plugin, list[Fate]]:
    """A `skill.md` of any case makes one skill of its folder of commands, and every other file there is its own."""
    fates: list[Fate] = []
    folders = {each.path.rpartition("/")[0]: each for each in plugin.commands if _is_skill(each)}
    commands: list[PluginCommand] = []
    skills = list(plugin.skills)
    for each in plugin.commands:
        folder = next(
            (folder for folder in folders if each.path.startswith(f"{folder}/") and each.path.endswith(".md")), ""
        )
        if not folder:
            commands.append(each)
        elif _is_skill(each) and each.path.rpartition("/")[0] == folder:
            skills.append(_as_skill(each, reading))
        else:
            why = f"`{folders[folder].path}` makes one skill of the whole folder, so that this is no command"
            fix = f"rename {folders[folder].path}"
            fates.append(lost(DROPPED, NEVER_LOADED, each, why).replace(fix=fix))
    return plugin.replace(commands=tuple(commands), skills=tuple(skills)), fates


def _is_skill(command: PluginCommand) -> bool:
    return command.path.lower().endswith("/skill.md")


def _as_skill(command: PluginCommand, reading: PackageReading) -> PluginSkill:
    *folders, last = command.name.split(":")
    parts = folders if last.lower() == "skill" else [*folders, last]
    name = ":".join(parts) or command.path.rpartition("/")[0].rpartition("/")[2]
    return PluginSkill(
        name,
        command.path,
        command.fields,
        command.lines,
        command.description,
        command.prompt,
        reading.items.files_beside(command.path),
        command.argument_hint,
        targets=command.targets,
    )


def without_namesakes(plugin: Plugin, hidden: tuple[str, ...]) -> tuple[Plugin, list[Fate]]:
    """A skill and a command of one name: only one can have it, and the other would be a duplicate elsewhere.

    The documentation gives it to the skill. 2.1.325 gives it to the command; nearly every such command only says to use
    the skill, which would be lost then. A skill whose path is `hidden` from Claude Code yields to the command.
    """
    commands = {each.name: each for each in plugin.commands}
    skills = {each.name: each for each in plugin.skills if each.path not in hidden}
    fates = []
    for name, command in commands.items():
        if name in skills:
            path = skills[name].path
            why = f"the skill in {path} has its name, and the documentation of Claude Code gives the name to the skill"
            fix = f"rename one of them: Claude Code 2.1.325 starts the command, and never the skill in {path}"
            fates.append(lost(DROPPED, NEVER_LOADED, command, why).replace(fix=fix))
    for skill in plugin.skills:
        if skill.path in hidden and skill.name in commands:
            why = f"it lies too deep for Claude Code, which has the command in {commands[skill.name].path} instead"
            fates.append(lost(DROPPED, NEVER_LOADED, skill, why))
    skills_left = tuple(each for each in plugin.skills if each.path not in hidden or each.name not in commands)
    live = tuple(each for each in plugin.commands if each.name not in skills)
    return plugin.replace(commands=live, skills=skills_left), fates


def without_twins(plugin: Plugin) -> tuple[Plugin, list[Fate]]:
    """Of subagents with one name in one folder, Claude Code has the first."""
    first: dict[tuple[str, ...], PluginAgent] = {}
    fates = []
    for agent in plugin.agents:
        winner = first.setdefault((*agent.folders, agent.name), agent)
        if winner is not agent:
            why = f"the subagent in {winner.path} has its name, and comes first"
            fates.append(lost(DROPPED, NEVER_LOADED, agent, why, "name").replace(fix="give it another name"))
    return plugin.replace(agents=tuple(first.values())), fates


def without_server_twins(plugin: Plugin) -> tuple[Plugin, list[Fate]]:
    """Of servers with one name Claude Code has the last: the usual file counts as read before what a manifest names."""
    last: dict[str, PluginServer] = {}
    for server in sorted(plugin.servers, key=lambda each: each.path != _SERVER_FILE):
        last[server.name] = server
    fates = []
    for server in plugin.servers:
        winner = last[server.name]
        if winner is not server:
            why = f"the server in {winner.path} has its name, and Claude Code takes that one"
            fates.append(lost(DROPPED, NEVER_LOADED, server, why).replace(fix="give it another name"))
    live = tuple(each for each in plugin.servers if last[each.name] is each)
    return plugin.replace(servers=live), fates


def unread_fields(plugin: Plugin) -> Iterator[Fate]:
    """Keys of the manifest and of subagents that Claude Code does not read."""
    for key in plugin.fields:
        if (key not in FIELDS and key not in _LISTED) or key == "$schema":
            about = PluginRest(plugin.name, plugin.manifest, {}, plugin.lines, "plugin")
            why = "it is for editors" if key == "$schema" else f"Claude Code does not read `{key}` in a manifest"
            yield lost(DROPPED, LOST_FIELD, about, why, str(key))
    for agent in plugin.agents:
        if "allowed-tools" in agent.fields and "tools" not in agent.fields:
            why = "Claude Code reads `tools` in a subagent, so that this one may use every tool, and stays so"
            fix = "call the field `tools`"
            yield lost(DROPPED, LOST_FIELD, agent, why, "allowed-tools").replace(fix=fix)
        for key in _AGENT_SECRETS:
            if key in agent.fields:
                why = f"Claude Code ignores `{key}` of a plugin's subagent"
                yield lost(DROPPED, LOST_FIELD, agent, why, key)


def unread_skills(plugin: Plugin) -> Iterator[Fate]:
    """Entries of `skills` that name the file and not its folder fail; the usual folder is read all the same."""
    read = {each.path for each in plugin.skills}
    for _, each in each_of(plugin.fields.get("skills")):
        path = each.removeprefix("./") if isinstance(each, str) else ""
        if path.endswith("SKILL.md") and path not in read:
            about = PluginRest(path, plugin.manifest, {}, plugin.lines, "skill")
            why = "an entry of `skills` must be the folder of a skill, and Claude Code leaves out this file"
            fix = f"write `{each.removesuffix('/SKILL.md')}`"
            yield lost(DROPPED, NEVER_LOADED, about, why, "skills").replace(fix=fix)


def unread_servers(plugin: Plugin, reading: PackageReading) -> Iterator[Fate]:
    """Servers that stand in a file and that Claude Code leaves out."""
    package = reading.inventory.package
    if package is None:
        return
    known = {(each.path, each.keys) for each in plugin.servers}
    for found in entries_of(package, ("mcpServers",), (_SERVER_FILE,)):
        inner = found.value.get("mcpServers") if isinstance(found.value, dict) else None
        servers, keys = (inner, (*found.keys, "mcpServers")) if isinstance(inner, dict) else (found.value, found.keys)
        for name, config in servers.items() if isinstance(servers, dict) else ():
            path, at = reading.files.below(found.path), (*keys, name)
            if (path, at) not in known and isinstance(config, dict):
                yield _unread_server(reading, path, at, config)


def _unread_server(reading: PackageReading, path: str, keys: tuple[str | int, ...], config: dict[str, Any]) -> Fate:
    lines = reading.files.lines(reading.files.absolute(path), keys, ())
    why = "Claude Code leaves it out: it needs a `command`, or a `type` with a `url`"
    return lost(DROPPED, NEVER_LOADED, PluginServer(str(keys[-1]), path, config, lines, keys), why)
