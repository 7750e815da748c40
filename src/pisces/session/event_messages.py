"""Events with messages in them, as modules know messages, and back. Readers get our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pisces.session.module_messages import chat_message, chat_messages, module_delta, module_messages, spelled
from pisces.shapes.events.agent import AgentEnd, MessageEnd, MessageStart, MessageUpdate, TurnEnd
from pisces.shapes.events.compaction import SessionBeforeCompact, SessionCompacting
from pisces.shapes.message import BY_MODEL, BY_USER, ChatMessage, ResultPart

if TYPE_CHECKING:
    from pisces.shapes.event import Event

E = TypeVar("E", bound="Event")

_OLD = "messagesToSummarize"


def said_to_modules(event: E) -> E:
    """The same event if there is no message in it."""
    made: E = _spelled_event(event)
    return made


def _spelled_event(given: Any) -> Any:
    if isinstance(given, MessageStart | MessageEnd | MessageUpdate):
        made = given.replace(message=_one(given.message))
        return made.replace(delta=module_delta(made.delta)) if isinstance(made, MessageUpdate) else made
    if isinstance(given, TurnEnd):
        results = module_messages([ChatMessage(BY_USER, tuple(given.tool_results))]) if given.tool_results else []
        return given.replace(message=_one(given.message), tool_results=results)
    if isinstance(given, SessionBeforeCompact):
        old = module_messages(given.preparation.get(_OLD, ()))
        return given.replace(preparation={**given.preparation, _OLD: old})
    has_messages = isinstance(given, AgentEnd | SessionCompacting)
    return given.replace(messages=module_messages(given.messages)) if has_messages else given


def heard_by_modules(event: E, after: E) -> E:
    """Of events with messages only the message of `MessageEnd` may be another one."""
    if isinstance(event, MessageEnd) and isinstance(event.message, ChatMessage):
        return event.replace(message=_replaced(event.message, getattr(after, "message", None)))
    return event if isinstance(event, MessageStart | MessageUpdate | TurnEnd | AgentEnd) else after


def _replaced(message: ChatMessage, wanted: Any) -> ChatMessage:
    """A handler may replace texts. It may not change who said one, nor drop a call or a result."""
    if wanted == _one(message):
        return message
    new = chat_messages(wanted) if isinstance(wanted, list | tuple) else (chat_message(wanted),)
    made = new[0] if len(new) == 1 else None
    if made is None or made.role != message.role or _bound(made) != _bound(message):
        return message
    return made.replace(wire=message.wire) if made.role == BY_MODEL else made


def _bound(message: ChatMessage) -> list[str]:
    calls = [each.id for each in message.calls]
    return [*calls, *(part.id for part in message.parts if isinstance(part, ResultPart))]


def _one(message: Any) -> Any:
    """Several results are several messages: a list of them."""
    if not isinstance(message, ChatMessage):
        return message
    made = spelled(message)
    return made[0] if len(made) == 1 else made
