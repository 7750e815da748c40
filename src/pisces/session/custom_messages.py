"""Messages that modules send: `customType` says what it is, `content` is what the model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.session.module_messages import chat_message
from pisces.shapes.message import BY_USER, ChatMessage, TextPart

if TYPE_CHECKING:
    from collections.abc import Mapping

_FACTS = ("customType", "display", "details")


def custom_message(message: Mapping[str, Any]) -> tuple[ChatMessage, dict[str, Any]]:
    """The message for the model, and what is stored beside it. One without content is its type, so that it is not
    empty.
    """
    facts = {name: message[name] for name in _FACTS if message.get(name) is not None}
    made = chat_message({"role": "user", "content": message.get("content", "")})
    text = f"({message.get('customType') or 'a message of an extension'})"
    return made or ChatMessage(BY_USER, (TextPart(text),)), facts


def user_content(content: Any) -> ChatMessage:
    """What a module sends as if the user had typed it: a text, or parts."""
    return custom_message({"content": content})[0]
