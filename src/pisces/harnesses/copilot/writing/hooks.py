"""Hooks in `hooks.json`: each runs through a program that is written beside them and speaks both protocols.

Copilot names tools for hooks as Claude Code does, but hands over its own arguments: `path`, `file_text`, `old_str`. Its
command line lets pass what takes too long, and drops what a hook says about a prompt.
"""

from __future__ import annotations

from pisces.converting.assembling import json_file, left_fields
from pisces.converting.fate import APPROXIMATED, LOST_GUARD, lost, mapped
from pisces.converting.hook_shim import ShimTarget, shim_files, shim_hooks, start_line, windows_line
from pisces.converting.hook_tools import is_guard, is_open, lost_patches, names_matched
from pisces.converting.leftovers import accepted_hooks
from pisces.converting.writer import Written
from pisces.harnesses.copilot import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.hook_shim import ShimEntry
    from pisces.converting.plugin import Plugin, PluginHook
    from pisces.converting.writer import WriteOptions

FILE = "hooks.json"
LABEL = "Copilot"
_OWN = "copilot"
_ROOT = "${CLAUDE_PLUGIN_ROOT}"
_WINDOWS_ROOT = "$env:CLAUDE_PLUGIN_ROOT"
_FIELDS = ("type", "command", "timeout", "timeoutSec", "bash", "powershell", "cwd", "env", "matcher")
_MATCHED = ("PreToolUse", "PermissionRequest")  # with the names and rules of Claude Code
_TOOLS = ("Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "AskUserQuestion", "TodoWrite")
# Copilot calls a patch `Edit`, also where it makes a new file.
_OTHER_NAMES = {
    "Bash": ("PowerShell",),
    "Read": ("NotebookRead",),
    "Write": ("NotebookEdit",),
    "Edit": ("MultiEdit", "NotebookEdit", "Write"),
}
_PROMPT = "UserPromptSubmit"
_UNTRIED = "as documented, never run in the program"
_EVENTS = """
    PostToolUse PostToolUseFailure UserPromptSubmit Stop SubagentStop SessionStart SessionEnd PreCompact
""".split()
_TARGET = ShimTarget(
    LABEL,
    "pisces.harnesses.copilot.writing",
    {
        **dict.fromkeys(_EVENTS, ""),
        "PreToolUse": f"{_UNTRIED}: a wish to end the session before a tool denies the call",
        "PermissionRequest": _UNTRIED,
    },
    lambda _hook: None,
    ("claude", "codex"),
)


def written_hooks(plugin: Plugin, options: WriteOptions) -> Written:
    own = tuple(each for each in plugin.hooks if each.dialect == _OWN)
    accepted = accepted_hooks(plugin.replace(hooks=own), options, _refusal)
    found = shim_hooks([each for each in plugin.hooks if each not in own], _TARGET, options)
    events: dict[str, list[Any]] = {}
    fates: list[Fate] = [*accepted.fates, *found.fates]
    for hook in accepted.hooks:
        events.setdefault(hook.name, []).append({key: hook.fields[key] for key in _FIELDS if key in hook.fields})
        fates += (mapped(hook, FILE), *left_fields(hook, _FIELDS, LABEL))
    for entry in found.entries:
        events.setdefault(entry.hook.name, []).append(_group(entry))
        fates += (mapped(entry.hook, FILE), *lost_patches(entry.hook, LABEL))
        if entry.hook.name == _PROMPT and is_guard(entry.hook):
            why = "the command line of Copilot drops what a hook says about a prompt: it denies in VS Code at most"
            fates.append(lost(APPROXIMATED, LOST_GUARD, entry.hook, why))
    files = (json_file(FILE, {"version": 1, "hooks": events}),) if events else ()
    return Written((*files, *shim_files(plugin, found.entries, _TARGET)), tuple(fates))


def _refusal(hook: PluginHook) -> str:
    return "" if hook.name in EVENTS else f"{LABEL} has no event `{hook.name}`"


def _group(entry: ShimEntry) -> dict[str, Any]:
    line = start_line(entry, _ROOT)
    handler = {
        "type": "command",
        "command": line,
        "bash": line,
        "powershell": windows_line(entry, _WINDOWS_ROOT),
        "timeoutSec": entry.seconds,
    }
    matcher = _matcher(entry.hook)
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}


def _matcher(hook: PluginHook) -> str:
    """Names alone, where the hook is about nothing else; the program compares once more. Empty for all tools."""
    text = hook.matcher
    if hook.name not in _MATCHED or is_open(text) or not isinstance(text, str):
        return ""
    fitting = [each for each in _TOOLS if names_matched(text, (each, *_OTHER_NAMES.get(each, ())))]
    is_plain = set(text.replace("|", "")) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return "|".join(fitting) if is_plain and fitting and "Task" not in text and "Agent" not in text else ""
