"""A package as an Antigravity plugin: a small manifest, skills, subagents, servers with `serverUrl`.

One error in the manifest or in `hooks.json` drops the file in silence, so only what it is known to take is written.
Nobody documents how a subagent is limited to some tools: one that its author limited is not written.
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
from pisces.converting.leftovers import accepted_hooks, manifest_fates, without_place
from pisces.converting.names import slug
from pisces.converting.prompt_text import ROOT, SKILL_FOLDER, PromptVariable
from pisces.converting.server_entries import EntryTarget, plain_entry, server_entries
from pisces.converting.skill_folders import SkillTarget, written_skills
from pisces.converting.spelling import Spelling
from pisces.converting.variables import text_with_variables
from pisces.converting.writer import WriteOptions, Writer, Written
from pisces.harnesses.antigravity import MANIFEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent, PluginHook, PluginServer
    from pisces.shapes.mcp_server import McpServer

LABEL = "Antigravity"
_TEXT = Spelling(LABEL)
# A skill names files relative to its own folder, which is two below that of the package.
_SKILLS = SkillTarget("antigravity", Spelling(LABEL, variables={ROOT: "../..", SKILL_FOLDER: "."}))
# A server of a plugin starts in the plugin's folder.
_SERVERS = Spelling(LABEL, variables={ROOT: "."})
_SERVER_FILE, _HOOK_FILE = "mcp_config.json", "hooks.json"
_HANDLER = ("type", "command", "timeout")
_TOOL_EVENTS = ("PreToolUse", "PostToolUse")
_EVENTS = (*_TOOL_EVENTS, "PreInvocation", "PostInvocation", "SessionStart", "Stop")


def write(plugin: Plugin, options: WriteOptions) -> Written:
    skills = written_skills(plugin, _SKILLS, options)
    for command in plugin.commands:
        skills.add_command(command)
    parts = (
        _manifest(plugin),
        written_agent_files(plugin, AgentTarget(_TEXT, lambda agent: _header(agent, options))),
        skills.written(),
        _servers(plugin),
        _hooks(plugin, options),
        other_files(plugin, _is_component, LABEL),
    )
    return assembled(parts)


def _is_component(path: str) -> bool:
    """A file that no component of the source is, and that Antigravity would load."""
    return path.partition("/")[0] in ("agents", "commands") or path in (MANIFEST, _SERVER_FILE, _HOOK_FILE)


def _manifest(plugin: Plugin) -> Written:
    values: dict[str, Any] = {"name": slug(plugin.name), "version": plugin.version or "0.0.0"}
    values.update({"description": plugin.description} if plugin.description else {})
    unplaced = without_place((*plugin.settings, *plugin.contexts), LABEL)
    return Written(
        (json_file(MANIFEST, values),), (*manifest_fates(plugin, (), LABEL), *unplaced, *rest_fates(plugin, LABEL))
    )


def _header(agent: PluginAgent, options: WriteOptions) -> AgentHeader:
    is_limited = (agent.tools is not None and "*" not in agent.tools) or bool(agent.disallowed_tools)
    if not is_limited:
        return AgentHeader({})
    field = "tools" if agent.tools is not None else "disallowedTools"
    if options.widen:
        why = f"{LABEL} has no list of tools: the subagent may use all"
        return AgentHeader({}, (lost(WIDENED, WIDENED_TOOLS, agent, why, field),))
    why = f"{LABEL} has no list of tools, so the subagent would have all"
    return AgentHeader(None, (lost(DROPPED, LOST_AGENT, agent, why, field).replace(fix="`--widen` writes it so"),))


def _servers(plugin: Plugin) -> Written:
    made = server_entries(plugin, EntryTarget(_SERVERS, _entry), _SERVER_FILE)
    # An empty file says that this is a plugin of Antigravity and of nobody else.
    entries = {name: _in_package(entry) for name, entry in made.entries.items()}
    fates = [fate for each in plugin.servers for fate in _server_fates(each, entries.get(each.name), plugin.harness)]
    return Written((json_file(_SERVER_FILE, {"mcpServers": entries}),), (*made.fates, *fates))


def _server_fates(server: PluginServer, entry: Mapping[str, Any] | None, harness: str) -> Iterator[Fate]:
    if entry is None:
        return
    if "serverUrl" in entry and "type" in server.fields:
        why = f"{LABEL} has no field for it: it finds out by itself how an address is spoken to"
        yield lost(APPROXIMATED, CHANGED_MEANING, server, why, "type")
    why = f"{LABEL} fills in no folder: the server starts in that of the plugin, not of the session"
    fields = (key for key, value in server.fields.items() if _names_root(value, harness))
    yield from (lost(APPROXIMATED, CHANGED_MEANING, server, why, key) for key in fields)


def _names_root(value: Any, harness: str) -> bool:
    texts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else (value,)
    parts = (part for each in texts if isinstance(each, str) for part in text_with_variables(each, harness).parts)
    return any(isinstance(each, PromptVariable) and each.name == ROOT for each in parts)


def _in_package(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """There is no variable for the package's folder: what is started from it is started in it."""
    words = (entry.get("command"), *entry.get("args", ()))
    starts = any(isinstance(each, str) and each.startswith("./") for each in words)
    return {"cwd": ".", **entry} if starts else entry


def _entry(server: McpServer) -> dict[str, Any]:
    entry = plain_entry(server)
    entry.pop("type", None)
    return {"serverUrl": entry.pop("url"), **entry} if "url" in entry else entry


def _hooks(plugin: Plugin, options: WriteOptions) -> Written:
    accepted = accepted_hooks(plugin, options, _refusal)
    events: dict[str, list[Any]] = {}
    for hook in accepted.hooks:
        handler = {key: value for key, value in hook.fields.items() if key in _HANDLER}
        group = {"matcher": str(hook.matcher or "*"), "hooks": [handler]}
        events.setdefault(hook.name, []).append(group if hook.name in _TOOL_EVENTS else handler)
    files = (json_file(_HOOK_FILE, {slug(plugin.name): events}),) if events else ()
    fates = [*accepted.fates, *(mapped(each, _HOOK_FILE) for each in accepted.hooks)]
    fates += [fate for each in accepted.hooks for fate in left_fields(each, _HANDLER, LABEL)]
    return Written(files, tuple(fates))


def _refusal(hook: PluginHook) -> str:
    """A file with one hook that it cannot read would lose all."""
    if hook.dialect != "antigravity":
        return f"its program speaks the protocol of another program: {LABEL} would not understand its answer"
    if hook.name not in _EVENTS:
        return f"{LABEL} has no event `{hook.name}`"
    limit = hook.fields.get("timeout", 0)
    is_whole = isinstance(limit, int) and not isinstance(limit, bool) and abs(limit) < 2**31
    return "" if hook.type == "command" and is_whole else f"{LABEL} would drop the whole file for it"


WRITER = Writer("antigravity", LABEL, "antigravity-plugin", write)
