"""Hooks of Claude Code's protocol for OpenCode: one generated plugin that runs them before and after tools.

The plugin throws where a hook denies, and also where a hook cannot run. OpenCode cannot ask in that place, so a hook
that wants the user to be asked denies.
"""

from __future__ import annotations

import json
import re

from pisces.by_name import text_in
from pisces.converting.assembling import left_fields
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost, mapped
from pisces.converting.hook_shim import MOST_SECONDS, common_losses
from pisces.converting.hook_tools import is_list, is_open
from pisces.converting.leftovers import accepted_hooks
from pisces.converting.spelling import spelled_value
from pisces.converting.writer import OutputFile, Written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginHook
    from pisces.converting.spelling import Spelling
    from pisces.converting.writer import WriteOptions

_EVENTS = ("PreToolUse", "PostToolUse")
_READ = ("type", "command", "args", "shell", "timeout")
_SECONDS = 600
_LABEL = "OpenCode"


def written_hooks(plugin: Plugin, options: WriteOptions, name: str, spelling: Spelling) -> Written:
    path = f".opencode/plugins/{name}-hooks.js"
    accepted = accepted_hooks(plugin, options, _refusal)
    fates: list[Fate] = list(accepted.fates)
    table = []
    for hook in accepted.hooks:
        value, places = spelled_value(hook, _entry(hook), plugin.harness, spelling)
        table.append(value)
        fates += [mapped(hook, path), *places, *left_fields(hook, _READ, _LABEL), *common_losses(hook), *_changed(hook)]
    if not table:
        return Written((), tuple(fates))
    text = text_in("pisces.harnesses.opencode.writing", "hooks_plugin.js")
    servers = [each.name for each in plugin.servers]
    for mark, made in (("/* hooks */ []", table), ("/* servers */ []", servers), ('/* root */ ""', name)):
        text = text.replace(mark, json.dumps(made, ensure_ascii=True))
    return Written((OutputFile(path, text.encode()),), tuple(fates))


def _entry(hook: PluginHook) -> dict[str, Any]:
    matcher = "" if is_open(hook.matcher) else str(hook.matcher)
    entry: dict[str, Any] = {"event": hook.name, "matcher": matcher, "command": hook.command, "seconds": _limit(hook)}
    if matcher and is_list(matcher):
        entry["names"] = [word for each in re.split(r"[|,]", matcher) if (word := each.strip())]
    if isinstance(hook.fields.get("args"), list):
        entry["args"] = [str(each) for each in hook.fields["args"]]
    if hook.fields.get("shell") == "powershell":
        entry["shell"] = "powershell"
    return entry


def _limit(hook: PluginHook) -> float:
    return hook.seconds if hook.seconds and 0 < hook.seconds < MOST_SECONDS else _SECONDS


def _changed(hook: PluginHook) -> list[Fate]:
    if hook.name != "PreToolUse":
        return []
    why = f"{_LABEL} cannot ask the user for a hook: where it wants that, the call is denied"
    return [lost(APPROXIMATED, CHANGED_MEANING, hook, why)]


def _refusal(hook: PluginHook) -> str:
    if hook.dialect != "claude":
        return f"its program speaks the protocol of another program: {_LABEL} would not understand its answer"
    if hook.name not in _EVENTS:
        return f"{_LABEL} has no event like `{hook.name}` that a hook can decide"
    if hook.type != "command":
        return f"a hook of the type `{hook.type}` cannot be run outside of its own program"
    if "if" in hook.fields:
        return f"{_LABEL} knows no `if`: the hook would run for other calls too"
    if hook.fields.get("async") is True:
        return "a hook in the background has no counterpart"
    return ""
