"""Hooks in the shape of Claude Code: event, then groups with a matcher, then handlers; timeouts are in seconds.

Every group and handler stands for itself: a broken one is reported and the others stay.
"""

from __future__ import annotations

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import ConfigFile, read_object
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import GroupedHooks
from pisces.shapes.field import Keys
from pisces.shapes.hook import Hook, in_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


# fmt: off
EVENTS = frozenset((
    "SessionStart", "Setup", "InstructionsLoaded", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse",
    "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification",
    "MessageDisplay", "SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle", "Stop",
    "StopFailure", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "ConfigChange", "CwdChanged",
    "DirectoryAdded", "FileChanged", "WorktreeCreate", "WorktreeRemove", "Elicitation", "ElicitationResult",
    "SessionEnd",
))
# fmt: on
# The field that each type of handler cannot do without, and that stands for it in lists.
_SPEAKS = {"command": "command", "http": "url", "prompt": "prompt", "agent": "prompt", "mcp_tool": "tool"}

_GUARDS = ("PreToolUse", "PermissionRequest")  # a mistake in one costs the whole file, which others tell

CLAUDE_HOOK_EVENT = Rule("claude-hook-event", WARNING, "A hook waits for an event that does not exist")
CLAUDE_HOOK_SHAPE = Rule("claude-hook-shape", ERROR, "A hook does not have the shape that Claude Code reads")


def find(where: Where[GroupedHooks]) -> Iterator[Found | Diagnostic]:
    options = where.options
    return read_object(where.path, options.syntax, where.run, lambda file: hooks_in(file, options.keys, where))


def hooks_in(file: ConfigFile, keys: tuple[str | int, ...], where: Where[GroupedHooks]) -> Iterator[Found | Diagnostic]:
    """The hooks below a key path of a file that is already read."""
    events = file.part(keys)
    if events is None:
        return
    if not isinstance(events, dict):
        yield file.not_object(keys)
        return
    known = EVENTS if where.options.events is None else where.options.events
    for event, groups in events.items():
        if event not in known:
            message = f"there is no event `{event}`"
            yield CLAUDE_HOOK_EVENT.at(file.path, message, place=file.place(*keys, event), about=event)
        elif not isinstance(groups, list):
            yield _misshapen(file, (*keys, event), f"`{event}` must be a list of groups")
        else:
            for index, group in enumerate(groups):
                yield from _group(file, (*keys, event, index), group, where)


def _group(file: ConfigFile, keys: Keys, group: Any, where: Where[GroupedHooks]) -> Iterator[Found | Diagnostic]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        yield _misshapen(file, keys, "a group must be an object with a list `hooks`")
        return
    if where.options.needs_text and not isinstance(group.get("matcher", ""), str) and keys[-2] not in _GUARDS:
        yield _misshapen(file, (*keys, "matcher"), "`matcher` must be text")
        return
    for index, handler in enumerate(handlers):
        place = (*keys, "hooks", index)
        flaw = handler_flaw(handler)
        if flaw:
            yield _misshapen(file, place, flaw)
        else:
            yield where.found(_hook(file, place, group, handler, where))


def handler_flaw(handler: Any) -> str:
    """Why a handler cannot be read at all; empty if it can."""
    if not isinstance(handler, dict):
        return "a handler must be an object"
    kind = handler.get("type")
    if not isinstance(kind, str) or kind not in _SPEAKS:
        return f"a handler needs a `type`: one of {', '.join(f'`{each}`' for each in _SPEAKS)}"
    field = _SPEAKS[kind]
    return (
        "" if isinstance(handler.get(field), str) and handler[field] else f"a `{kind}` handler needs a text `{field}`"
    )


def _hook(
    file: ConfigFile, place: Keys, group: dict[str, Any], handler: dict[str, Any], where: Where[GroupedHooks]
) -> Hook:
    kind = handler["type"]
    return Hook(
        event=str(place[-4]),
        matcher=group.get("matcher"),
        command=handler[_SPEAKS[kind]],
        path=file.path,
        dialect=where.options.dialect or where.harness_id,
        fields=handler,
        group=group,
        keys=place,
        name=str(handler.get("name") or ""),
        type=kind,
        timeout=handler.get("timeout"),
        seconds=in_seconds(handler.get("timeout")),
        sequential=group.get("sequential"),
    )


def _misshapen(file: ConfigFile, keys: Keys, message: str) -> Diagnostic:
    about = next((str(key) for key in reversed(keys) if isinstance(key, str) and key != "hooks"), "")
    return CLAUDE_HOOK_SHAPE.at(file.path, message, place=file.place(*keys), about=about)
