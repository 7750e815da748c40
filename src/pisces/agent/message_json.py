"""A message as JSON, and back: one shape for the transcript and for `--output-format json`.

What is read may have been written by another version, or by anybody: fields that are unknown or of a wrong type are
left out, and so are parts of an unknown kind.
"""

from __future__ import annotations

from pisces.shapes.message import (
    BY_MODEL,
    BY_USER,
    CallPart,
    ChatMessage,
    ImagePart,
    ResultPart,
    TextPart,
    ThinkingPart,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.shapes.message import MessagePart

_KINDS: Mapping[str, type[Any]] = {
    "text": TextPart,
    "image": ImagePart,
    "thinking": ThinkingPart,
    "call": CallPart,
    "result": ResultPart,
}
_TYPES = {kind: name for name, kind in _KINDS.items()}
_NOT_TEXT = {"input": dict, "is_error": bool}  # all other fields but `parts` are text
_NEEDED = {
    name: dict.fromkeys((field for field in kind.__fields__ if field not in kind.__defaults__), "")
    for name, kind in _KINDS.items()
}
_FIELDS = {
    name: tuple((field, _NOT_TEXT.get(field, str)) for field in kind.__fields__ if field != "parts")
    for name, kind in _KINDS.items()
}


def json_of_message(message: ChatMessage) -> dict[str, Any]:
    made: dict[str, Any] = {"role": message.role, "parts": [_json_of(each) for each in message.parts]}
    return {**made, "wire": message.wire} if message.wire else made


def message_of_json(value: Mapping[str, Any]) -> ChatMessage:
    """Raises `ValueError` for what is no message."""
    if not isinstance(value, dict) or value.get("role") not in (BY_USER, BY_MODEL):
        raise ValueError("no message")
    wire = value.get("wire", "")
    return ChatMessage(value["role"], tuple(_parts_of(value.get("parts"))), wire if isinstance(wire, str) else "")


def _json_of(part: MessagePart) -> dict[str, Any]:
    """Fields that are empty are left out."""
    fields = {name: value for name, value in zip(type(part).__fields__, part.as_tuple(), strict=True) if value}
    if isinstance(part, ResultPart):
        fields["parts"] = [_json_of(each) for each in part.parts]
    return {"type": _TYPES[type(part)], **fields}


def _parts_of(values: object) -> Iterator[MessagePart]:
    for value in values if isinstance(values, list) else ():
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(kind, str) and kind in _KINDS:
            yield _part_of(kind, value)


def _part_of(kind: str, value: Mapping[str, Any]) -> MessagePart:
    if kind == "text" and len(value) == 2 and isinstance(value.get("text"), str):
        return TextPart(value["text"], "")  # most parts of most conversations
    fields: dict[str, Any] = dict(_NEEDED[kind])
    for name, wanted in _FIELDS[kind]:
        field = value.get(name)
        if isinstance(field, wanted):
            fields[name] = field
    if kind == "result":
        inner = _parts_of(value.get("parts"))
        fields["parts"] = tuple(each for each in inner if isinstance(each, TextPart | ImagePart))
    part: MessagePart = _KINDS[kind](**fields)
    return part
