"""Why Codex takes nothing from a `hooks.json` (0.166.0): one mistake costs the whole file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.field import Keys

EVENTS = (
    *("PreToolUse", "PermissionRequest", "PostToolUse", "PreCompact", "PostCompact", "SessionStart", "SessionEnd"),
    *("UserPromptSubmit", "SubagentStart", "SubagentStop", "Stop"),
)
_TYPES = ("command", "mcp_tool", "prompt", "agent")
_TEXTS = ("statusMessage", "commandWindows", "command_windows")


def file_flaws(content: Any) -> Iterator[tuple[Keys, str]]:
    """Where a mistake is, and what. Events that Codex does not know and fields of a handler may be anything."""
    if not isinstance(content, dict):
        yield (), "it must be an object"
        return
    for key in content:
        if key not in ("description", "hooks"):
            yield (key,), f"unknown field `{key}`, expected `description` or `hooks`"
    events = content.get("hooks", {})
    if not isinstance(events, dict):
        yield ("hooks",), "`hooks` must be an object"
        return
    for event in EVENTS:
        if event in events:
            yield from _groups(("hooks", event), events[event])


def _groups(keys: Keys, groups: Any) -> Iterator[tuple[Keys, str]]:
    if not isinstance(groups, list):
        yield keys, f"`{keys[-1]}` must be a list of groups"
        return
    for number, group in enumerate(groups):
        here = (*keys, number)
        handlers = group.get("hooks", []) if isinstance(group, dict) else None
        if not isinstance(group, dict) or not isinstance(handlers, list):
            yield here, "a group must be an object with a list `hooks`"
            continue
        if not isinstance(group.get("matcher"), str | None):
            yield (*here, "matcher"), "`matcher` must be text"
        for index, handler in enumerate(handlers):
            flaw = handler_flaw(handler)
            if flaw:
                yield (*here, "hooks", index), flaw


def handler_flaw(handler: Any) -> str:
    """Why one handler costs the file; empty if it does not."""
    kind = handler.get("type") if isinstance(handler, dict) else None
    if not isinstance(handler, dict) or kind not in _TYPES:
        return f"a handler needs a `type`: one of {', '.join(f'`{each}`' for each in _TYPES)}"
    if kind == "command" and not isinstance(handler.get("command"), str):
        return "a `command` handler needs a text `command`"
    if kind == "mcp_tool" and not all(isinstance(handler.get(key), str) for key in ("server", "tool")):
        return "an `mcp_tool` handler needs the texts `server` and `tool`"
    timeout = handler.get("timeout")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int) or timeout < 0):
        return "`timeout` must be a whole number of seconds"
    if not isinstance(handler.get("async", False), bool):
        return "`async` must be true or false"
    wrong = next((key for key in _TEXTS if not isinstance(handler.get(key), str | None)), "")
    return f"`{wrong}` must be text" if wrong else ""
