"""Every event there is, one family a file. Names are those of pi and omp; fields are in Python's spelling."""

from __future__ import annotations

from pisces.shapes.event import Event
from pisces.shapes.events.agent import (
    AgentEnd,
    AgentSettled,
    AgentStart,
    BeforeAgentStart,
    Input,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    TurnEnd,
    TurnStart,
)
from pisces.shapes.events.compaction import (
    AutoCompactionEnd,
    AutoCompactionStart,
    SessionBeforeCompact,
    SessionCompact,
    SessionCompacting,
)
from pisces.shapes.events.provider import (
    AfterProviderResponse,
    AutoRetryEnd,
    AutoRetryStart,
    BeforeProviderHeaders,
    BeforeProviderRequest,
    Context,
    CredentialDisabled,
    ModelSelect,
    ThinkingLevelSelect,
)
from pisces.shapes.events.session import (
    SessionBeforeFork,
    SessionBeforeSwitch,
    SessionBeforeTree,
    SessionDirectory,
    SessionFork,
    SessionRenamed,
    SessionShutdown,
    SessionStart,
    SessionStop,
    SessionSwitch,
    SessionTree,
)
from pisces.shapes.events.surroundings import (
    GoalUpdated,
    McpNotification,
    ModuleFailed,
    ResourcesDiscover,
    TodoReminder,
    UserPython,
    UserShell,
)
from pisces.shapes.events.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolCall,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
    ToolResult,
)

__all__ = [
    "AfterProviderResponse",
    "AgentEnd",
    "AgentSettled",
    "AgentStart",
    "AutoCompactionEnd",
    "AutoCompactionStart",
    "AutoRetryEnd",
    "AutoRetryStart",
    "BeforeAgentStart",
    "BeforeProviderHeaders",
    "BeforeProviderRequest",
    "Context",
    "CredentialDisabled",
    "GoalUpdated",
    "Input",
    "McpNotification",
    "MessageEnd",
    "MessageStart",
    "MessageUpdate",
    "ModelSelect",
    "ModuleFailed",
    "ResourcesDiscover",
    "SessionBeforeCompact",
    "SessionBeforeFork",
    "SessionBeforeSwitch",
    "SessionBeforeTree",
    "SessionCompact",
    "SessionCompacting",
    "SessionDirectory",
    "SessionFork",
    "SessionRenamed",
    "SessionShutdown",
    "SessionStart",
    "SessionStop",
    "SessionSwitch",
    "SessionTree",
    "ThinkingLevelSelect",
    "TodoReminder",
    "ToolApprovalRequested",
    "ToolApprovalResolved",
    "ToolCall",
    "ToolExecutionEnd",
    "ToolExecutionStart",
    "ToolExecutionUpdate",
    "ToolResult",
    "TurnEnd",
    "TurnStart",
    "UserPython",
    "UserShell",
]


EVENTS: tuple[type[Event], ...] = tuple(globals()[name] for name in __all__)


def event_named(name: str) -> type[Event] | None:
    """By the name that pi and omp give it, or by that of the class."""
    return next((kind for kind in EVENTS if name in (kind.NAME, kind.__name__)), None)
