"""Hooks of Gemini CLI in a plugin: each runs through a program that is written beside them and speaks both protocols.

Left alone, one that denies with `decision: deny` or an exit code above 2 is allowed by Claude Code, and one that waits
for `run_shell_command` never fires.
"""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, NEVER_LOADED, lost, mapped
from pisces.converting.hook_shim import ShimEntry, ShimTarget, hook_row, shim_files, start_line
from pisces.converting.hook_tools import lost_hook
from pisces.converting.writer import Written
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginHook
    from pisces.converting.writer import WriteOptions

DIALECT = "gemini"
_LABEL = "Claude Code"
_FOLDER = "hooks/gemini-compat"
_ROOT = "${CLAUDE_PLUGIN_ROOT}"
_SECONDS = 60.0
_EVENTS = {
    "BeforeTool": ("PreToolUse",),
    "AfterTool": ("PostToolUse", "PostToolUseFailure"),
    "BeforeAgent": ("UserPromptSubmit",),
    "AfterAgent": ("Stop",),
    "SessionStart": ("SessionStart",),
    "SessionEnd": ("SessionEnd",),
    "PreCompress": ("PreCompact",),
    "Notification": ("Notification",),
}
_DIFFERS = {
    "AfterTool": "an objection stands beside the result of the tool, which it hides in Gemini CLI",
    "AfterAgent": "it keeps a turn going nine times in a row at most",
    "PreCompress": "it runs before a compaction only, not before each request",
}
_READ = ("type", "command", "timeout", "env", "name", "description")
_GROUP_READ = ("matcher", "hooks")
_VARIABLES = {
    "${extensionPath}": _ROOT,
    "${workspacePath}": "${CLAUDE_PROJECT_DIR}",
    "${/}": "/",
    "${pathSeparator}": "/",
}


class GeminiHooks(Value):
    """`groups` are those of `hooks.json`, each with its event."""

    groups: tuple[tuple[str, dict[str, Any]], ...]
    written: Written


def gemini_hooks(plugin: Plugin, options: WriteOptions, output: str) -> GeminiHooks:
    """The plugin's hooks of this protocol. `output` is the file that names them."""
    entries: list[ShimEntry] = []
    fates: list[Fate] = []
    groups: list[tuple[str, dict[str, Any]]] = []
    seen: set[str] = set()
    for hook in plugin.hooks:
        refused = _refused(hook, options)
        fates += (refused,) if refused else (mapped(hook, output), *_losses(hook))
        same = repr((hook.name, hook.matcher, hook.fields))
        if refused or same in seen:  # Gemini CLI runs one command once
            continue
        seen.add(same)
        entry = ShimEntry(str(len(entries) + 1), hook.replace(seconds=hook.seconds or _SECONDS), folder=_FOLDER)
        handler = {"type": "command", "command": start_line(entry, _ROOT), "timeout": entry.seconds}
        groups += [(event, {"hooks": [handler]}) for event in _EVENTS[hook.name]]
        entries.append(entry)
    return GeminiHooks(tuple(groups), Written(shim_files(plugin, tuple(entries), _TARGET), tuple(fates)))


def _refused(hook: PluginHook, options: WriteOptions) -> Fate | None:
    if hook.dead:
        return lost(DROPPED, NEVER_LOADED, hook, hook.dead)
    if options.without_hooks:
        return lost_hook(hook, "hooks are left out on request")
    if hook.name not in _EVENTS:
        return lost_hook(hook, f"{_LABEL} has no event like `{hook.name}` that a hook can decide")
    if hook.type != "command" or not hook.command:
        return lost_hook(hook, f"{_LABEL} has no hooks of type `{hook.type}` of this protocol", "type")
    return None


def _losses(hook: PluginHook) -> Iterator[Fate]:
    if hook.name in _DIFFERS:
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, _DIFFERS[hook.name])
    if "transcript_path" in hook.command:
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, f"it gets the transcript as {_LABEL} writes it", "command")
    for key in hook.fields:
        if key not in _READ:
            yield lost(DROPPED, LOST_FIELD, hook, f"a hook has no field `{key}` that is read here", key)
    for key in hook.group:
        if key not in _GROUP_READ:
            yield lost(DROPPED, LOST_FIELD, hook, f"`{key}` is not read", f"group.{key}")


def _row(entry: ShimEntry) -> dict[str, Any]:
    row = hook_row(entry, _moved)
    env = entry.hook.fields.get("env")
    own = {key: str(value) for key, value in env.items()} if isinstance(env, dict) else {}
    return {**row, "hook": {**row["hook"], "shell": "bash", "env": own}}


def _moved(text: str) -> str:
    for old, new in _VARIABLES.items():
        text = text.replace(old, new)
    return text


_TARGET = ShimTarget(
    _LABEL,
    "pisces.harnesses.claude.writing",
    _DIFFERS,
    lambda _hook: None,
    (DIALECT,),
    folder=_FOLDER,
    row=_row,
)
