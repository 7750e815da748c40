"""An event of a session as one JSON object: `type` is the event's name, the rest are its fields.

What grows while a model answers has names of its own: `text_delta`, `thinking_delta` and `call_delta`. Events that
repeat the whole conversation, or that have headers of a request in them, are for handlers: they are no lines.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from pisces.agent.message_json import json_of_message
from pisces.models.wire import CallDelta, TextDelta, ThinkingDelta
from pisces.shapes.event import Event
from pisces.shapes.events.agent import AgentEnd, BeforeAgentStart, MessageUpdate, TurnEnd
from pisces.shapes.events.provider import (
    AfterModel,
    AfterProviderResponse,
    BeforeModel,
    BeforeProviderHeaders,
    BeforeProviderRequest,
    BeforeToolSelection,
    Context,
)
from pisces.shapes.events.session import SessionStop
from pisces.shapes.message import ChatMessage
from pisces.value import Value

_DELTAS: Mapping[type[Value], str] = {
    TextDelta: "text_delta",
    ThinkingDelta: "thinking_delta",
    CallDelta: "call_delta",
}
_FOR_HANDLERS = (
    BeforeAgentStart,
    Context,
    BeforeModel,
    BeforeToolSelection,
    AfterModel,
    BeforeProviderRequest,
    BeforeProviderHeaders,
    AfterProviderResponse,
)
_SAID_BEFORE: Mapping[type[Event], tuple[str, ...]] = {
    TurnEnd: ("message", "tool_results"),
    AgentEnd: ("messages",),
    SessionStop: ("messages", "last_message", "prompt"),
}
_DEEPEST = 50


def event_json(event: Event) -> dict[str, Any] | None:
    """None for an event that is no line."""
    if isinstance(event, _FOR_HANDLERS):
        return None
    if isinstance(event, MessageUpdate) and type(event.delta) in _DELTAS:
        return {"type": _DELTAS[type(event.delta)], **_fields(event.delta, 0)}
    fields = _fields(event, 0)
    for name in _SAID_BEFORE.get(type(event), ()):
        del fields[name]
    return {"type": event.NAME, **fields}


def _fields(value: Value, depth: int) -> dict[str, Any]:
    return {name: _plain(each, depth) for name, each in zip(value.__fields__, value.as_tuple(), strict=True)}


def _plain(value: Any, depth: int) -> Any:
    """What no reader of JSON knows becomes text. So does what is nested deeper than anybody reads."""
    if value is None or isinstance(value, str | int | float):
        return value
    if depth > _DEEPEST:
        return str(type(value).__name__)
    if isinstance(value, ChatMessage):
        return json_of_message(value)
    if isinstance(value, Value):
        return _fields(value, depth + 1)
    if isinstance(value, Mapping):
        return {str(key): _plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Sequence | set | frozenset):
        return [_plain(each, depth + 1) for each in value]
    return str(value)
