"""What Claude Code writes to the stdin of a hook (2.1.325), field by field and in its order."""

from __future__ import annotations

import os
import re

from pisces.discovery import tool_names
from pisces.harnesses.claude.hook_events import own_call, reason_of, source_of
from pisces.shapes import events as ours
from pisces.shapes.session_facts import MODE_ALL, MODE_EDITS, MODE_PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.shapes.event import Event
    from pisces.shapes.session_facts import SessionFacts

MODES = {MODE_EDITS: "acceptEdits", MODE_PLAN: "plan", MODE_ALL: "bypassPermissions"}
_OF_TOOLS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionRequest")
WITH_EFFORT = frozenset((*_OF_TOOLS, "Stop", "SubagentStop"))
_WITH_MODE = frozenset((*WITH_EFFORT, "UserPromptSubmit", "UserPromptExpansion"))
_ORIGINS = {"user": "userSettings", "project": "projectSettings", "package": "plugin"}
_FILES = {**dict.fromkeys(("Read", "Write", "Edit", "MultiEdit"), "file_path"), "NotebookEdit": "notebook_path"}
_CHANGES = {"created": "add", "changed": "change", "deleted": "unlink"}


def payload_of(name: str, event: Event, facts: SessionFacts) -> dict[str, Any]:
    found: dict[str, Any] = {
        "session_id": facts.id,
        "transcript_path": transcript_of(facts),
        "cwd": facts.cwd,
    }
    if facts.prompt_id:
        found["prompt_id"] = facts.prompt_id
    if name in _WITH_MODE:
        found["permission_mode"] = MODES.get(facts.mode, "default")
    if isinstance(event, ours.SubagentStart | ours.SubagentStop):
        found.update(agent_id=event.agent_id, agent_type=event.agent)
    elif facts.agent_id:
        found.update(agent_id=facts.agent_id, agent_type=facts.agent)
    if name in WITH_EFFORT and facts.effort:
        found["effort"] = {"level": facts.effort}
    found["hook_event_name"] = name
    more = _MORE.get(type(event))
    return {**found, **(more(event, facts) if more else {})}


def transcript_of(facts: SessionFacts) -> str:
    if facts.transcript:
        return facts.transcript
    folder = re.sub(r"[^A-Za-z0-9]", "-", facts.workspace)
    return os.path.join(facts.home, ".claude", "projects", folder, f"{facts.id}.jsonl")


def shown_call(tool: str, given: Mapping[str, Any], facts: SessionFacts) -> tuple[str, Mapping[str, Any]]:
    """A call as its hooks see it: a file is named by its whole path, so that a guard need not know the folder."""
    own, shown = own_call(tool, given)
    key = _FILES.get(own, "")
    path = shown.get(key)
    if isinstance(path, str):
        shown = {**shown, key: _whole(path.strip(), facts)}
    return own, {**shown, "replace_all": False} if own == tool == "Edit" and "replace_all" not in shown else shown


def _whole(path: str, facts: SessionFacts) -> str:
    if path == "~" or path.startswith("~/"):
        path = facts.home + path[1:]
    return os.path.normpath(os.path.join(facts.cwd, path))


def _call(event: ours.ToolCall, facts: SessionFacts) -> dict[str, Any]:
    tool, given = shown_call(event.tool, event.input, facts)
    found = {"tool_name": tool, "tool_input": given, "tool_use_id": event.call_id}
    parts = tool_names.mcp_parts(tool)
    return {**found, "mcp_server": _server(parts[0])} if parts else found


def _result(event: ours.ToolResult, facts: SessionFacts) -> dict[str, Any]:
    tool, given = shown_call(event.tool, event.input, facts)
    found: dict[str, Any] = {"tool_name": tool, "tool_input": given}
    if event.is_error:
        found.update(tool_use_id=event.call_id, error=event.text, is_interrupt=False)
    else:
        found.update(tool_response=response_of(event), tool_use_id=event.call_id)
    found["duration_ms"] = event.duration_ms
    if event.server:
        found["mcp_server"] = _server(event.server)
    return found


def _server(name: str) -> dict[str, str]:
    return {"name": name, "source": "dynamic"}


def response_of(event: ours.ToolResult) -> Any:
    """The result in the tool's own shape. A shell of another program has the shape of `Bash`."""
    if event.details is not None:
        return event.details
    if tool_names.meaning_of(event.tool) == tool_names.SHELL:
        return {"stdout": event.text, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    return event.content


def _batch(event: ours.ToolBatch, _facts: SessionFacts) -> dict[str, Any]:
    return {"tool_calls": [_batched(call) for call in event.calls]}


def _batched(call: Any) -> dict[str, Any]:
    tool, given = own_call(str(call.get("tool", "")), call.get("input") or {})
    return {
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": call.get("call_id", ""),
        "tool_response": call.get("result"),
    }


def _asked(event: ours.PermissionAsked, facts: SessionFacts) -> dict[str, Any]:
    tool, given = shown_call(event.tool, event.input, facts)
    return {"tool_name": tool, "tool_input": given, "permission_suggestions": event.suggestions}


def _decided(event: ours.PermissionDecided, facts: SessionFacts) -> dict[str, Any]:
    tool, given = shown_call(event.tool, event.input, facts)
    return {"tool_name": tool, "tool_input": given, "reason": event.why}


def _expansion(event: ours.PromptExpansion, _facts: SessionFacts) -> dict[str, Any]:
    return {
        "expansion_type": event.kind or "slash_command",
        "command_name": event.command,
        "command_args": event.args,
        "command_source": _ORIGINS.get(event.source, event.source),
        "prompt": event.prompt,
    }


def _start(event: ours.SessionStart, facts: SessionFacts) -> dict[str, Any]:
    found = {"source": source_of(event)}
    return {**found, "model": facts.model} if event.cause == "compact" and facts.model else found


def _stop(event: ours.SessionStop, _facts: SessionFacts) -> dict[str, Any]:
    return {"stop_hook_active": event.stop_hook_active, "last_assistant_message": event.last_message, **_IDLE}


def _subagent_stop(event: ours.SubagentStop, facts: SessionFacts) -> dict[str, Any]:
    own = os.path.join(os.path.splitext(transcript_of(facts))[0], "subagents", f"agent-{event.agent_id}.jsonl")
    return {
        "stop_hook_active": event.stop_hook_active,
        "agent_transcript_path": event.transcript or own,
        "last_assistant_message": event.last_message,
        **_IDLE,
    }


def _model_switch(event: ours.BeforeModelSwitch, _facts: SessionFacts) -> dict[str, Any]:
    return {
        "from_model": event.previous_model,
        "to_model": event.model,
        "requested_model": event.requested or event.model,
        "source": event.source,
        **event.cost,
    }


def _displayed(event: ours.MessageEnd, facts: SessionFacts) -> dict[str, Any]:
    message = event.message if isinstance(event.message, dict) else {"text": event.message}
    found = {"turn_id": facts.turn_id, "message_id": message.get("id", ""), "index": message.get("index", 0)}
    return {**found, "final": True, "delta": _text_of(message.get("text", message.get("content", "")))}


def _text_of(content: Any) -> str:
    if isinstance(content, list | tuple):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


_IDLE: dict[str, Any] = {"background_tasks": (), "session_crons": ()}

_MORE: dict[type[Event], Callable[[Any, SessionFacts], dict[str, Any]]] = {
    ours.ToolCall: _call,
    ours.ToolResult: _result,
    ours.ToolBatch: _batch,
    ours.PermissionAsked: _asked,
    ours.PermissionDecided: _decided,
    ours.Input: lambda event, _: {"prompt": event.text},
    ours.PromptExpansion: _expansion,
    ours.SessionStart: _start,
    ours.SessionShutdown: lambda event, _: {"reason": reason_of(event)},
    ours.SessionStop: _stop,
    ours.StopFailed: lambda event, _: (
        {"error": event.kind, "error_details": event.error} | {"last_assistant_message": event.last_message}
    ),
    ours.SubagentStop: _subagent_stop,
    ours.SessionBeforeCompact: lambda event, _: (
        {"trigger": event.trigger} | {"custom_instructions": event.instructions or None}
    ),
    ours.SessionCompact: lambda event, _: {"trigger": event.trigger, "compact_summary": event.summary},
    ours.BeforeModelSwitch: _model_switch,
    ours.ModelSelect: lambda event, _: (
        {"from_model": event.previous_model, "to_model": event.model} | {"source": event.source}
    ),
    ours.MessageEnd: _displayed,
    ours.CwdChanged: lambda event, _: {"old_cwd": event.old_cwd, "new_cwd": event.new_cwd},
    ours.InstructionsLoaded: lambda event, _: (
        {"file_path": event.path, "memory_type": event.kind.capitalize()} | {"load_reason": event.cause}
    ),
    ours.Notification: lambda event, _: (
        {"message": event.message, "title": event.title} | {"notification_type": event.kind}
    ),
    ours.ConfigChange: lambda event, _: {"source": event.source, "file_path": event.path},
    ours.DirectoryAdded: lambda event, _: {"directory": event.path},
    ours.FileChanged: lambda event, _: {"file_path": event.path, "event": _CHANGES.get(event.change, event.change)},
    ours.WorktreeCreate: lambda event, _: {"name": event.name},
    ours.WorktreeRemove: lambda event, _: {"worktree_path": event.path},
    ours.Elicitation: lambda event, _: (
        {"mcp_server_name": event.server, "message": event.message} | {"requested_schema": event.schema}
    ),
    ours.ElicitationResult: lambda event, _: (
        {"mcp_server_name": event.server, "action": event.action} | {"content": event.content}
    ),
    ours.TaskCreated: lambda event, _: _task(event),
    ours.TaskCompleted: lambda event, _: _task(event),
    ours.TeammateIdle: lambda event, _: {"teammate_name": event.teammate, "team_name": event.team},
    ours.Setup: lambda event, _: {"trigger": event.cause},
}


def _task(event: ours.TaskCreated | ours.TaskCompleted) -> dict[str, Any]:
    return {
        "task_id": event.task_id,
        "task_subject": event.subject,
        "task_description": event.description,
        "teammate_name": event.teammate,
        "team_name": event.team,
    }
