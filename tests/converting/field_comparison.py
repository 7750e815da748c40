"""What each part of a plugin says, field by field and in no program's words, so that two programs' versions compare.

`said` is the whole of `normalise`: names of tools are what the tools do, places in texts are what they stand for, line
ends and blank ends of a text count as one, and nothing else is evened out. What a target cannot say is no matter of
this file: it has a fate, or it is a silent loss.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pisces.converting.convert import Converted
from pisces.converting.fate import DROPPED, Fate, subject_of
from pisces.converting.hook_shim import MOST_SECONDS
from pisces.converting.origin import ORIGIN
from pisces.converting.plugin import (
    Plugin,
    PluginAgent,
    PluginCommand,
    PluginContext,
    PluginHook,
    PluginItem,
    PluginServer,
    PluginSetting,
    PluginSkill,
)
from pisces.converting.prompt_text import (
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptText,
    PromptVariable,
)
from pisces.converting.variables import text_with_variables
from pisces.discovery import tool_names as to
from pisces.shapes.mcp_server import McpServer

Said = dict[str, Any]
# Fields of the neutral plugin that a fate calls by the words of the source.
_CALLED = {
    "body": ("prompt", "body", ""),
    "argument_hint": ("argument-hint", "arguments", "argument_hint"),
    "disallowed_tools": ("disallowedTools", "tools"),
    "tools": ("disallowedTools",),
    "cwd": ("command", ""),
    "transport": ("type",),
    "address": ("url", "httpUrl", "serverUrl", ""),
    "command": ("args", ""),
    "env": ("",),
    "headers": ("",),
    "variable": ("name", "envVar"),
}


def said(item: PluginItem, harness: str) -> Said:
    if isinstance(item, PluginServer):
        return _server(item, harness)
    if isinstance(item, PluginSetting):
        return {"description": item.description, "sensitive": item.sensitive, "default": item.default}
    if isinstance(item, PluginContext):
        return {"body": _text(item.prompt)}
    if isinstance(item, PluginAgent):
        return {**_described(item), "body": _text(item.prompt), **_tools(item), "model": item.model}
    if isinstance(item, PluginCommand | PluginSkill):
        return {**_described(item), "body": _text(item.prompt), "argument_hint": item.argument_hint}
    return {}


def _described(item: PluginCommand | PluginSkill | PluginAgent) -> Said:
    """A description that the header has: others are the first line of the text, or made up."""
    return {"description": " ".join(item.description.split()) if item.fields.get("description") else ""}


def _tools(agent: PluginAgent) -> Said:
    """What is allowed by name and not denied; what is denied counts where all the rest is allowed."""
    every = agent.tools is None or "*" in agent.tools
    denied = frozenset(map(_meaning, agent.disallowed_tools))
    allowed = frozenset(map(_meaning, agent.tools or ())) - denied
    return {"tools": None if every else allowed, "disallowed_tools": denied if every else frozenset()}


def _meaning(tool: str) -> str:
    bare = tool.partition("(")[0].strip()
    known = to.meaning_of(bare) or {"execute": to.SHELL, "web": to.FETCH, "todo": to.TODOS}.get(bare)
    return known or "/".join(re.split("__|_|/", re.sub("^mcp_+", "", bare)))


def _server(server: PluginServer, harness: str) -> Said:
    shape = McpServer(server.name, dict(server.fields), server.path, server.keys)

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [plain(each) for each in value]
        return _text(text_with_variables(value, harness)) if isinstance(value, str) else value

    address = next((server.fields[key] for key in ("httpUrl", "url", "serverUrl") if server.fields.get(key)), "")
    return {
        "transport": shape.transport,
        "command": plain(shape.argv),
        "address": plain(address),
        "env": plain(shape.env),
        "headers": plain(shape.headers),
        "cwd": plain(shape.cwd or ""),
    }


def _text(text: PromptText) -> str:
    return _evened("".join(map(_part, text.parts)))


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, PromptLiteral):
        return part.text
    if isinstance(part, PromptVariable):
        name = _VALUE.sub(lambda found: f"value:{_plain(found[1])}", part.name)
        return f"<{name}>" if part.default is None else f"<{name}|{part.default}>"
    if isinstance(part, PromptArguments):
        return "<arguments>"
    if isinstance(part, PromptArgument):
        return f"<argument {part.number}>"
    assert isinstance(part, PromptLine | PromptInclude)
    return f"<{type(part).__name__} {''.join(map(_part, part.parts)).strip()}>"


# A setting is a variable of the environment, under the name that a program gives it.
_VALUE = re.compile("^(?:setting:|env:)(?:CLAUDE_PLUGIN_OPTION_|(?:DEMO|MY_DEMO|D_MO|A_B)_)?(.*)")


def _evened(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text).strip()


def items_of(plugin: Plugin) -> list[PluginItem]:
    found: tuple[PluginItem, ...] = (*plugin.commands, *plugin.skills, *plugin.agents, *plugin.contexts)
    return [*found, *plugin.servers, *plugin.settings]


def silent_losses(made: Converted, back: Plugin, data: Mapping[str, bytes]) -> list[str]:
    """What the source says and neither the output, as its own program reads it, nor the report."""
    found = [loss for item in items_of(made.plugin) for loss in _losses(item, made, back)]
    return [*found, *_lost_lines(made, data), *_lost_hooks(made, back, data)]


def _lost_lines(made: Converted, data: Mapping[str, bytes]) -> Iterator[str]:
    """Whatever becomes of the places in a text, the text around them stays."""
    whole = "\n".join(_evened(text.decode("utf-8", "replace")) for path, text in data.items() if path != ORIGIN)
    texts: tuple[PluginCommand | PluginSkill | PluginAgent, ...]
    texts = (*made.plugin.commands, *made.plugin.skills, *made.plugin.agents)
    for item in texts:
        if any(each.output for each in fates_of(item, made.fates)):
            lines = (line for part in item.prompt.parts if isinstance(part, str) for line in part.splitlines())
            wanted = (line.strip() for line in lines if not set(line) & _ESCAPED)
            yield from (f"{subject_of(item)}: `{line}` is nowhere" for line in wanted if line not in whole)


_ESCAPED = set('\\"{$!\x7f\x01\u200b\u202e')


def _losses(item: PluginItem, made: Converted, back: Plugin) -> Iterator[str]:
    fates = fates_of(item, made.fates)
    outputs = {each.output for each in fates if each.output}
    if not outputs:
        if not any(each.kind == DROPPED and each.code in _WHOLE for each in fates):
            yield f"{subject_of(item)}: neither written nor reported"
        return
    after = _counterpart(item, outputs, back)
    if after is None:
        if not any(path.endswith(_UNREAD) or path.startswith("dev.pisces/") for path in outputs):
            yield f"{subject_of(item)}: nobody reads {sorted(outputs)}"
        return
    before, now = said(item, made.plugin.harness), said(after, back.harness)
    for field, value in before.items():
        if value and now.get(field) != value and not _is_told(field, fates) and not _is_same(field, before, now):
            yield f"{subject_of(item)}: {field} was {value!r} and is {now.get(field)!r}"
    if isinstance(item, PluginAgent) and _is_wider(before, now, fates):
        yield f"{subject_of(item)}: more tools than before: {before} and {now}"


def fates_of(item: PluginItem, fates: Iterable[Fate]) -> list[Fate]:
    return [each for each in fates if each.subject == subject_of(item) and each.path == item.path]


def _counterpart(item: PluginItem, outputs: set[str], back: Plugin) -> PluginItem | None:
    texts = (PluginCommand, PluginSkill, PluginContext)
    same = [
        each
        for each in items_of(back)
        if each.path in outputs and (isinstance(each, texts) if isinstance(item, texts) else each.kind == item.kind)
    ]
    if isinstance(item, PluginServer):
        same = [each for each in same if _plain(each.name) == _plain(item.name)]
    if isinstance(item, PluginSetting):
        same = [each for each in same if _plain(each.name) in (_plain(item.name), _plain(item.variable))]
    return min(same, key=lambda each: not isinstance(each, type(item)), default=None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _is_told(field: str, fates: Iterable[Fate]) -> bool:
    """A fate without a field is about the whole text of an item."""
    names = {field, *_CALLED.get(field, ())}
    return any(re.split(r"[./]", each.field)[0] in names and (each.field or each.is_loss) for each in fates)


def _is_same(field: str, before: Said, now: Said) -> bool:
    """What is said in another way: arguments behind a description, more variables for a server, a path to the root."""
    old: Any = before[field]
    new: Any = now.get(field) or ""
    if field == "env":
        return bool(new) and all(new.get(key) == value for key, value in old.items())
    if field == "command":
        return [re.sub(r"^\./", "<root>/", str(each)) for each in new] == list(old)
    if field == "description" and before.get("argument_hint"):
        return new in (f"{old} ({word}: {before['argument_hint']})" for word in ("args", "arguments"))
    return field == "body" and str(new).replace("../..", "<root>") == old


def _is_wider(before: Said, after: Said, fates: Iterable[Fate]) -> bool:
    """Whether a subagent may do what its author did not allow, and nobody says so."""
    if any(each.is_loss and each.field in ("tools", "disallowedTools") for each in fates):
        return False
    old, new = before["tools"], after["tools"]
    if new is None:
        return old is not None or bool(before["disallowed_tools"] - after["disallowed_tools"])
    return bool(new & before["disallowed_tools"]) or (old is not None and not new <= old)


def _lost_hooks(made: Converted, back: Plugin, data: Mapping[str, bytes]) -> Iterator[str]:
    """A hook is in the output as it was, or in the table of the program that runs it, with its limits."""
    tables = [json.loads(text) for path, text in data.items() if path.endswith("-compat/hooks.json")]
    rows = [row for table in tables for row in table["hooks"].values()]
    lines = [each.command for each in back.hooks]
    for hook in made.plugin.hooks:
        fates = [each for each in fates_of(hook, made.fates) if each.line in (0, *hook.lines.values())]
        if any(each.kind == DROPPED and each.code in _WHOLE for each in fates):
            continue
        found = [row for row in rows if _is_row_of(row, hook)]
        if not any(each.output for each in fates):
            yield f"{subject_of(hook)}: neither written nor reported"
        elif not found and not any(_is_hook(each, hook) for each in back.hooks):
            yield f"{subject_of(hook)}: its command, matcher or limit is not in the output: {hook.fields}"
        elif found and not any(re.search(rf"\b{row['id']}\b", line) for row in found for line in lines):
            yield f"{subject_of(hook)}: nobody starts it"


def _is_row_of(row: Mapping[str, Any], hook: PluginHook) -> bool:
    limit = hook.seconds is None or hook.seconds >= MOST_SECONDS or row["limit"] == round(hook.seconds * 1000)
    line = re.sub(r"\$\{(extensionPath|/)\}", lambda found: _OF_GEMINI[found[1]], str(hook.fields.get("command")))
    return limit and (row["event"], row.get("matcher")) == (hook.name, hook.matcher) and row["hook"]["command"] == line


_OF_GEMINI = {"extensionPath": "${CLAUDE_PLUGIN_ROOT}", "/": "/"}


def _is_hook(found: PluginHook, hook: PluginHook) -> bool:
    return (found.name, found.matcher or "", found.command) == (hook.name, hook.matcher or "", hook.command)


_UNREAD = (".toml",)  # subagents of Codex lie beside a plugin: their users put them where Codex looks
_WHOLE = (
    *("lost-agent", "lost-server", "lost-component", "never-loaded", "lost-hook", "lost-guard", "lost-field"),
    "source-refused",
)
