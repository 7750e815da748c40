"""A package as a project's `.opencode` folder and `opencode.json`: OpenCode has no packages of such parts.

The files of the package lie in `.opencode/NAME`. A subagent is limited by `permission`: first everything is denied,
then what its author allowed is allowed.
"""

from __future__ import annotations

from pisces.converting.agent_files import AgentHeader, AgentTarget, written_agent_files
from pisces.converting.agent_tools import bare, limits
from pisces.converting.assembling import assembled, component_paths, json_file, left_fields, lost_key, rest_fates
from pisces.converting.fate import (
    DROPPED,
    LOST_AGENT,
    LOST_COMPONENT,
    LOST_FIELD,
    LOST_TOOL,
    WIDENED,
    WIDENED_TOOLS,
    lost,
    mapped,
)
from pisces.converting.leftovers import manifest_fates, renamed_command, without_place
from pisces.converting.names import UniqueNames, slug
from pisces.converting.prompt_text import PROJECT, ROOT, SKILL_FOLDER
from pisces.converting.server_entries import EntryTarget, plain_entry, server_entries
from pisces.converting.skill_folders import SkillTarget, skill_refusal, written_skills
from pisces.converting.spelling import Spelling, spelled
from pisces.converting.tool_groups import ToolGroups, word_for
from pisces.converting.writer import OutputFile, WriteOptions, Writer, Written
from pisces.discovery import tool_names as to
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.opencode.writing.hooks import written_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent, PluginCommand, PluginSkill
    from pisces.shapes.mcp_server import McpServer

LABEL = "OpenCode"
_CONFIG = "opencode.json"
_FOLDER = ".opencode"
_GROUPS = ToolGroups(
    LABEL,
    {
        to.READ: "read",
        **dict.fromkeys((to.WRITE, to.EDIT, to.PATCH), "edit"),
        to.SHELL: "bash",
        to.SEARCH: "grep",
        to.FIND: "glob",
        to.LIST: "list",
        to.FETCH: "webfetch",
        to.WEB_SEARCH: "websearch",
        to.SUBAGENT: "task",
        **dict.fromkeys((to.SKILL, to.SLASH), "skill"),
        **dict.fromkeys((to.TODOS, to.TASKS), "todowrite"),
        to.ASK: "question",
    },
    "{server}_{tool}",
)
_READ = ("maxTurns", "temperature", "color")


def write(plugin: Plugin, options: WriteOptions) -> Written:
    name = slug(plugin.name)
    text = _spelling(name)
    skills = SkillTarget("opencode", text.replace(arguments="", argument="", line="", include=""), f"{_FOLDER}/skills")
    by_model = tuple(each for each in plugin.skills if each.by_model)
    agents = AgentTarget(text, lambda agent: _header(agent, options), f"{_FOLDER}/agents", with_name=False)
    parts = (
        _config(plugin, text),
        written_agent_files(plugin, agents),
        written_skills(plugin.replace(skills=by_model), skills, options).written(),
        _commands(plugin, text, options),
        written_hooks(plugin, options, name, text),
        _other_files(plugin, name),
    )
    return assembled(parts)


def _spelling(name: str) -> Spelling:
    root = f"{_FOLDER}/{name}"
    variables = {ROOT: root, PROJECT: ".", SKILL_FOLDER: "."}
    return Spelling(LABEL, "$ARGUMENTS", "${number}", "!`{line}`", "@{path}", variables)


def _config(plugin: Plugin, text: Spelling) -> Written:
    made = server_entries(plugin, EntryTarget(text, _entry), _CONFIG)
    values: dict[str, Any] = {"$schema": "https://opencode.ai/config.json"}
    values.update({"mcp": dict(made.entries)} if made.entries else {})
    unplaced = without_place((*plugin.settings, *plugin.contexts), LABEL)
    why = f"{LABEL} has no manifest of packages"
    keys = (lost_key(plugin, key, why) for key in ("version", "description") if plugin.fields.get(key))
    fates = (*manifest_fates(plugin, (), LABEL), *keys, *made.fates, *unplaced, *rest_fates(plugin, LABEL))
    return Written((json_file(_CONFIG, values),) if made.entries else (), fates)


def _entry(server: McpServer) -> dict[str, Any]:
    entry = plain_entry(server)
    if "url" in entry:
        headers = {"headers": entry["headers"]} if "headers" in entry else {}
        return {"type": "remote", "url": entry["url"], **headers}
    local: dict[str, Any] = {"type": "local", "command": [entry["command"], *entry["args"]]}
    local.update({"environment": entry["env"]} if "env" in entry else {})
    return {**local, **({"cwd": entry["cwd"]} if "cwd" in entry else {})}


def _header(agent: PluginAgent, options: WriteOptions) -> AgentHeader:
    permission, fates = _permission(agent)
    if permission == {"*": "deny"} and not options.widen:
        why = f"none of its tools exists in {LABEL}"
        return AgentHeader(None, (*fates, lost(DROPPED, LOST_AGENT, agent, why, "tools")))
    fields: dict[str, Any] = {"mode": "subagent"}
    steps = agent.fields.get("maxTurns")
    if isinstance(steps, int) and not isinstance(steps, bool) and steps > 0:
        fields["steps"] = steps
    if permission == {"*": "deny"}:
        why = "none of its tools is left, so it has no list and may use all tools"
        fates.append(lost(WIDENED, WIDENED_TOOLS, agent, why, "tools"))
    elif permission:
        fields["permission"] = permission
    return AgentHeader(fields, tuple(fates), ("maxTurns",))


def _permission(agent: PluginAgent) -> tuple[dict[str, Any], list[Fate]]:
    """The last rule that fits counts."""
    rules: dict[str, Any] = {}
    fates: list[Fate] = []
    if agent.tools is not None and "*" not in agent.tools:
        rules["*"] = "deny"
        for tool in agent.tools:
            word = word_for(bare(tool), _GROUPS)
            if word:
                rules[word] = "allow"
                fates += limits(agent, tool, word)
            else:
                fates.append(lost(DROPPED, LOST_TOOL, agent, f"{LABEL} has no tool like `{tool}`", "tools"))
    for tool in agent.disallowed_tools:
        word = word_for(bare(tool), _GROUPS)
        rules.update({word: "deny"} if word else {})
        if not word:
            why = f"{LABEL} has no tool like `{tool}` that could be denied"
            fates.append(lost(DROPPED, LOST_FIELD, agent, why, "disallowedTools"))
    return rules, fates


def _commands(plugin: Plugin, text: Spelling, options: WriteOptions) -> Written:
    """Skills that only the user may start are commands too."""
    files: list[OutputFile] = []
    fates: list[Fate] = []
    prefix = "" if options.without_prefix else f"{slug(plugin.name)}/"
    alone = []
    for skill in (each for each in plugin.skills if not each.by_model):
        if why := skill_refusal(skill, WRITER.id, options):
            fates.append(lost(DROPPED, LOST_COMPONENT, skill, why))
        else:
            alone.append(skill)
    names = UniqueNames()
    items: tuple[PluginCommand | PluginSkill, ...] = (*plugin.commands, *alone)
    for item in items:
        name = names.unique(item.name.replace(":", "/"))
        path = f"{_FOLDER}/commands/{prefix}{name}.md"
        made = spelled(item, item.prompt, text)
        page = markdown_text({"description": item.description} if item.description else {}, made.text)
        files.append(OutputFile(path, page.encode("utf-8", "replace")))
        known = ("name", "description", "disable-model-invocation")
        fates += [mapped(item, path), *renamed_command(item, name, "/"), *made.fates, *left_fields(item, known, LABEL)]
    return Written(tuple(files), tuple(fates))


def _other_files(plugin: Plugin, name: str) -> Written:
    """In a folder of the package's own, which nothing is loaded from."""
    used = component_paths(plugin)
    alone = {path for each in plugin.skills if not each.by_model for path in each.files}
    copies = [each for each in plugin.files if each.path not in used or each.path in alone]
    files = (OutputFile(f"{_FOLDER}/{name}/{each.path}", None, each.path, each.is_executable) for each in copies)
    return Written(tuple(files), ())


WRITER = Writer("opencode", LABEL, "", write)
