"""Hooks in `hooks/hooks.json`: those of Claude Code run through a program that is written beside them.

Cursor calls tools otherwise, wants one flat answer each time and cannot ask the user before a tool. As documented in
autumn 2026, never run in the program.
"""

from __future__ import annotations

import re

from pisces.converting.assembling import json_file
from pisces.converting.fate import APPROXIMATED, LOST_GUARD, lost, mapped
from pisces.converting.hook_shim import TOOL_EVENTS, ShimTarget, shim_files, shim_hooks, start_line
from pisces.converting.hook_tools import is_guard, lost_patches
from pisces.converting.leftovers import accepted_hooks
from pisces.converting.writer import Written
from pisces.diagnostics import WARNING, Rule
from pisces.harnesses.cursor import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.hook_shim import ShimEntry
    from pisces.converting.plugin import Plugin, PluginHook
    from pisces.converting.writer import WriteOptions

SPARED_QUESTION = Rule("spared-question", WARNING, "A guard that lets a call pass may spare a question about it")
FILE = "hooks/hooks.json"
LABEL = "Cursor"
_OWN = "cursor"
_ROOT = "${CURSOR_PLUGIN_ROOT}"
_EVENTS = {
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "UserPromptSubmit": "beforeSubmitPrompt",
    "Stop": "stop",
    "SubagentStop": "subagentStop",
    "SessionStart": "sessionStart",
    "SessionEnd": "sessionEnd",
    "PreCompact": "preCompact",
}
# Tools with one documented name. Edits have several: the program sees every call and compares the names itself.
_TOOLS = {"Bash": "Shell", "PowerShell": "Shell", "Read": "Read", "NotebookRead": "Read", "Grep": "Grep"}
_STOPS = ("Stop", "SubagentStop")
_MOST_STOPS = 9  # Claude Code lets a turn end after so many blocks in a row
_UNTRIED = "as documented, never run in the program"
_TARGET = ShimTarget(
    LABEL,
    "pisces.harnesses.cursor.writing",
    {
        "PreToolUse": (
            f"{_UNTRIED}: a question and a wish to end the session deny the call; context before a tool is lost;"
            " completions in the editor are shown to no such hook"
        ),
        "PostToolUse": f"{_UNTRIED}: an objection stands behind the result, which only tools of servers have replaced",
        "PostToolUseFailure": f"{_UNTRIED}: what it says reaches nobody",
        "UserPromptSubmit": f"{_UNTRIED}: context at a prompt is not documented",
        "Stop": f"{_UNTRIED}: what it objects is sent as the next message",
        "SubagentStop": f"{_UNTRIED}: what it objects is sent as the next message",
        "SessionStart": f"{_UNTRIED}: it runs for new sessions only",
        "SessionEnd": _UNTRIED,
        "PreCompact": f"{_UNTRIED}: it cannot stop a compaction",
    },
    lambda _hook: None,
    ("claude", "codex"),
)
_NOT_ALWAYS = {
    "UserPromptSubmit": f"{LABEL}'s command line does not run it in every session: it denies in the editor",
    "Stop": f"{LABEL} ends the turn first, and its command line does not run it in every session",
}


def written_hooks(plugin: Plugin, options: WriteOptions) -> Written:
    own = tuple(each for each in plugin.hooks if each.dialect == _OWN)
    accepted = accepted_hooks(plugin.replace(hooks=own), options, _refusal)
    found = shim_hooks([each for each in plugin.hooks if each not in own], _TARGET, options)
    events: dict[str, list[Any]] = {}
    fates: list[Fate] = [*accepted.fates, *found.fates]
    for hook in accepted.hooks:
        events.setdefault(hook.name, []).append(dict(hook.fields))
        fates.append(mapped(hook, FILE))
    for entry in found.entries:
        events.setdefault(_EVENTS[entry.hook.name], []).append(_handler(entry))
        fates.append(mapped(entry.hook, FILE))
        fates += _guard_fates(entry.hook)
    files = (json_file(FILE, {"version": 1, "hooks": events}),) if events else ()
    return Written((*files, *shim_files(plugin, found.entries, _TARGET)), tuple(fates))


def _guard_fates(hook: PluginHook) -> Iterator[Fate]:
    yield from lost_patches(hook, LABEL)
    if hook.name in _NOT_ALWAYS and is_guard(hook):
        yield lost(APPROXIMATED, LOST_GUARD, hook, _NOT_ALWAYS[hook.name])
    if hook.name == "PreToolUse":
        why = f"what it lets pass is answered with `allow`, which {LABEL} may take for the user's own consent"
        fix = f"try in {LABEL} whether it still asks about the calls that this hook sees"
        yield lost(APPROXIMATED, SPARED_QUESTION, hook, why).replace(fix=fix)


def _refusal(hook: PluginHook) -> str:
    return "" if hook.name in EVENTS else f"{LABEL} has no event `{hook.name}`"


def _handler(entry: ShimEntry) -> dict[str, Any]:
    matcher = _matcher(entry.hook)
    return {
        "command": start_line(entry, _ROOT),
        "timeout": entry.seconds,
        **({"matcher": matcher} if matcher else {}),
        **({"failClosed": True} if entry.is_closed else {}),
        **({"loop_limit": _MOST_STOPS} if entry.hook.name in _STOPS else {}),
    }


def _matcher(hook: PluginHook) -> str:
    """An expression for the tools that the hook names, empty for all."""
    if hook.name not in TOOL_EVENTS or not isinstance(hook.matcher, str):
        return ""
    listed = [each.strip() for each in re.split(r"[|,]", hook.matcher)]
    names = dict.fromkeys(_TOOLS.get(each, "") for each in listed)
    return "" if "" in names else f"^(?:{'|'.join(names)})$"
