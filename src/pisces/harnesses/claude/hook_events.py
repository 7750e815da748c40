"""Which of our events are events of Claude Code's hooks, and what a matcher is compared with there."""

from __future__ import annotations

from pisces.discovery import tool_names
from pisces.shapes import events as ours
from pisces.shapes.request import TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.shapes.event import Event

HARNESS_ID = "claude"

NAMES: dict[type[Event], str] = {
    ours.ToolCall: "PreToolUse",
    ours.ToolBatch: "PostToolBatch",
    ours.PermissionAsked: "PermissionRequest",
    ours.Input: "UserPromptSubmit",
    ours.PromptExpansion: "UserPromptExpansion",
    ours.SessionStart: "SessionStart",
    ours.SessionShutdown: "SessionEnd",
    ours.SessionStop: "Stop",
    ours.StopFailed: "StopFailure",
    ours.SubagentStart: "SubagentStart",
    ours.SubagentStop: "SubagentStop",
    ours.SessionBeforeCompact: "PreCompact",
    ours.SessionCompact: "PostCompact",
    ours.BeforeModelSwitch: "PreModelSwitch",
    ours.ModelSelect: "PostModelSwitch",
    ours.MessageEnd: "MessageDisplay",
    ours.CwdChanged: "CwdChanged",
    ours.InstructionsLoaded: "InstructionsLoaded",
    ours.Notification: "Notification",
    ours.ConfigChange: "ConfigChange",
    ours.DirectoryAdded: "DirectoryAdded",
    ours.FileChanged: "FileChanged",
    ours.WorktreeCreate: "WorktreeCreate",
    ours.WorktreeRemove: "WorktreeRemove",
    ours.Elicitation: "Elicitation",
    ours.ElicitationResult: "ElicitationResult",
    ours.TaskCreated: "TaskCreated",
    ours.TaskCompleted: "TaskCompleted",
    ours.TeammateIdle: "TeammateIdle",
    ours.Setup: "Setup",
}
# A failure there stops what is about to happen. A stop hook that fails must not keep the agent going.
BLOCKING = frozenset(
    """
    PreToolUse UserPromptSubmit UserPromptExpansion PreCompact PreModelSwitch ConfigChange TaskCreated TaskCompleted
    """.split()
)
_SOURCES = {"new": "clear", "reload": "startup", "fork": "resume"}
_REASONS = ("clear", "logout", "prompt_input_exit", "resume", "bypass_permissions_disabled")


def names_of(event: Event) -> tuple[str, ...]:
    if isinstance(event, ours.ToolResult):
        return ("PostToolUseFailure" if event.is_error else "PostToolUse",)
    if isinstance(event, ours.PermissionAsked) and event.kind != TOOL:
        return ()
    if isinstance(event, ours.PermissionDecided):
        return () if event.allowed or event.kind != TOOL else ("PermissionDenied",)
    name = NAMES.get(type(event))
    return (name,) if name else ()


def own_call(tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    return tool_names.own_call(HARNESS_ID, tool, given)


def input_from(tool: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    return tool_names.input_from(HARNESS_ID, tool, given)


def tools_matched(tool: str) -> tuple[str, ...]:
    """Every name by which a matcher may mean this tool: Claude Code's own, and the one it was called by."""
    return (*tool_names.names_for(HARNESS_ID, tool), tool)


def subjects_of(event: Event) -> tuple[str, ...] | None:
    """What the matcher is compared with; None for events whose matcher does not count."""
    if isinstance(event, ours.ToolCall | ours.ToolResult | ours.PermissionAsked | ours.PermissionDecided):
        return tools_matched(event.tool)
    if isinstance(event, ours.SessionStart):
        return (source_of(event),)
    if isinstance(event, ours.SessionShutdown):
        return (reason_of(event),)
    if isinstance(event, ours.SubagentStart | ours.SubagentStop):
        return (event.agent,)
    if isinstance(event, ours.SessionBeforeCompact | ours.SessionCompact):
        return (event.trigger,)
    field = _SUBJECTS.get(type(event))
    return (str(getattr(event, field)),) if field else None


_SUBJECTS: dict[type[Event], str] = {
    ours.PromptExpansion: "command",
    ours.Notification: "kind",
    ours.InstructionsLoaded: "cause",
    ours.ConfigChange: "source",
    ours.Setup: "cause",
    ours.Elicitation: "server",
    ours.ElicitationResult: "server",
    ours.StopFailed: "kind",
}


def source_of(event: ours.SessionStart) -> str:
    return _SOURCES.get(event.cause, event.cause)


def reason_of(event: ours.SessionShutdown) -> str:
    return event.cause if event.cause in _REASONS else "other"
