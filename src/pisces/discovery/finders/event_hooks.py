"""Hooks by event, then definitions, each with its own list: a `hooks/hooks.json`, or the `hooks` of a settings file."""

from __future__ import annotations

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import EventHooks
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats import jsonc
from pisces.formats.fit import noun_of
from pisces.formats.js_truth import is_truthy
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place
from pisces.formats.variables import hydrated, path_context
from pisces.shapes.field import Keys
from pisces.shapes.hook import Hook, in_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


EVENTS = (
    *("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection"),
    *("SessionStart", "SessionEnd", "PreCompress", "Notification"),
)
FROM_CLAUDE = {
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "UserPromptSubmit": "BeforeAgent",
    "Stop": "AfterAgent",
    "PreCompact": "PreCompress",
}
_NOT_EVENTS = ("enabled", "disabled", "notifications")
_TYPES = ("command", "plugin", "runtime")

HOOKS_SYNTAX = Rule("hooks-syntax", ERROR, "A hooks file cannot be read")
HOOKS_NOT_OBJECT = Rule("hooks-not-object", ERROR, "A hooks file has no `hooks` object")
HOOK_EVENT = Rule("hook-event", ERROR, "A hook waits for an event that does not exist")
HOOK_DEFINITION = Rule("hook-definition", ERROR, "A hook definition is not understood")
HOOK_TYPE = Rule("hook-type", ERROR, "A hook has no command to run")
HOOK_NOT_TEXT = Rule("hook-command-type", WARNING, "A hook's command is not text")


def find(where: Where[EventHooks]) -> Iterator[Found | Diagnostic]:
    lenient = where.options.settings
    try:
        text = read_text(where.path)
        values: Any = jsonc.parse(text) if lenient else parse(text)
    except Unreadable as error:
        if error.kind != MISSING:
            yield HOOKS_SYNTAX.at(where.path, f"the hooks file {error.message}")
        return
    except Malformed as error:
        if not lenient:  # a broken settings file is reported once, by the settings capability
            yield HOOKS_SYNTAX.at(where.path, error.message, place=(error.line, error.column))
        return
    hooks = values.get("hooks") if isinstance(values, dict) else None
    if not isinstance(hooks, dict):
        if not (lenient and hooks is None):
            yield HOOKS_NOT_OBJECT.at(where.path, '"hooks" property must be an object', place=(1, 1))
        return
    for event, definitions in hooks.items():
        yield from _event(where, text, event, definitions)


def _event(where: Where[EventHooks], text: str, event: str, definitions: Any) -> Iterator[Found | Diagnostic]:
    at = ("hooks", event)
    if event in _NOT_EVENTS:
        return
    if event not in EVENTS:
        instead = FROM_CLAUDE.get(event)
        hint = f"Gemini CLI calls it `{instead}`" if instead else f"one of {', '.join(EVENTS)}"
        yield HOOK_EVENT.at(where.path, f"no event is called `{event}`", place=json_place(text, at), hint=hint)
        return
    if where.options.settings and isinstance(definitions, dict):  # merged into a list, it is one definition
        yield from _definition(where, text, at, definitions)
        return
    if not isinstance(definitions, list):
        message = f"`{event}` must hold a list, not {noun_of(definitions)}"
        yield HOOK_DEFINITION.at(where.path, message, place=json_place(text, at))
        return
    for index, definition in enumerate(definitions):
        yield from _definition(where, text, (*at, index), definition)


def _definition(where: Where[EventHooks], text: str, at: Keys, definition: Any) -> Iterator[Found[Hook] | Diagnostic]:
    inner = definition.get("hooks") if isinstance(definition, dict) else None
    if not isinstance(inner, list):
        message = "a definition needs a `hooks` list"
        yield HOOK_DEFINITION.at(where.path, message, place=json_place(text, at))
        return
    for index, config in enumerate(inner):
        flaw = hook_flaw(config)
        here = (*at, "hooks", index)
        if flaw:
            yield HOOK_TYPE.at(where.path, flaw, place=json_place(text, here))
            continue
        if not isinstance(config.get("command", ""), str):
            yield HOOK_NOT_TEXT.at(where.path, "`command` must be text", place=json_place(text, here))
        yield where.found(_hook(where, here, definition, config))


def hook_flaw(config: Any) -> str:
    """Why a hook cannot be read at all; empty if it can."""
    if not isinstance(config, dict):
        return f"a hook must be an object, not {noun_of(config)}"
    kind = config.get("type")
    if kind not in _TYPES:
        return f"`{kind}` is not a type of hook that Gemini CLI runs" if kind else "a hook needs `type`"
    if kind == "command" and not is_truthy(config.get("command")):
        return "a command hook needs `command`"
    return "a runtime hook needs `name`" if kind == "runtime" and not is_truthy(config.get("name")) else ""


def _hook(where: Where[EventHooks], keys: Keys, definition: dict[str, Any], config: dict[str, Any]) -> Hook:
    matcher, filled = definition.get("matcher"), config
    if where.package:
        context = path_context(where.package.path, where.places.cwd)
        filled, matcher = hydrated(config, context), hydrated(matcher, context)
    return Hook(
        event=str(keys[1]),
        matcher=matcher,
        command=filled.get("command", ""),
        path=where.path,
        dialect=where.options.dialect,
        fields=config,
        group=definition,
        keys=keys,
        name=str(filled.get("name") or ""),
        type=config["type"],
        timeout=config.get("timeout"),
        seconds=in_seconds(config.get("timeout"), 0.001),
        sequential=definition.get("sequential"),
    )
