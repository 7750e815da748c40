"""Reads recorded events: our own as JSON lines, and what hooks of Claude Code, Codex and Gemini CLI got on stdin."""

from __future__ import annotations

import json

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.files import Unreadable, read_text
from pisces.shapes.events import (
    Input,
    SessionBeforeCompact,
    SessionShutdown,
    SessionStart,
    SessionStop,
    ToolCall,
    ToolResult,
    event_named,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.shapes.event import Event

RECORDED_EVENT = Rule("recorded-event", ERROR, "A recorded event cannot be read")
_NAME = "hook_event_name"


def recorded_events(path: str) -> tuple[list[tuple[int, Event]], list[Diagnostic]]:
    """Each event with its line, and the lines that are none. Raises `PiscesError` for a file that cannot be read."""
    try:
        lines = read_text(path).splitlines()
    except Unreadable as error:
        raise PiscesError(RECORDED_EVENT.at(path, f"the file {error.message}")) from None
    events, problems = list[tuple[int, "Event"]](), list[Diagnostic]()
    for number, line in enumerate(lines, 1):
        made = _event(line, path, number) if line.strip() else None
        if isinstance(made, Diagnostic):
            problems.append(made)
        elif made is not None:
            events.append((number, made))
    return events, problems


def _event(line: str, path: str, number: int) -> Event | Diagnostic:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _refused(path, number, f"this is not JSON: {error}")
    if isinstance(value, dict) and isinstance(value.get("stdin"), dict):
        value = value["stdin"]
    if not isinstance(value, dict):
        return _refused(path, number, "an event is a JSON object")
    try:
        return hook_event(value) if _NAME in value else _own_event(value)
    except (KeyError, TypeError, LookupError) as error:
        return _refused(path, number, f"the event cannot be made: {error}")


def _own_event(value: dict[str, Any]) -> Event:
    kind = event_named(str(value.pop("event", "")))
    if kind is None:
        raise LookupError(f"a line has `event` with a name of ours, or `{_NAME}`")
    usual = {"call_id": "replayed"} if "call_id" in kind.__fields__ else {}
    return kind(**{**usual, **value})


def is_hook_event(name: str) -> bool:
    """Whether a hook of Claude Code, Codex or Gemini CLI knows an event by this name, and it can be fired here."""
    return name in _MADE


def hook_event(value: Mapping[str, Any]) -> Event:
    """What a hook got on stdin, as our event. Raises `LookupError` where a field is missing."""
    make = _MADE.get(str(value[_NAME]))
    if make is None:
        raise LookupError(f"`{value[_NAME]}` cannot be replayed; {', '.join(_MADE)} can")
    return make(value)


def _call(value: Mapping[str, Any]) -> Event:
    return ToolCall(str(value["tool_name"]), str(value.get("tool_use_id", "replayed")), value["tool_input"])


def _result(value: Mapping[str, Any]) -> Event:
    response = value.get("tool_response", value.get("error", ""))
    content = ({"type": "text", "text": response if isinstance(response, str) else json.dumps(response)},)
    call = str(value["tool_name"]), str(value.get("tool_use_id", "replayed")), value["tool_input"]
    return ToolResult(*call, content, response, is_error="error" in value)


_MADE: Mapping[str, Callable[[Mapping[str, Any]], Event]] = {
    "PreToolUse": _call,
    "BeforeTool": _call,
    "PermissionRequest": _call,
    "PostToolUse": _result,
    "PostToolUseFailure": _result,
    "AfterTool": _result,
    "UserPromptSubmit": lambda value: Input(str(value["prompt"])),
    "BeforeAgent": lambda value: Input(str(value["prompt"])),
    "SessionStart": lambda value: SessionStart(str(value.get("source", "startup"))),
    "SessionEnd": lambda value: SessionShutdown(str(value.get("reason", "quit"))),
    "Stop": lambda value: SessionStop(last_message=str(value.get("last_assistant_message", ""))),
    "AfterAgent": lambda value: SessionStop(last_message=str(value.get("prompt_response", ""))),
    "PreCompact": lambda value: SessionBeforeCompact(trigger=str(value.get("trigger", "manual"))),
    "PreCompress": lambda value: SessionBeforeCompact(trigger=str(value.get("trigger", "auto"))),
}


def _refused(path: str, number: int, message: str) -> Diagnostic:
    hint = 'a line is `{"event": "tool_call", ...}`, or what a hook got on stdin'
    return RECORDED_EVENT.at(path, message, place=(number, 1), hint=hint)
