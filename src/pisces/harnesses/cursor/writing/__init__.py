"""A package as a Cursor plugin: a closed manifest, commands and subagents as Markdown, servers in `mcp.json`.

A subagent of Cursor has no list of tools, only `readonly`: one whose author allowed some tools gets that, which is
never more.
"""

from __future__ import annotations

from pisces.converting.agent_files import AgentHeader, AgentTarget, written_agent_files
from pisces.converting.assembling import (
    assembled,
    author_of,
    json_file,
    left_fields,
    lost_key,
    other_files,
    repository_of,
    rest_fates,
)
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, WIDENED, WIDENED_TOOLS, lost, mapped
from pisces.converting.leftovers import manifest_fates, renamed_command, without_place
from pisces.converting.names import UniqueNames, slug
from pisces.converting.prompt_text import ROOT, SETTING, SKILL_FOLDER
from pisces.converting.server_entries import EntryTarget, plain_entry, server_entries
from pisces.converting.skill_folders import SkillTarget, written_skills
from pisces.converting.spelling import Spelling, spelled
from pisces.converting.writer import OutputFile, WriteOptions, Writer, Written
from pisces.discovery import tool_names as to
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.cursor import MANIFEST
from pisces.harnesses.cursor.writing.hooks import written_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent, PluginSetting

LABEL = "Cursor"
_SERVERS = Spelling(LABEL, variables={ROOT: "${CURSOR_PLUGIN_ROOT}", SETTING: "${{name}}"})
_TEXT = Spelling(LABEL, include="@{path}", harness="cursor")
# A skill names files relative to its own folder, which is two below that of the package.
_SKILL_TEXT = Spelling(LABEL, variables={ROOT: "../..", SKILL_FOLDER: "."}, harness="cursor")
_SKILLS = SkillTarget("cursor", _SKILL_TEXT, fields=("disable-model-invocation",))
_CARRIED = ("author", "homepage", "repository", "license", "keywords", "displayName")
_CHANGING = (to.WRITE, to.EDIT, to.PATCH, to.SHELL, to.TYPE)


def write(plugin: Plugin, options: WriteOptions) -> Written:
    parts = (
        _manifest(plugin),
        written_agent_files(plugin, AgentTarget(_TEXT, lambda agent: _header(agent, options))),
        written_skills(plugin, _SKILLS, options).written(),
        _commands(plugin),
        _servers(plugin),
        written_hooks(plugin, options),
        other_files(plugin, _is_component, LABEL),
    )
    return assembled(parts)


def _is_component(path: str) -> bool:
    """A file that no component of the source is, and that Cursor would load."""
    first = path.partition("/")[0]
    return first in ("agents", "commands", "rules") or path in (MANIFEST, "mcp.json", "hooks/hooks.json")


def _manifest(plugin: Plugin) -> Written:
    values: dict[str, Any] = {"name": slug(plugin.name), "version": plugin.version or "0.0.0"}
    values.update({"description": plugin.description} if plugin.description else {})
    person = author_of(plugin.metadata.get("author"))
    if person.get("name"):
        values["author"] = {key: person[key] for key in ("name", "email") if key in person}
    addresses = {key: repository_of(plugin.metadata.get(key)) for key in ("homepage", "repository")}
    values.update({key: address for key, address in addresses.items() if ":" in address})
    texts = {key: plugin.metadata.get(key) for key in ("license", "displayName")}
    values.update({key: text for key, text in texts.items() if isinstance(text, str)})
    words = plugin.metadata.get("keywords")
    if isinstance(words, list) and all(isinstance(each, str) for each in words):
        values["keywords"] = list(words)
    asked = {each.variable or each.name: _variable(each) for each in plugin.settings}
    values.update({"variables": asked} if asked else {})
    fates = [*manifest_fates(plugin, _CARRIED, LABEL), *without_place(plugin.contexts, LABEL)]
    lacking = [key for key in _CARRIED if plugin.metadata.get(key) and key not in values]
    lacking += ["author.url"] if "author" in values and "url" in person else []
    fates += [lost_key(plugin, key, f"{LABEL} takes no such value for `{key}`") for key in lacking]
    fates += [fate for each in plugin.settings for fate in (mapped(each, MANIFEST), *left_fields(each, _ASKED, LABEL))]
    return Written((json_file(MANIFEST, values),), (*fates, *rest_fates(plugin, LABEL)))


_ASKED = ("name", "description", "envVar", "sensitive", "secret", "default", "required")


def _variable(setting: PluginSetting) -> dict[str, Any]:
    said = {key: setting.fields[key] for key in ("description", "default", "required") if key in setting.fields}
    return {**said, **({"secret": True} if setting.sensitive else {})}


def _header(agent: PluginAgent, options: WriteOptions) -> AgentHeader:
    """`readonly` for every limit: it is narrower than a list that allows changes, and as near as Cursor can say it."""
    is_limited = (agent.tools is not None and "*" not in agent.tools) or bool(agent.disallowed_tools)
    field = "tools" if agent.tools is not None else "disallowedTools"
    if not is_limited:
        return AgentHeader({})
    if options.widen:
        why = f"{LABEL} has no list of tools: the subagent may use all"
        return AgentHeader({}, (lost(WIDENED, WIDENED_TOOLS, agent, why, field),))
    changing = [each for each in agent.tools or () if to.meaning_of(each.partition("(")[0].strip()) in _CHANGING]
    without = f", and does without {', '.join(f'`{each}`' for each in changing)}" if changing else ""
    why = f"{LABEL} has no list of tools: the subagent is `readonly`{without}"
    fix = "`--widen` gives it all tools" if changing else ""
    fate = lost(APPROXIMATED, CHANGED_MEANING, agent, why, field).replace(fix=fix)
    return AgentHeader({"readonly": True}, (fate,))


def _commands(plugin: Plugin) -> Written:
    files: list[OutputFile] = []
    fates: list[Fate] = []
    names = UniqueNames()
    for command in plugin.commands:
        name = names.unique(command.name.replace(":", "-"))
        path = f"commands/{name}.md"
        text = spelled(command, command.prompt, _TEXT)
        header = {"name": name, "description": command.description}
        files.append(OutputFile(path, markdown_text(header, text.text).encode("utf-8", "replace")))
        fates += [mapped(command, path), *renamed_command(command, name, "-"), *text.fates]
        fates += left_fields(command, header, LABEL)
    return Written(tuple(files), tuple(fates))


def _servers(plugin: Plugin) -> Written:
    asked = {f"{SETTING}{each.name}": f"${{{each.variable or each.name}}}" for each in plugin.settings}
    spelling = _SERVERS.replace(variables={**_SERVERS.variables, **asked})
    made = server_entries(plugin, EntryTarget(spelling, plain_entry), "mcp.json")
    files = (json_file("mcp.json", {"mcpServers": dict(made.entries)}),) if made.entries else ()
    return Written(files, made.fates)


WRITER = Writer("cursor", LABEL, "cursor-plugin", write)
