"""What Gemini CLI writes to the stdin of a hook (0.61.0), field by field and in its order."""

from __future__ import annotations

from datetime import UTC, datetime

from pisces.discovery import tool_names
from pisces.harnesses.gemini.hook_matchers import own_call, reason_of, source_of
from pisces.shapes import events as ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.shapes.event import Event
    from pisces.shapes.session_facts import SessionFacts

_SETTINGS = ("temperature", "maxOutputTokens", "topP", "topK")
_ROLES = ("model", "system")


def payload_of(name: str, event: Event, facts: SessionFacts) -> dict[str, Any]:
    found = {
        "session_id": facts.id,
        "transcript_path": facts.transcript,
        "cwd": facts.cwd,
        "hook_event_name": name,
        "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    more = _MORE.get(type(event))
    return {**found, **(more(event) if more else {})}


def _call(event: ours.ToolCall) -> dict[str, Any]:
    tool, given = own_call(event.tool, event.input)
    return {"tool_name": tool, "tool_input": given, **_server(event.tool, "")}


def _result(event: ours.ToolResult) -> dict[str, Any]:
    tool, given = own_call(event.tool, event.input)
    found = {"tool_name": tool, "tool_input": given, "tool_response": _response(event)}
    found.update(_server(event.tool, event.server))
    if event.instead_of:
        found["original_request_name"] = own_call(event.instead_of, {})[0]
    return found


def _response(event: ours.ToolResult) -> Any:
    if isinstance(event.details, dict) and "llmContent" in event.details:
        return event.details
    shown = "" if event.details is None else event.details
    error = {"error": {"message": event.text}} if event.is_error else {}
    return {"llmContent": event.text, "returnDisplay": shown, **error}


def _server(tool: str, server: str) -> dict[str, Any]:
    parts = tool_names.mcp_parts(tool, server)
    return {"mcp_context": {"server_name": parts[0], "tool_name": parts[1]}} if parts else {}


def _asked(event: ours.PermissionAsked) -> dict[str, Any]:
    """Gemini CLI tells hooks of each question. They cannot answer it."""
    tool, given = own_call(event.tool, event.input)
    meaning = tool_names.meaning_of(tool)
    details: dict[str, Any] = {"type": "info", "title": tool}
    if meaning == tool_names.SHELL:
        line = str(given.get("command", ""))
        details.update(type="exec", command=line, rootCommand=(line.split() or [""])[0])
    elif meaning in (tool_names.WRITE, tool_names.EDIT):
        path = str(given.get("file_path", ""))
        details.update(type="edit", fileName=path.rpartition("/")[2], filePath=path)
    elif tool_names.mcp_parts(event.tool):
        details.update(type="mcp", **_mcp_details(event.tool))
    wanted = {"exec": "execution", "edit": "editing", "mcp": "MCP", "info": "information"}[details["type"]]
    message = f"Tool {details['title']} requires {wanted}"
    return {"notification_type": "ToolPermission", "message": message, "details": details}


def _mcp_details(tool: str) -> dict[str, str]:
    server, name = tool_names.mcp_parts(tool) or ("", tool)
    return {"serverName": server, "toolName": name, "toolDisplayName": name}


def _request(request: Mapping[str, Any]) -> dict[str, Any]:
    config = request.get("config")
    settings = config if isinstance(config, dict) else {}
    return {
        "model": request.get("model", ""),
        "messages": [_message(each) for each in request.get("messages") or () if isinstance(each, dict)],
        "config": {name: settings[name] for name in _SETTINGS if settings.get(name) is not None},
    }


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    role = message.get("role")
    role = {"assistant": "model"}.get(str(role), role)
    return {"role": role if role in _ROLES else "user", "content": text_of(message.get("content", ""))}


def text_of(content: Any) -> str:
    if isinstance(content, list | tuple):
        return "".join(map(text_of, content))
    return str(content.get("text", "")) if isinstance(content, dict) else str(content)


def _answer(response: Any) -> Any:
    if isinstance(response, dict) and "candidates" in response:
        return response
    text = text_of(response.get("content", response.get("text", "")) if isinstance(response, dict) else response)
    candidate = {"content": {"role": "model", "parts": [text]}, "finishReason": "STOP", "index": 0}
    return {"text": text, "candidates": [candidate]}


def _stop(event: ours.SessionStop) -> dict[str, Any]:
    response = event.last_message or "[no response text]"
    return {"prompt": event.prompt, "prompt_response": response, "stop_hook_active": event.stop_hook_active}


_MORE: dict[type[Event], Callable[[Any], dict[str, Any]]] = {
    ours.ToolCall: _call,
    ours.ToolResult: _result,
    ours.PermissionAsked: _asked,
    ours.Notification: lambda event: (
        {"notification_type": event.kind, "message": event.message}
        | {"details": {"type": "info", "title": event.title}}
    ),
    ours.Input: lambda event: {"prompt": event.text},
    ours.SessionStop: _stop,
    ours.BeforeModel: lambda event: {"llm_request": _request(event.request)},
    ours.BeforeToolSelection: lambda event: {"llm_request": _request(event.request)},
    ours.AfterModel: lambda event: {"llm_request": _request(event.request), "llm_response": _answer(event.response)},
    ours.SessionStart: lambda event: {"source": source_of(event)},
    ours.SessionShutdown: lambda event: {"reason": reason_of(event)},
    ours.SessionBeforeCompact: lambda event: {"trigger": event.trigger},
}
