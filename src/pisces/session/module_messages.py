"""Messages as modules know them, and back: `role` is user, assistant or toolResult, `content` a text or parts.

What only the provider that wrote a part understands goes along under names of our own, so that a message that a module
hands back unchanged is the same message. Each result of a tool is a message of its own there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pisces.models.wire import CallDelta, TextDelta, ThinkingDelta
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

if TYPE_CHECKING:
    from pisces.shapes.message import MessagePart

ASSISTANT, USER, RESULT = "assistant", "user", "toolResult"

# Our fields of a part under the names that modules know, in the order of the class.
_FIELDS: Mapping[type[Any], tuple[str, tuple[str, ...]]] = {
    TextPart: ("text", ("text", "textSignature")),
    ImagePart: ("image", ("mimeType", "data")),
    ThinkingPart: ("thinking", ("thinking", "thinkingSignature", "hidden", "item")),
    CallPart: ("toolCall", ("id", "name", "arguments", "malformed", "thoughtSignature", "item")),
}
_CLASSES = {name: (kind, fields) for kind, (name, fields) in _FIELDS.items()}
_ALWAYS = frozenset(("text", "thinking", "arguments", "id", "name", "data", "mimeType"))


def module_messages(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    return [made for each in messages for made in spelled(each)]


def spelled(message: ChatMessage) -> list[dict[str, Any]]:
    """One message, or one for each result of a tool in it and one for the rest."""
    made = [_result(part) for part in message.parts if isinstance(part, ResultPart)]
    content = [_part(part) for part in message.parts if not isinstance(part, ResultPart)]
    if content or not made:
        role = ASSISTANT if message.role == BY_MODEL else USER
        made.append({"role": role, "content": content, **({"wire": message.wire} if message.wire else {})})
    return made


def chat_messages(messages: Any) -> tuple[ChatMessage, ...]:
    """What of it is a message. Results that follow each other are one message, as they were."""
    found: list[ChatMessage] = []
    for each in messages if isinstance(messages, Sequence) and not isinstance(messages, str) else ():
        made = chat_message(each)
        if made is None:
            continue
        if found and _is_results(made) and _is_results(found[-1]):
            made = _joined(found.pop(), made)
        found.append(made)
    return tuple(found)


def chat_message(message: Any) -> ChatMessage | None:
    """None for what is no message, or is empty."""
    if isinstance(message, ChatMessage):
        return message
    if not isinstance(message, Mapping):
        return None
    if message.get("role") == RESULT:
        call, name = str(message.get("toolCallId", "")), str(message.get("toolName", ""))
        inside = tuple(part for part in _parts(message) if isinstance(part, TextPart | ImagePart))
        result = ResultPart(call, name, inside, is_error=bool(message.get("isError")))
        return ChatMessage(BY_USER, (result,))
    parts = _parts(message)
    role = BY_MODEL if message.get("role") in (ASSISTANT, BY_MODEL) else BY_USER
    return ChatMessage(role, parts, str(message.get("wire", ""))) if parts else None


def module_delta(delta: Any) -> Any:
    """What the model writes now, as modules know it."""
    if isinstance(delta, TextDelta):
        return {"type": "text_delta", "delta": delta.text}
    if isinstance(delta, ThinkingDelta):
        return {"type": "thinking_delta", "delta": delta.text}
    if isinstance(delta, CallDelta):
        return {"type": "toolcall_delta", "delta": delta.text, "id": delta.id, "name": delta.name}
    return delta


def text_in(content: Any) -> str:
    """The text of a content, of a message or of a response in any of the shapes that hooks and modules use."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "".join(map(text_in, content))
    if not isinstance(content, Mapping):
        return ""
    inner = next((content[name] for name in ("candidates", "content", "parts", "text") if content.get(name)), "")
    return text_in(inner[:1] if "candidates" in content and isinstance(inner, Sequence) else inner)


def _is_results(message: ChatMessage) -> bool:
    return bool(message.parts) and all(isinstance(part, ResultPart) for part in message.parts)


def _joined(one: ChatMessage, other: ChatMessage) -> ChatMessage:
    return one.replace(parts=(*one.parts, *other.parts))


def _result(part: ResultPart) -> dict[str, Any]:
    return {
        "role": RESULT,
        "toolCallId": part.id,
        "toolName": part.name,
        "content": [_part(each) for each in part.parts],
        "isError": part.is_error,
    }


def _part(part: MessagePart) -> dict[str, Any]:
    name, fields = _FIELDS[type(part)]
    values = zip(fields, part.as_tuple(), strict=True)
    return {"type": name, **{field: value for field, value in values if value or field in _ALWAYS}}


def _parts(message: Mapping[str, Any]) -> tuple[Any, ...]:
    content = message.get("content", "")
    if isinstance(content, str):
        return (TextPart(content),) if content else ()
    found = (_part_of(each) for each in content) if isinstance(content, Sequence) else ()
    return tuple(each for each in found if each is not None)


def _part_of(part: Any) -> Any:
    if isinstance(part, str):
        return TextPart(part) if part else None
    if not isinstance(part, Mapping) or part.get("type") not in _CLASSES:
        return None
    kind, fields = _CLASSES[part["type"]]
    given = {own: part[field] for own, field in zip(kind.__fields__, fields, strict=True) if field in part}
    try:
        made = kind(**given)
    except TypeError:  # a field is missing that has no default
        return None
    if isinstance(made, CallPart):
        return made if isinstance(made.input, Mapping) else None
    return made if all(isinstance(value, str) for value in made.as_tuple()) else None
