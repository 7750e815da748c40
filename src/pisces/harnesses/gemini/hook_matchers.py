"""Which of our events are events of Gemini CLI's hooks, and whether a matcher fits.

At tools it is a regular expression of JavaScript that may fit anywhere in the name; at sessions and compactions it is
the exact cause. What is no regular expression never fires in Gemini CLI, and for everything here.
"""

from __future__ import annotations

from functools import lru_cache

from pisces.discovery import tool_names
from pisces.gates.hooks.matchers import is_open, javascript_pattern, listed_names
from pisces.shapes import events as ours
from pisces.shapes.request import TOOL
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.shapes.event import Event

HARNESS_ID = "gemini"
NAMES: dict[type[Event], str] = {
    ours.ToolCall: "BeforeTool",
    ours.ToolResult: "AfterTool",
    ours.Input: "BeforeAgent",
    ours.SessionStop: "AfterAgent",
    ours.BeforeModel: "BeforeModel",
    ours.BeforeToolSelection: "BeforeToolSelection",
    ours.AfterModel: "AfterModel",
    ours.SessionStart: "SessionStart",
    ours.SessionShutdown: "SessionEnd",
    ours.SessionBeforeCompact: "PreCompress",
    ours.Notification: "Notification",
    ours.PermissionAsked: "Notification",  # the only one that Gemini CLI has
}
_SOURCES = {"new": "clear", "reload": "startup", "fork": "resume", "compact": "startup"}
_REASONS = ("exit", "clear", "logout", "prompt_input_exit", "other")
_ENDS = {"quit": "exit", "new": "clear"}


def names_of(event: Event) -> tuple[str, ...]:
    if isinstance(event, ours.PermissionAsked) and event.kind != TOOL:
        return ()
    name = NAMES.get(type(event))
    return (name,) if name else ()


def source_of(event: ours.SessionStart) -> str:
    return _SOURCES.get(event.cause, event.cause)


def reason_of(event: ours.SessionShutdown) -> str:
    cause = _ENDS.get(event.cause, event.cause)
    return cause if cause in _REASONS else "other"


def own_call(tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    return tool_names.own_call(HARNESS_ID, tool, given)


def input_from(tool: str, given: Mapping[str, Any], before: Mapping[str, Any] = EMPTY) -> Mapping[str, Any]:
    return tool_names.input_from(HARNESS_ID, tool, given, before)


def rule_of_firing(loaded: LoadedHook, event: Event) -> int | None:
    """0 if Gemini CLI itself would run the hook, the number of our rule if only we do, None if it does not fire."""
    matcher = loaded.hook.matcher
    if is_open(matcher) or not matcher:
        return 0
    cause = _cause_of(event)
    if cause is not None:
        return (0 if matcher.strip() == cause else None) if isinstance(matcher, str) else 4
    if not isinstance(event, ours.ToolCall | ours.ToolResult):
        return 0
    return _of_tool(matcher.strip(), event.tool) if isinstance(matcher, str) else 4


def _cause_of(event: Event) -> str | None:
    if isinstance(event, ours.SessionStart):
        return source_of(event)
    if isinstance(event, ours.SessionShutdown):
        return reason_of(event)
    return event.trigger if isinstance(event, ours.SessionBeforeCompact) else None


@lru_cache(1000)
def _of_tool(matcher: str, tool: str) -> int | None:
    pattern = javascript_pattern(matcher)
    if pattern is None:
        return 4
    if pattern.search(own_call(tool, EMPTY)[0]):
        return 0
    names: Iterable[str] = tool_names.every_name(tool)
    is_meant = any(pattern.search(name) for name in names) or any(name in names for name in listed_names(matcher))
    return 4 if is_meant else None
