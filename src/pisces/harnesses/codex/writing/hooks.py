"""Hooks in `hooks/hooks.json`, which Codex drops as a whole for one odd entry: only what it knows is written.

Its events and answers are Claude Code's for the most part. A hook about files is asked about patches instead, and some
answers that deny there do not count here: each is reported.
"""

from __future__ import annotations

import re
from math import ceil

from pisces.converting import prompt_text as neutral
from pisces.converting.assembling import json_file
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_FIELD,
    LOST_GUARD,
    LOST_HOOK,
    LOST_PLACEHOLDER,
    lost,
    mapped,
)
from pisces.converting.hook_tools import counterparts, is_guard, is_list, is_open, lost_hook, tools_matched
from pisces.converting.leftovers import accepted_hooks
from pisces.converting.prompt_text import PromptVariable
from pisces.converting.variables import text_with_variables
from pisces.converting.writer import WriteOptions, Written
from pisces.harnesses.codex import EVENTS
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginContext, PluginHook
    from pisces.converting.prompt_text import Part

FILE = "hooks/hooks.json"
_BY_TOOL = ("PreToolUse", "PostToolUse", "PermissionRequest")
_SHELL, _SHELL_OF_HOOKS, _PATCH = "exec_command", "Bash", "apply_patch"
_SPOKEN = "claude"
_FIELDS = {
    "command": ("command", "async", "statusMessage"),
    "mcp_tool": ("server", "tool", "input", "statusMessage"),
}
_READ = ("type", "timeout", "args", "if", "shell")
_SHORT_EVENT, _LONGEST = "SessionEnd", 3  # seconds
_NOT_RUST = re.compile(r"\(\?(?:[=!]|<[=!])|\\[1-9]")
_QUOTED = re.compile(r"[^A-Za-z0-9_@%+=:,./${}-]")
_ALWAYS_DENIES = (
    "Codex goes ahead where Claude Code stops: for an exit with 2 that prints nothing, a denial without a reason, "
    "`ask`, and an answer with a field that it does not know"
)


class _Matcher(Value):
    """`text` is None for every tool."""

    text: str | None
    fates: tuple[Fate, ...] = ()


def written_hooks(plugin: Plugin, options: WriteOptions) -> Written:
    events: dict[str, list[dict[str, Any]]] = {}
    fates: list[Fate] = []
    for context in plugin.contexts:
        events.setdefault("SessionStart", []).append({"hooks": [_printed(context)]})
        fates.append(mapped(context, FILE))
    accepted = accepted_hooks(plugin, options, _refusal)
    fates += accepted.fates
    for hook in accepted.hooks:
        matcher = _matcher(hook, plugin.harness)
        fates += matcher.fates
        if matcher.text == "":
            continue
        group: dict[str, Any] = {"matcher": matcher.text} if matcher.text else {}
        events.setdefault(hook.name, []).append({**group, "hooks": [_handler(hook, plugin.harness)]})
        fates += (*_fates(hook, plugin.harness), mapped(hook, FILE))
    return Written((json_file(FILE, {"hooks": events}),) if events else (), tuple(fates))


def _printed(context: PluginContext) -> dict[str, Any]:
    return {"type": "command", "command": f'cat "${{PLUGIN_ROOT}}/{context.path}"'}


def _refusal(hook: PluginHook) -> str:
    if hook.dialect != _SPOKEN:
        return "its program is asked and answers in another protocol than that of Codex"
    if hook.name not in EVENTS:
        return f"Codex has no event `{hook.name}`"
    if hook.type not in _FIELDS:
        return f"Codex runs no hook of type `{hook.type}`"
    return "Codex starts no PowerShell for a hook" if hook.fields.get("shell") == "powershell" else ""


def _matcher(hook: PluginHook, harness: str) -> _Matcher:
    """Empty text where nothing that the hook is about exists in Codex."""
    if is_open(hook.matcher):
        return _Matcher(None)
    if hook.name not in _BY_TOOL:
        return _Matcher(_listed(str(hook.matcher)))
    own = counterparts(harness, "codex")
    found = tools_matched(hook.matcher, {_SHELL_OF_HOOKS if key == _SHELL else key: own[key] for key in own})
    if found.is_empty:
        return _Matcher("", (lost_hook(hook, f"Codex has no tool that `{hook.matcher}` means"),))
    rule = LOST_GUARD if is_guard(hook) else LOST_HOOK
    fates = [
        lost(DROPPED, rule, hook, f"Codex has no tool like `{each}`", field="group.matcher") for each in found.unknown
    ]
    names = [*found.tools, *found.server_tools]
    if not found.any_server:
        return _Matcher(_exactly(names), tuple(fates))
    if _NOT_RUST.search(hook.matcher):
        why = f"the expression `{hook.matcher}` is none in Codex"
        return _Matcher("", (lost_hook(hook, why),))
    return _Matcher("|".join((*((_anchored(names),) if names else ()), hook.matcher)), tuple(fates))


def _listed(matcher: str) -> str:
    """Codex takes a comma or a blank for part of an expression."""
    if not is_list(matcher):
        return matcher
    return _exactly([name for each in re.split("[|,]", matcher) if (name := each.strip())])


def _exactly(names: list[str]) -> str:
    is_plain = all(re.fullmatch(r"\w+", each, re.ASCII) for each in names)
    return "|".join(names) if is_plain else _anchored(names)


def _anchored(names: list[str]) -> str:
    return f"^(?:{'|'.join(map(re.escape, names))})$"


def _handler(hook: PluginHook, harness: str) -> dict[str, Any]:
    known = _FIELDS[hook.type]
    values = {key: value for key, value in hook.fields.items() if key in known}
    if hook.type == "command":
        words = hook.fields.get("args")
        line = " ".join((_word(hook.command), *map(_word, words))) if isinstance(words, list) else hook.command
        values["command"] = text_with_variables(line, harness).spelled(_spelled)
    if hook.name == _SHORT_EVENT:
        values.pop("async", None)
    if hook.seconds is not None:
        values["timeout"] = _seconds(hook)
    return {"type": hook.type, **values}


def _seconds(hook: PluginHook) -> int:
    wanted = max(1, ceil(hook.seconds or 0))
    return min(wanted, _LONGEST) if hook.name == _SHORT_EVENT else wanted


def _word(value: Any) -> str:
    """A word of a command line; variables in it are still filled in."""
    text = str(value)
    escaped = re.sub(r'(["\\`])', r"\\\1", text)
    return f'"{escaped}"' if not text or _QUOTED.search(text) or "$" in text else text


def _spelled(part: Part) -> str:
    if isinstance(part, PromptVariable) and part.name == neutral.PROJECT:
        return "${PWD}"
    return part if isinstance(part, str) else part.written


def _fates(hook: PluginHook, harness: str) -> Iterator[Fate]:
    yield from _field_fates(hook)
    for part in text_with_variables(hook.command, harness).parts:
        if isinstance(part, PromptVariable) and part.name == neutral.PROJECT:
            why = f"Codex has no `{part.written}`: it is the folder of the session"
            yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, field="command")
        elif isinstance(part, PromptVariable) and part.name.startswith(neutral.SETTING):
            why = f"Codex asks its users for nothing: `{part.written}` stays empty"
            yield lost(APPROXIMATED, LOST_PLACEHOLDER, hook, why, field="command")
    if is_guard(hook):
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, _ALWAYS_DENIES)
    if hook.name in _BY_TOOL and _is_about_files(hook, harness):
        why = f"Codex hands over a patch of `{_PATCH}`, without `file_path`: a guard that asks for it allows"
        rule = LOST_GUARD if is_guard(hook) else CHANGED_MEANING
        yield lost(APPROXIMATED, rule, hook, why, field="group.matcher")


def _field_fates(hook: PluginHook) -> Iterator[Fate]:
    for field in hook.fields:
        if field == "if":
            why = "Codex knows no `if`: the hook runs for every call that its matcher fits"
            yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, field=field)
        elif field == "shell":
            why = "Codex runs hooks with the user's own shell"
            yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, field=field)
        elif field not in (*_READ, *_FIELDS[hook.type]):
            rule = LOST_GUARD if field == "onFailure" and hook.fields[field] == "block" else LOST_FIELD
            yield lost(DROPPED, rule, hook, f"Codex has no `{field}`", field=str(field))
    if hook.name == _SHORT_EVENT and hook.fields.get("async"):
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, "Codex waits for it at the end of a session", field="async")
    if hook.seconds is not None and _seconds(hook) < hook.seconds:
        why = f"Codex waits at most {_LONGEST} seconds at the end of a session"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, field="timeout")


def _is_about_files(hook: PluginHook, harness: str) -> bool:
    own = counterparts(harness, "codex")
    return not is_open(hook.matcher) and _PATCH in tools_matched(hook.matcher, own).tools
