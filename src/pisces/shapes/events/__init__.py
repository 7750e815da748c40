"""Every event there is, one family a file. Names are those of pi and omp where they have the event."""

from __future__ import annotations

from difflib import get_close_matches

from pisces.shapes.event import Event

# fmt: off
# isort: off
from pisces.shapes.events.agent import (
    AgentEnd as AgentEnd, AgentSettled as AgentSettled, AgentStart as AgentStart, BeforeAgentStart as BeforeAgentStart,
    Input as Input, MessageEnd as MessageEnd, MessageStart as MessageStart, MessageUpdate as MessageUpdate,
    PromptExpansion as PromptExpansion, QueueUpdate as QueueUpdate, TurnEnd as TurnEnd, TurnStart as TurnStart,
)
from pisces.shapes.events.compaction import (
    AutoCompactionEnd as AutoCompactionEnd, AutoCompactionStart as AutoCompactionStart,
    SessionBeforeCompact as SessionBeforeCompact, SessionCompact as SessionCompact,
    SessionCompacting as SessionCompacting,
)
from pisces.shapes.events.mcp import (
    Elicitation as Elicitation, ElicitationResult as ElicitationResult, McpNotification as McpNotification,
)
from pisces.shapes.events.permissions import (
    PermissionAsked as PermissionAsked, PermissionDecided as PermissionDecided,
    ToolApprovalRequested as ToolApprovalRequested, ToolApprovalResolved as ToolApprovalResolved,
)
from pisces.shapes.events.provider import (
    AfterModel as AfterModel, AfterProviderResponse as AfterProviderResponse, AutoRetryEnd as AutoRetryEnd,
    AutoRetryStart as AutoRetryStart, BeforeModel as BeforeModel, BeforeModelSwitch as BeforeModelSwitch,
    BeforeProviderHeaders as BeforeProviderHeaders, BeforeProviderRequest as BeforeProviderRequest,
    BeforeToolSelection as BeforeToolSelection, Context as Context, CredentialDisabled as CredentialDisabled,
    ModelSelect as ModelSelect, ThinkingLevelSelect as ThinkingLevelSelect,
)
from pisces.shapes.events.session import (
    Interrupted as Interrupted, SessionBeforeFork as SessionBeforeFork, SessionBeforeSwitch as SessionBeforeSwitch,
    SessionBeforeTree as SessionBeforeTree, SessionDirectory as SessionDirectory, SessionFork as SessionFork,
    SessionRenamed as SessionRenamed, SessionShutdown as SessionShutdown, SessionStart as SessionStart,
    SessionStop as SessionStop, SessionSwitch as SessionSwitch, SessionTree as SessionTree, Setup as Setup,
    StopFailed as StopFailed,
)
from pisces.shapes.events.subagents import (
    SubagentStart as SubagentStart, SubagentStop as SubagentStop, TaskCompleted as TaskCompleted,
    TaskCreated as TaskCreated, TeammateIdle as TeammateIdle,
)
from pisces.shapes.events.surroundings import (
    CommandUpdate as CommandUpdate, ConfigChange as ConfigChange, CwdChanged as CwdChanged,
    DirectoryAdded as DirectoryAdded,
    FileChanged as FileChanged, GoalUpdated as GoalUpdated, IdeContextChanged as IdeContextChanged,
    InstructionsLoaded as InstructionsLoaded, ModuleFailed as ModuleFailed, Notification as Notification,
    ProjectTrust as ProjectTrust, ResourcesDiscover as ResourcesDiscover, TodoReminder as TodoReminder,
    UserPython as UserPython, UserShell as UserShell, WorktreeCreate as WorktreeCreate,
    WorktreeRemove as WorktreeRemove,
)
from pisces.shapes.events.tools import (
    ToolBatch as ToolBatch, ToolCall as ToolCall, ToolExecutionEnd as ToolExecutionEnd,
    ToolExecutionStart as ToolExecutionStart, ToolExecutionUpdate as ToolExecutionUpdate, ToolResult as ToolResult,
)
# isort: on
# fmt: on

EVENTS: tuple[type[Event], ...] = tuple(
    kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Event) and kind.NAME
)


def event_named(name: str) -> type[Event] | None:
    """By its `NAME`, or by the name of the class."""
    return next((kind for kind in EVENTS if name in (kind.NAME, kind.__name__)), None)


def event_like(name: str) -> type[Event]:
    """The event whose name is nearest to one that was meant: `tool-call` is `ToolCall`, and so is nonsense."""
    names = {_letters(each): kind for kind in EVENTS for each in (kind.NAME, kind.__name__)}
    near = get_close_matches(_letters(name), names, 1)
    return names[near[0]] if near else ToolCall


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name)).lower()
