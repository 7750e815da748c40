"""What Codex writes to the stdin of a hook (0.166.0), field by field and in its order."""

from __future__ import annotations

import os

from pisces.discovery import tool_names
from pisces.harnesses.codex.hook_matchers import COMMAND, END_REASON, own_call, source_of
from pisces.shapes import events as ours
from pisces.shapes.session_facts import MODE_ALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.shapes.event import Event
    from pisces.shapes.session_facts import SessionFacts

_OF_SESSIONS = (ours.SessionStart, ours.SessionShutdown)  # no turn goes on
_WITHOUT_MODEL = (ours.SessionShutdown,)
_WITHOUT_MODE = (ours.SessionShutdown, ours.SessionBeforeCompact, ours.SessionCompact)
_OF_AGENTS = (ours.SubagentStart, ours.SubagentStop)  # these say themselves which agent it is
_DESCRIBED = "description"


def payload_of(name: str, event: Event, facts: SessionFacts) -> dict[str, Any]:
    found: dict[str, Any] = {"session_id": facts.id}
    if not isinstance(event, _OF_SESSIONS):
        found["turn_id"] = facts.turn_id
        if facts.agent_id and not isinstance(event, (*_OF_AGENTS, ours.SessionStop)):
            found.update(agent_id=facts.agent_id, agent_type=facts.agent)
    found["transcript_path"] = facts.transcript or None
    if isinstance(event, ours.SubagentStop):
        found["agent_transcript_path"] = event.transcript or None
    found.update(cwd=_cwd_of(event, facts), hook_event_name=name)
    if not isinstance(event, _WITHOUT_MODEL):
        found["model"] = facts.model
    if not isinstance(event, _WITHOUT_MODE):
        found["permission_mode"] = "bypassPermissions" if facts.mode == MODE_ALL else "default"
    more = _MORE.get(type(event))
    return {**found, **(more(event) if more else {})}


def _cwd_of(event: Event, facts: SessionFacts) -> str:
    """A call may name the folder in which it runs. The hook itself runs in the session's."""
    if not isinstance(event, ours.ToolCall | ours.ToolResult):
        return facts.cwd
    folder = event.input.get(tool_names.words_of(event.tool, event.input).get(tool_names.FOLDER, ""))
    is_shell = tool_names.meaning_of(event.tool) == tool_names.SHELL
    return os.path.normpath(os.path.join(facts.cwd, folder)) if is_shell and isinstance(folder, str) else facts.cwd


def _call(event: ours.ToolCall) -> dict[str, Any]:
    tool, given = own_call(event.tool, event.input)
    return {"tool_name": tool, "tool_input": given, "tool_use_id": event.call_id}


def _asked(event: ours.PermissionAsked) -> dict[str, Any]:
    tool, given = own_call(event.tool, event.input)
    described = {_DESCRIBED: event.why} if event.why and set(given) == {COMMAND} and tool == "Bash" else {}
    return {"tool_name": tool, "tool_input": {**given, **described}}


def _result(event: ours.ToolResult) -> dict[str, Any]:
    tool, given = own_call(event.tool, event.input)
    response = event.details if event.details is not None else event.text
    if event.details is None and tool_names.mcp_parts(event.tool, event.server):
        response = {"content": list(event.content), "isError": event.is_error}
    return {"tool_name": tool, "tool_input": given, "tool_response": response, "tool_use_id": event.call_id}


def _stop(event: ours.SessionStop) -> dict[str, Any]:
    return {"stop_hook_active": event.stop_hook_active, "last_assistant_message": event.last_message or None}


def _subagent_stop(event: ours.SubagentStop) -> dict[str, Any]:
    found: dict[str, Any] = {"stop_hook_active": event.stop_hook_active}
    found.update(agent_id=event.agent_id, agent_type=event.agent)
    return {**found, "last_assistant_message": event.last_message or None}


_MORE: dict[type[Event], Callable[[Any], dict[str, Any]]] = {
    ours.ToolCall: _call,
    ours.PermissionAsked: _asked,
    ours.ToolResult: _result,
    ours.SessionBeforeCompact: lambda event: {"trigger": event.trigger},
    ours.SessionCompact: lambda event: {"trigger": event.trigger},
    ours.SessionStart: lambda event: {"source": source_of(event)},
    ours.SessionShutdown: lambda _: {"reason": END_REASON},
    ours.Input: lambda event: {"prompt": event.text},
    ours.SubagentStart: lambda event: {"agent_id": event.agent_id, "agent_type": event.agent},
    ours.SubagentStop: _subagent_stop,
    ours.SessionStop: _stop,
}
