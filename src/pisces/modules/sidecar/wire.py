"""Events as pi and omp spell them, and what their handlers return made into a changed copy of ours.

Both dialects are understood in every answer: `{action: "transform"}` and `{text}`, `{block}` and `{decision: "block"}`,
fork and branch. What a handler changed in place counts too, where pi lets it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pisces.shapes.event import Blockable, Cancellable, Event, Guarded
from pisces.shapes.events import (
    EVENTS as EVERY,
    agent,
    compaction,
    mcp,
    permissions,
    provider,
    session,
    surroundings,
    tools,
)

_CAUSE = {"cause": "reason"}
_PREVIOUS = {"previous_session": "previousSessionFile"}
_TARGET = {"target_session": "targetSessionFile"}
_TOOL = {"tool": "toolName", "call_id": "toolCallId"}
_SHELL = {"cwd": "cwd", "exclude_from_context": "excludeFromContext"}

# What of each event is said, and by which name, where pi and omp have the event.
_THEIRS: Mapping[type[Event], Mapping[str, str]] = {
    session.SessionStart: {**_CAUSE, **_PREVIOUS},
    session.SessionShutdown: {**_CAUSE, **_TARGET},
    session.SessionBeforeSwitch: {**_CAUSE, **_TARGET},
    session.SessionSwitch: {**_CAUSE, **_PREVIOUS},
    session.SessionBeforeFork: {"entry_id": "entryId", "position": "position"},
    session.SessionFork: _PREVIOUS,
    session.SessionBeforeTree: {"preparation": "preparation"},
    session.SessionTree: {
        "new_leaf": "newLeafId",
        "old_leaf": "oldLeafId",
        "summary_entry": "summaryEntry",
        "from_module": "fromExtension",
    },
    session.SessionStop: {name: name for name in ("messages", "turn_id", "session_id", "stop_hook_active")},
    session.SessionRenamed: {"name": "name"},
    session.SessionDirectory: {"cwd": "cwd"},
    agent.Input: {"text": "text", "images": "images", "source": "source"},
    agent.BeforeAgentStart: {"prompt": "prompt", "images": "images", "system_prompt": "systemPrompt"},
    agent.AgentStart: {},
    agent.AgentEnd: {"messages": "messages", "will_continue": "willContinue"},
    agent.AgentSettled: {},
    agent.TurnStart: {"turn_index": "turnIndex", "timestamp": "timestamp"},
    agent.TurnEnd: {"turn_index": "turnIndex", "message": "message", "tool_results": "toolResults"},
    agent.MessageStart: {"message": "message"},
    agent.MessageUpdate: {"message": "message", "delta": "assistantMessageEvent"},
    agent.MessageEnd: {"message": "message"},
    provider.Context: {"messages": "messages"},
    provider.BeforeProviderRequest: {"payload": "payload"},
    provider.BeforeProviderHeaders: {"headers": "headers"},
    provider.AfterProviderResponse: {"status": "status", "headers": "headers"},
    provider.ModelSelect: {"model": "model", "previous_model": "previousModel", "source": "source"},
    provider.ThinkingLevelSelect: {"level": "level", "previous_level": "previousLevel"},
    provider.CredentialDisabled: {"provider": "provider", "cause": "disabledCause"},
    provider.AutoRetryStart: {"attempt": "attempt", "delay": "delayMs", "error": "errorMessage"},
    provider.AutoRetryEnd: {"attempt": "attempt", "success": "success", "error": "finalError"},
    tools.ToolCall: {**_TOOL, "input": "input"},
    tools.ToolResult: {**_TOOL, "input": "input", "content": "content", "details": "details", "is_error": "isError"},
    tools.ToolExecutionStart: {**_TOOL, "args": "args"},
    tools.ToolExecutionUpdate: {**_TOOL, "args": "args", "partial_result": "partialResult"},
    tools.ToolExecutionEnd: {**_TOOL, "result": "result", "is_error": "isError"},
    permissions.ToolApprovalRequested: {**_TOOL, "reason": "reason"},
    permissions.ToolApprovalResolved: {**_TOOL, "approved": "approved"},
    compaction.SessionBeforeCompact: {
        "preparation": "preparation",
        "entries": "branchEntries",
        "instructions": "customInstructions",
    },
    compaction.SessionCompacting: {"session_id": "sessionId", "messages": "messages"},
    compaction.SessionCompact: {"entry": "compactionEntry", "from_module": "fromExtension"},
    compaction.AutoCompactionStart: _CAUSE,
    compaction.AutoCompactionEnd: {"result": "result", "aborted": "aborted"},
    surroundings.UserShell: {"command": "command", **_SHELL},
    surroundings.UserPython: {"code": "code", **_SHELL},
    surroundings.ResourcesDiscover: {"cwd": "cwd", **_CAUSE},
    mcp.McpNotification: {"server": "server", "method": "method", "params": "params"},
    surroundings.TodoReminder: {"todos": "todos"},
    surroundings.GoalUpdated: {"goal": "goal"},
}


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# Events that are only ours have all their fields, in the spelling of JavaScript.
_OURS = [kind for kind in EVERY if kind not in _THEIRS and kind is not surroundings.ModuleFailed]
SAID: Mapping[type[Event], Mapping[str, str]] = {
    **_THEIRS,
    **{kind: {field: camel(field) for field in kind.__fields__ if field != "notes"} for kind in _OURS},
}

# omp says branch where pi says fork.
EVENTS: Mapping[str, type[Event]] = {
    **{kind.NAME: kind for kind in SAID},
    "session_before_branch": session.SessionBeforeFork,
    "session_branch": session.SessionFork,
}

# Events of theirs that nothing here ever causes: listening to them is fine, and nothing comes of it.
NEVER_SENT = frozenset(("retry_fallback_applied", "retry_fallback_succeeded", "ttsr_triggered"))

_LEFT_OUT_WHEN_EMPTY = frozenset(
    ("previousSessionFile", "targetSessionFile", "images", "customInstructions", "summaryEntry", "previousModel")
)

_MILLISECONDS = frozenset(("delayMs", "timestamp"))


def said(event: Event, name: str) -> dict[str, Any]:
    """The event as JSON, under the name that the handler listens to."""
    spelled: dict[str, Any] = {"type": name}
    for field, wire_name in SAID[type(event)].items():
        value = getattr(event, field)
        if value or wire_name not in _LEFT_OUT_WHEN_EMPTY:
            spelled[wire_name] = int(value * 1000) if wire_name in _MILLISECONDS else value
    return spelled


def heard(event: Event, value: Any, changed: Mapping[str, Any]) -> Event | None:
    """The changed copy that a handler's answer asks for; None where it asks for nothing."""
    _refuse_nonsense(event, value)
    after = event.replace(**{_field(event, name): new for name, new in changed.items()}) if changed else event
    if isinstance(event, provider.BeforeProviderRequest):
        return after.replace(payload=value) if value is not None else _unless_same(after, event)
    if isinstance(value, Mapping):
        answered = _ANSWERS.get(type(event)) or _own_event
        after = answered(after, value)
    return _unless_same(after, event)


def _refuse_nonsense(event: Event, value: Any) -> None:
    """A guard whose answer means nothing has not judged. A block where nothing can be blocked is a mistake."""
    if not isinstance(event, Guarded):
        stops = isinstance(value, Mapping) and (value.get("block") is True or value.get("decision") == "block")
        if stops and not isinstance(event, Blockable) and not set(value) - _STOPS:
            raise TypeError(f"returned `block`, but `{event.NAME}` cannot be blocked: listen to `tool_call`")
        return
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"returned {type(value).__name__}: {_GUARDS}")
    acts = {"block": bool, "decision": str, **({"input": Mapping} if isinstance(event, tools.ToolCall) else {})}
    wrong = [name for name, kind in acts.items() if not isinstance(value.get(name), kind | None)]
    known = {*acts, "reason", *SAID[type(event)].values()}
    if not wrong and not set(value) & set(acts):
        wrong = [name for name in value if name not in known]
    if not wrong and value.get("decision") not in (None, "block", "allow", "approve"):
        wrong = ["decision"]
    if wrong:
        raise TypeError(f"returned `{wrong[0]}: {value[wrong[0]]}`, which means nothing: {_GUARDS}"[:300])


_STOPS = {"block", "decision", "reason"}
_GUARDS = "a guard returns { block: true, reason }, { input }, or nothing"


def _unless_same(after: Event, before: Event) -> Event | None:
    return None if after is before else after


def _field(event: Event, wire_name: str) -> str:
    return next(field for field, name in SAID[type(event)].items() if name == wire_name)


def _own_event(event: Event, answer: Mapping[str, Any]) -> Event:
    """An answer to an event that pi and omp do not have: fields by name, a block, a cancellation."""
    if type(event) in _THEIRS:
        return event
    names = {name: field for field, name in SAID[type(event)].items()}
    changes = {names[name]: value for name, value in answer.items() if name in names}
    after = event.replace(**changes) if changes else event
    if isinstance(after, Blockable) and (answer.get("block") or answer.get("decision") == "block"):
        return after.block(str(answer.get("reason") or tools.BLOCKED))
    return _cancellable(after, answer) if isinstance(after, Cancellable) else after


def _cancellable(event: Cancellable, answer: Mapping[str, Any]) -> Cancellable:
    return event.cancel(str(answer.get("reason") or "")) if answer.get("cancel") else event


def _fork(event: session.SessionBeforeFork, answer: Mapping[str, Any]) -> Event:
    if answer.get("skipConversationRestore") and not answer.get("cancel"):
        return event.replace(skip_restore=True)
    return _cancellable(event, answer)


def _tree(event: session.SessionBeforeTree, answer: Mapping[str, Any]) -> Event:
    if answer.get("cancel"):
        return event.cancel(str(answer.get("reason") or ""))
    wanted = {name: answer[name] for name in ("customInstructions", "replaceInstructions", "label") if name in answer}
    changes: dict[str, Any] = {"preparation": {**event.preparation, **wanted}} if wanted else {}
    if answer.get("summary"):
        changes["summary"] = answer["summary"]
    return event.replace(**changes) if changes else event


def _compact(event: compaction.SessionBeforeCompact, answer: Mapping[str, Any]) -> Event:
    if answer.get("cancel"):
        return event.cancel(str(answer.get("reason") or ""))
    return event.replace(compaction=answer["compaction"]) if answer.get("compaction") else event


def _compacting(event: compaction.SessionCompacting, answer: Mapping[str, Any]) -> Event:
    changes: dict[str, Any] = {}
    if isinstance(answer.get("context"), Sequence):
        changes["context"] = (*event.context, *answer["context"])
    if answer.get("prompt"):
        changes["prompt"] = answer["prompt"]
    return event.replace(**changes) if changes else event


def _stop(event: session.SessionStop, answer: Mapping[str, Any]) -> Event:
    reason = str(answer.get("reason") or answer.get("additionalContext") or "")
    if answer.get("decision") == "block":
        return event.block(reason)
    if answer.get("continue") and reason and not event.goes_on:
        return event.replace(goes_on=True, reason=reason)
    return event


def _directory(event: session.SessionDirectory, answer: Mapping[str, Any]) -> Event:
    folder = answer.get("sessionDir") or answer.get("directory")
    return event.replace(folder=folder) if isinstance(folder, str) else event


def _input(event: agent.Input, answer: Mapping[str, Any]) -> Event:
    if answer.get("action") == "handled" or answer.get("handled"):
        return event.handle()
    if answer.get("action") == "continue":
        return event
    changes = {name: answer[name] for name in ("text", "images") if answer.get(name) is not None}
    return event.replace(**changes) if changes else event


def _before_agent(event: agent.BeforeAgentStart, answer: Mapping[str, Any]) -> Event:
    after = event
    prompt = answer.get("systemPrompt")
    if isinstance(prompt, str):
        after = after.replace(system_prompt=prompt)
    elif isinstance(prompt, Sequence):
        after = after.replace(system_prompt="\n\n".join(str(part) for part in prompt))
    if isinstance(answer.get("systemPromptAppend"), str):  # as earlier versions of both have it
        after = after.replace(system_prompt=f"{after.system_prompt}\n\n{answer['systemPromptAppend'].strip()}")
    if isinstance(answer.get("message"), Mapping):
        after = after.with_message(answer["message"])
    return after


def _message_end(event: agent.MessageEnd, answer: Mapping[str, Any]) -> Event:
    """The role stays: pi refuses a message that pretends to be somebody else's."""
    new, old = answer.get("message"), event.message
    if not isinstance(new, Mapping):
        return event
    same = not isinstance(old, Mapping) or new.get("role") == old.get("role")
    return event.replace(message=new) if same else event


def _context(event: provider.Context, answer: Mapping[str, Any]) -> Event:
    return event.replace(messages=answer["messages"]) if isinstance(answer.get("messages"), Sequence) else event


def _headers(event: provider.BeforeProviderHeaders, answer: Mapping[str, Any]) -> Event:
    headers = answer.get("headers")
    return event.replace(headers=headers) if isinstance(headers, Mapping) else event


def _tool_call(event: tools.ToolCall, answer: Mapping[str, Any]) -> Event:
    """A reason alone changes nothing: what an earlier handler did to the input stays."""
    after = event.replace(input=answer["input"]) if isinstance(answer.get("input"), Mapping) else event
    if answer.get("block") or answer.get("decision") == "block":
        return after.block(str(answer.get("reason") or tools.BLOCKED))
    return after


def _tool_result(event: tools.ToolResult, answer: Mapping[str, Any]) -> Event:
    changes: dict[str, Any] = {}
    content = answer.get("content")
    if isinstance(content, str):
        changes["content"] = ({"type": "text", "text": content},)
    elif isinstance(content, Sequence):
        changes["content"] = content
    if answer.get("details") is not None:
        changes["details"] = answer["details"]
    if isinstance(answer.get("isError"), bool):
        changes["is_error"] = answer["isError"]
    return event.replace(**changes) if changes else event


def _result(event: Event, answer: Mapping[str, Any]) -> Event:
    return event.replace(result=answer["result"]) if answer.get("result") is not None else event


def _resources(event: surroundings.ResourcesDiscover, answer: Mapping[str, Any]) -> Event:
    skills, prompts, themes = (answer.get(name) or () for name in ("skillPaths", "promptPaths", "themePaths"))
    return event.adding(skills=skills, prompts=prompts, themes=themes) if skills or prompts or themes else event


_ANSWERS: Mapping[type[Event], Callable[[Any, Mapping[str, Any]], Event]] = {
    session.SessionBeforeSwitch: _cancellable,
    session.SessionBeforeFork: _fork,
    session.SessionBeforeTree: _tree,
    session.SessionStop: _stop,
    session.SessionDirectory: _directory,
    compaction.SessionBeforeCompact: _compact,
    compaction.SessionCompacting: _compacting,
    agent.Input: _input,
    agent.BeforeAgentStart: _before_agent,
    agent.MessageEnd: _message_end,
    provider.Context: _context,
    provider.BeforeProviderHeaders: _headers,
    tools.ToolCall: _tool_call,
    tools.ToolResult: _tool_result,
    surroundings.UserShell: _result,
    surroundings.UserPython: _result,
    surroundings.ResourcesDiscover: _resources,
}
