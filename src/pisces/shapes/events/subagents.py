"""Agents that an agent starts, and the tasks that they share."""

from __future__ import annotations

from pisces.shapes.event import Blockable, Event, Guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.shapes.note import Note


class SubagentStart(Event):
    """`agent` is the kind of agent, `agent_id` this one."""

    agent_id: str
    agent: str = ""
    prompt: str = ""
    notes: Sequence[Note] = ()


class SubagentStop(Blockable):
    """A subagent is about to stop: blocking makes it go on, with the reason as its next instruction."""

    agent_id: str
    agent: str = ""
    last_message: str = ""
    transcript: str = ""
    stop_hook_active: bool = False
    blocked: bool = False
    reason: str = ""
    notes: Sequence[Note] = ()


class TeammateIdle(Blockable):
    """A teammate is about to wait for work: blocking makes it go on."""

    teammate: str
    team: str = ""
    blocked: bool = False
    reason: str = ""


class TaskCreated(Guarded):
    task_id: str
    subject: str = ""
    description: str = ""
    teammate: str = ""
    team: str = ""
    blocked: bool = False
    reason: str = ""


class TaskCompleted(Guarded):
    """A task is about to count as done: blocking keeps it open."""

    task_id: str
    subject: str = ""
    description: str = ""
    teammate: str = ""
    team: str = ""
    blocked: bool = False
    reason: str = ""
