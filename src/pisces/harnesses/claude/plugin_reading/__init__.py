"""How a plugin of Claude Code is read for other harnesses: the grammar of its texts, and what it never loads itself."""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost
from pisces.converting.plugin import EVERYTHING, LOOKING_AROUND
from pisces.converting.reading import PluginReader
from pisces.diagnostics import Diagnostic
from pisces.discovery.finders.grouped_hooks import CLAUDE_HOOK_EVENT, CLAUDE_HOOK_SHAPE
from pisces.discovery.finders.mcp_config import MCP_SERVER_ENTRY, MCP_SERVER_TYPE
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.package_format import PACKAGE_MANIFEST
from pisces.harnesses.claude.known_marketplaces import LISTING
from pisces.harnesses.claude.plugin_reading.hooks import all_hooks, empty_files
from pisces.harnesses.claude.plugin_reading.listed import listed_package
from pisces.harnesses.claude.plugin_reading.never_loaded import (
    one_skill,
    refusal,
    unread_fields,
    unread_servers,
    unread_skills,
    without_foreign_tools,
    without_namesakes,
    without_server_twins,
    without_twins,
)
from pisces.harnesses.claude.plugin_reading.prompts import template, variables
from pisces.harnesses.claude.plugin_reading.rest import rest_of
from pisces.harnesses.claude.user_invocable import is_for_users
from pisces.shapes.field import words_of
from pisces.shapes.skill import Skill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent, PluginCommand, PluginSkill
    from pisces.converting.reading import PackageReading

_TOP = "skills/"
_FILE = "/SKILL.md"
_OWN_AGENTS = {"general-purpose": EVERYTHING, "Explore": LOOKING_AROUND}


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    refused, fates = refusal(plugin, reading)
    plugin = plugin.replace(
        own_agents=_OWN_AGENTS,
        commands=tuple(_as_declared(each, plugin) for each in plugin.commands),
        skills=_skills(plugin, reading),
        agents=tuple(map(_agent, plugin.agents)),
        hooks=all_hooks(plugin, reading),
    )
    plugin, siblings = one_skill(plugin, reading)
    plugin, twins = without_twins(plugin)
    plugin, foreign = without_foreign_tools(plugin)
    hidden = tuple(each.path for each in plugin.skills if _is_hidden(each, plugin))
    plugin, namesakes = without_namesakes(plugin, hidden)
    plugin = plugin.replace(
        rest=(*plugin.rest, *rest_of(plugin, reading)),
        hooks=tuple(each.replace(dead=refused or each.dead) for each in plugin.hooks),
        refused=refused,
    )
    unread = (*unread_fields(plugin), *unread_servers(plugin, reading), *unread_skills(plugin))
    plugin, shadowed = without_server_twins(plugin)
    others = (*empty_files(plugin, reading), *unread, *shadowed, *_moved(plugin, hidden))
    return plugin.replace(fates=(*plugin.fates, *fates, *siblings, *twins, *foreign, *namesakes, *others))


def _as_declared(command: PluginCommand, plugin: Plugin) -> PluginCommand:
    """With what an entry of `commands` in the manifest says about it, which comes before the header."""
    declared = plugin.fields.get("commands")
    entry = declared.get(command.name) if isinstance(declared, dict) else None
    if not isinstance(entry, dict) or "content" in entry:
        return command
    words = {"allowed-tools": entry.get("allowedTools"), "model": entry.get("model")}
    return command.replace(
        description=str(entry.get("description") or command.description),
        argument_hint=str(entry.get("argumentHint") or command.argument_hint),
        fields={**command.fields, **{key: value for key, value in words.items() if value}},
    )


def _agent(agent: PluginAgent) -> PluginAgent:
    """A list that cannot be read is an empty list: only without the field has a subagent every tool."""
    if "tools" not in agent.fields:
        return agent.replace(tools=None)
    tools = words_of(agent.fields["tools"]) or ()
    return agent.replace(tools=None if "*" in tools else tools)


def _skills(plugin: Plugin, reading: PackageReading) -> tuple[PluginSkill, ...]:
    """Named by their folders; `skills` itself, where it is one, by its header.

    Those that lie too deep for Claude Code are read as well, but for parts of others.
    """
    found = {each.path: _skill(each) for each in plugin.skills}
    for path in _deep(plugin, tuple(each.folder for each in plugin.skills)):
        file = markdown_at(reading.files.absolute(path), path, lenient=True)
        if not isinstance(file, Diagnostic):
            text = file.text("description") or file.first_line
            skill = Skill(file.text("name"), text, file.path, file.fields, file.body_line)
            found[path] = _skill(reading.items.skill(skill))
    return tuple(found.values())


def _skill(skill: PluginSkill) -> PluginSkill:
    folder = "" if f"{skill.folder}/" == _TOP else skill.folder.rpartition("/")[2]
    seen = Skill("", "", "", skill.fields)
    return skill.replace(
        name=folder or skill.name,
        by_user=is_for_users(skill.fields),
        by_model=seen.disable_model_invocation is not True,
    )


def _deep(plugin: Plugin, known: tuple[str, ...]) -> Iterator[str]:
    """Files of skills below `skills` that Claude Code does not look for, and that are no part of a skill."""
    taken: tuple[str, ...] = tuple(f"{each}/" for each in known if each)
    for path in sorted((each.path for each in plugin.files), key=lambda each: each.count("/")):
        if path.startswith(_TOP) and path.endswith(_FILE) and not path.startswith(taken):
            taken = (*taken, path.removesuffix("SKILL.md"))
            yield path


def _moved(plugin: Plugin, hidden: tuple[str, ...]) -> Iterator[Fate]:
    for skill in plugin.skills:
        if skill.path in hidden:
            why = "Claude Code looks for skills one folder deep, and does not find it where it is"
            yield lost(APPROXIMATED, CHANGED_MEANING, skill, why).replace(fix=f"move it to {_TOP}{skill.name}")


def _is_hidden(skill: PluginSkill, plugin: Plugin) -> bool:
    """Whether it lies deeper than Claude Code looks, and in no folder that the manifest names."""
    declared = plugin.fields.get("skills")
    named = [each.removeprefix("./").rstrip("/") for each in _texts(declared)]
    above = skill.folder.rpartition("/")[0]
    return skill.folder.startswith(_TOP) and above != "skills" and skill.folder not in named and above not in named


def _texts(value: object) -> list[str]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]


_ANSWERED = tuple(
    each.code for each in (CLAUDE_HOOK_EVENT, CLAUDE_HOOK_SHAPE, PACKAGE_MANIFEST, MCP_SERVER_ENTRY, MCP_SERVER_TYPE)
)
READER = PluginReader(template, _completed, variables, 0, (LISTING,), listed_package, _ANSWERED)
