"""Hooks in `hooks/hooks.json`: each runs through a program that is written beside them and speaks both protocols.

Codex takes a guard that exits with 2 in silence, an answer with a field too many and a crash for consent, and asks
about patches where a hook asks for the name of a file. It drops the whole file for one odd entry, so only what it knows
is written. Hooks that call a tool of a server are its own: it runs those itself.
"""

from __future__ import annotations

import re
from math import ceil

from pisces.converting.assembling import json_file
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_FIELD,
    LOST_GUARD,
    LOST_HOOK,
    lost,
    mapped,
)
from pisces.converting.hook_shim import ShimTarget, dead_hook, shim_files, shim_hooks, start_line, windows_line
from pisces.converting.hook_tools import is_guard, is_list, is_open, lost_hook, tools_matched
from pisces.converting.writer import WriteOptions, Written
from pisces.harnesses.codex import EVENTS
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.hook_shim import ShimEntry
    from pisces.converting.plugin import Plugin, PluginContext, PluginHook

FILE = "hooks/hooks.json"
_ROOT = "${PLUGIN_ROOT}"
_BY_TOOL = ("PreToolUse", "PostToolUse", "PermissionRequest")
_GUARDS = ("PreToolUse", "PermissionRequest")
_SHELL, _PATCH = "Bash", "apply_patch"
# The tools that hooks of Codex are asked about, with Claude Code's names for what they do. Searches on the web run at
# the model's side and `write_stdin` is asked about nowhere.
_TOOLS = {
    _SHELL: ("Bash", "PowerShell"),
    _PATCH: ("Write", "Edit", "MultiEdit", "NotebookEdit"),
    "spawn_agent": ("Agent", "Task"),
    "update_plan": ("TodoWrite",),
    "request_user_input": ("AskUserQuestion",),
}
_ANY_SERVER = "mcp__.*"
_SERVER_FIELDS = ("server", "tool", "input", "statusMessage")
_UNMATCHED = ("UserPromptSubmit", "Stop")
_SHORT_EVENT, _LONGEST = "SessionEnd", 3  # seconds
_BEFORE = (
    "Codex cannot ask the user for a hook and cannot end a session before a tool: such a call is denied; what is typed"
    " into a program that runs already is shown to no hook"
)


class _Matcher(Value):
    """`text` is None for every tool, and empty where nothing that the hook is about exists in Codex."""

    text: str | None
    fates: tuple[Fate, ...] = ()


def written_hooks(plugin: Plugin, options: WriteOptions) -> Written:
    events: dict[str, list[dict[str, Any]]] = {}
    fates: list[Fate] = []
    for context in plugin.contexts:
        events.setdefault("SessionStart", []).append({"hooks": [_printed(context)]})
        fates.append(mapped(context, FILE))
    native = [each for each in plugin.hooks if _is_native(each, options)]
    found = shim_hooks([each for each in plugin.hooks if each not in native], _TARGET, options)
    fates += found.fates
    handlers = [(each, _server_handler(each)) for each in native]
    handlers += [(entry.hook, _handler(entry)) for entry in found.entries]
    for hook, handler in handlers:
        matcher = _matcher(hook)
        fates += matcher.fates
        if matcher.text == "":
            continue
        group: dict[str, Any] = {"matcher": matcher.text} if matcher.text else {}
        events.setdefault(hook.name, []).append({**group, "hooks": [handler]})
        fates += (mapped(hook, FILE), *(_native_fates(hook) if hook in native else ()))
    files = (json_file(FILE, {"hooks": events}),) if events else ()
    return Written((*files, *shim_files(plugin, found.entries, _TARGET)), tuple(fates))


def _printed(context: PluginContext) -> dict[str, Any]:
    return {"type": "command", "command": f'cat "{_ROOT}/{context.path}"'}


def _is_native(hook: PluginHook, options: WriteOptions) -> bool:
    is_known = hook.type == "mcp_tool" and hook.dialect in ("claude", "codex") and hook.name in _TARGET.differs
    return is_known and not options.without_hooks and dead_hook(hook) is None


def _refused(hook: PluginHook) -> Fate | None:
    matcher = _matcher(hook)
    return matcher.fates[0] if matcher.text == "" else None


def _matcher(hook: PluginHook) -> _Matcher:
    if is_open(hook.matcher):
        return _Matcher(None)
    if hook.name not in _BY_TOOL:
        return _Matcher(None if hook.name in _UNMATCHED else _listed(str(hook.matcher)))
    found = tools_matched(hook.matcher, _TOOLS)
    if found.is_empty:
        return _Matcher("", (lost_hook(hook, f"Codex has no tool that `{hook.matcher}` means", "group.matcher"),))
    rule = LOST_GUARD if is_guard(hook) else LOST_HOOK
    unknown = tuple(
        lost(DROPPED, rule, hook, f"Codex asks no hook about a tool like `{each}`", "group.matcher")
        for each in found.unknown
    )
    names = dict.fromkeys(found.tools)
    if _PATCH in names and hook.name in _GUARDS:
        names[_SHELL] = None  # Codex takes a patch out of a command line and applies it without asking about files
    servers = (_ANY_SERVER,) if found.any_server or found.server_tools else ()
    return _Matcher(f"^(?:{'|'.join((*names, *servers))})$" if servers else "|".join(names), unknown)


def _listed(matcher: str) -> str:
    """Codex takes a comma or a blank for part of an expression, and the program compares once more."""
    if not is_list(matcher):
        return ".*"
    names = [name for each in re.split("[|,]", matcher) if (name := each.strip())]
    is_plain = all(re.fullmatch(r"\w+", each, re.ASCII) for each in names)
    return "|".join(names) if is_plain else f"^(?:{'|'.join(map(re.escape, names))})$"


def _handler(entry: ShimEntry) -> dict[str, Any]:
    message = entry.hook.fields.get("statusMessage")
    return {
        "type": "command",
        "command": start_line(entry, _ROOT),
        "commandWindows": windows_line(entry, _ROOT),
        "timeout": entry.seconds,
        **({"statusMessage": message} if isinstance(message, str) and message else {}),
    }


def _server_handler(hook: PluginHook) -> dict[str, Any]:
    values = {key: value for key, value in hook.fields.items() if key in _SERVER_FIELDS}
    if hook.seconds is not None:
        values["timeout"] = max(1, ceil(hook.seconds))
    return {"type": hook.type, **values}


def _native_fates(hook: PluginHook) -> Iterator[Fate]:
    if is_guard(hook):
        why = "Codex goes ahead where the server is missing or answers with a field that Codex does not know"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why)
    if is_guard(hook) and "if" in hook.fields:
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, "Codex knows no `if`: the hook runs for every call", "if")
    for field in hook.fields:
        if field not in ("type", "timeout", "if", *_SERVER_FIELDS):
            rule = LOST_GUARD if field == "onFailure" and hook.fields[field] == "block" else LOST_FIELD
            yield lost(DROPPED, rule, hook, f"Codex has no `{field}`", str(field))


_TARGET = ShimTarget(
    "Codex",
    "pisces.harnesses.codex.writing",
    {
        **dict.fromkeys(EVENTS, ""),
        "PreToolUse": _BEFORE,
        "PermissionRequest": "Codex asks nobody in `codex exec`, so the hook does not run there",
        "PostToolUse": "Codex runs it for command lines that failed, too, and gives a result as text",
    },
    _refused,
    ("claude", "codex"),
    {_SHORT_EVENT: _LONGEST},
)
