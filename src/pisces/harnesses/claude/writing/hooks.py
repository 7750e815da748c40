"""Hooks: those that speak Claude Code's protocol as they are; texts for every prompt are printed when a session starts.

Those of Gemini CLI run through a program that is written beside them. One of any other protocol is reported and not
written: it would be asked in words that it does not know.
"""

from __future__ import annotations

from pisces.converting.assembling import assembled, json_file
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_FIELD,
    lost,
    mapped,
)
from pisces.converting.hook_tools import lost_patches
from pisces.converting.leftovers import accepted_hooks
from pisces.converting.prompt_text import PromptInclude
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.discovery.finders.grouped_hooks import EVENTS
from pisces.harnesses.claude.writing.gemini_hooks import DIALECT, gemini_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginContext, PluginHook

FILE = "hooks/hooks.json"
_SPOKEN = ("claude", "codex")
_LONGEST = 10_000  # characters that a hook may print; more is put into a file


def written_hooks(plugin: Plugin, options: WriteOptions) -> Written:
    foreign = tuple(each for each in plugin.hooks if each.dialect == DIALECT)
    made = gemini_hooks(plugin.replace(hooks=foreign), options, FILE)
    own = tuple(each for each in plugin.hooks if each not in foreign)
    return assembled((_written(plugin.replace(hooks=own), options, made.groups), made.written))


def written_own_hooks(plugin: Plugin, options: WriteOptions) -> Written:
    """Without a program: where the package is read by something else than Claude Code."""
    return _written(plugin, options)


def _written(plugin: Plugin, options: WriteOptions, groups: Iterable[tuple[str, dict[str, Any]]] = ()) -> Written:
    events: dict[str, list[dict[str, Any]]] = {}
    fates: list[Fate] = []
    files: list[OutputFile] = []
    for context in plugin.contexts:
        events.setdefault("SessionStart", []).append({"hooks": [_printed(context)]})
        files.append(OutputFile(context.path, None, context.path))
        fates += _context_fates(context)
    accepted = accepted_hooks(plugin, options, _refusal)
    fates += accepted.fates
    for hook in accepted.hooks:
        matcher = {"matcher": hook.matcher} if isinstance(hook.matcher, str) and hook.matcher else {}
        events.setdefault(hook.name, []).append({**matcher, "hooks": [_handler(hook)]})
        fates += _hook_fates(hook)
        fates.append(mapped(hook, FILE))
    for event, group in groups:
        events.setdefault(event, []).append(group)
    made = [json_file(FILE, {"hooks": events})] if events else []
    return Written((*made, *files), tuple(fates))


def _printed(context: PluginContext) -> dict[str, Any]:
    return {"type": "command", "command": f'cat "${{CLAUDE_PLUGIN_ROOT}}/{context.path}"'}


def _context_fates(context: PluginContext) -> Iterator[Fate]:
    yield mapped(context, FILE)
    if len(context.prompt.written) > _LONGEST:
        why = f"Claude Code puts what is longer than {_LONGEST:,} characters into a file, which the model has to open"
        yield lost(APPROXIMATED, CHANGED_MEANING, context, why)
    for part in context.prompt.parts:
        if isinstance(part, PromptInclude):
            yield lost(APPROXIMATED, CHANGED_MEANING, context, f"`{part.written}` is printed as it stands there")


def _refusal(hook: PluginHook) -> str:
    if hook.dialect not in _SPOKEN:
        return "its program is asked and answers in another protocol than that of Claude Code"
    return "" if hook.name in EVENTS else f"Claude Code has no event `{hook.name}`"


def _handler(hook: PluginHook) -> dict[str, Any]:
    values = {key: value for key, value in hook.fields.items() if key not in _CODEX_ONLY}
    return {**values, "type": hook.type}


_CODEX_ONLY = ("commandWindows", "command_windows", "additionalContextLimit")


def _hook_fates(hook: PluginHook) -> Iterator[Fate]:
    for field in _CODEX_ONLY:
        if field in hook.fields:
            yield lost(DROPPED, LOST_FIELD, hook, f"Claude Code has no `{field}`", field=field)
    yield from lost_patches(hook, "Claude Code")
