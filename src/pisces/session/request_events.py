"""What hooks and modules make of a request to the model and of its answer. Each event is made only if it is heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pisces.agent.loop import StopLoop
from pisces.agent.transcript_context import whole_conversation
from pisces.models.wire import ANY_TOOL, CALLS, END, ModelAnswer
from pisces.session.module_messages import chat_message, chat_messages, module_messages, text_in
from pisces.shapes.events.provider import AfterModel, BeforeModel, BeforeToolSelection, Context
from pisces.shapes.message import BY_MODEL, ChatMessage, TextPart

if TYPE_CHECKING:
    from pisces.host.host import Host
    from pisces.models.wire import ModelAsk

NONE = "none"
_BLOCKED = "a hook or an extension blocked the request to the model"


async def request_past_all(host: Host, ask: ModelAsk) -> ModelAsk | ModelAnswer:
    """The request as it is sent, or the answer that somebody brings instead. Raises `StopLoop` if it is blocked."""
    ask = await _past_context(host, ask)
    ask = await _past_selection(host, ask)
    event = BeforeModel({})
    if not host.hears(event):
        return ask
    given = _request(ask)
    after = await host.emit(event.replace(request=given))
    if after.response is not None and not after.blocked:
        return ModelAnswer(_message_of(after.response), END, model=ask.model)
    if after.blocked:
        raise StopLoop(after.reason or _BLOCKED)
    return _changed(ask, given, after.request)


async def answer_past_all(host: Host, ask: ModelAsk, answer: ModelAnswer) -> ModelAnswer:
    """Raises `StopLoop` if the answer is blocked."""
    event = AfterModel({}, None)
    if not host.hears(event):
        return answer
    given = module_messages([answer.message])[-1]
    after = await host.emit(AfterModel(_request(ask), given))
    if after.blocked:
        raise StopLoop(after.reason or "a hook or an extension blocked the answer of the model")
    message = _message_of(after.response)
    if after.response == given or (not message.calls and message.text == answer.message.text):
        return answer
    if message.calls:
        return answer.replace(message=message, stop=CALLS)
    return answer.replace(message=_with_text(answer.message, message.text))


async def _past_context(host: Host, ask: ModelAsk) -> ModelAsk:
    event = Context(())
    if not host.hears(event):
        return ask
    given = event.replace(messages=module_messages(ask.messages))
    after = await host.emit(given)
    if after.messages == given.messages:
        return ask
    return ask.replace(messages=tuple(whole_conversation(chat_messages(after.messages))) or ask.messages)


async def _past_selection(host: Host, ask: ModelAsk) -> ModelAsk:
    """A tool that is not there cannot be offered."""
    event = BeforeToolSelection({})
    if not ask.tools or not host.hears(event):
        return ask
    names = tuple(each.name for each in ask.tools)
    after = await host.emit(event.replace(request=_request(ask), tools=names))
    wanted = () if after.mode == NONE else frozenset(after.tools)
    tools = tuple(each for each in ask.tools if each.name in wanted)
    return ask.replace(tools=tools, choice=ANY_TOOL if after.mode == ANY_TOOL and tools else "")


def _request(ask: ModelAsk) -> dict[str, Any]:
    config = {"maxOutputTokens": ask.most_tokens or None, "thinking": ask.thinking or None}
    return {
        "model": ask.model,
        "system": ask.system,
        "messages": module_messages(ask.messages),
        "tools": [each.name for each in ask.tools],
        "config": {name: value for name, value in config.items() if value is not None},
    }


def _changed(ask: ModelAsk, given: Mapping[str, Any], wanted: Mapping[str, Any]) -> ModelAsk:
    changes: dict[str, Any] = {}
    if isinstance(wanted.get("system"), str) and wanted["system"] != ask.system:
        changes["system"] = wanted["system"]
    if wanted.get("messages") != given["messages"]:
        merged = _merged(ask, given["messages"], wanted.get("messages"))
        changes["messages"] = tuple(whole_conversation(merged)) or ask.messages
    config = wanted.get("config")
    most = config.get("maxOutputTokens") if isinstance(config, Mapping) else None
    if isinstance(most, int) and not isinstance(most, bool) and most > 0:
        changes["most_tokens"] = most
    return ask.replace(**changes) if changes else ask


def _merged(ask: ModelAsk, given: Sequence[Any], wanted: Any) -> Sequence[ChatMessage]:
    """Hooks get and return texts alone: a message whose text they left as it was is the one that it was, with its calls
    and results.
    """
    if not isinstance(wanted, Sequence) or isinstance(wanted, str):
        return ask.messages
    left = list(given)
    made: list[Any] = []
    for each in wanted:
        text = text_in(each)
        same = next((at for at, other in enumerate(left) if each == other or text_in(other) == text), None)
        if same is None:
            made.append(each)
        else:
            made.append(left[same])
            del left[: same + 1]
    return chat_messages(made)


def _message_of(response: Any) -> ChatMessage:
    found = chat_message(response) if isinstance(response, Mapping) and "role" in response else None
    return found if found is not None and found.role == BY_MODEL else _text_message(text_in(response))


def _with_text(message: ChatMessage, text: str) -> ChatMessage:
    """Calls and thinking stay: hooks see the text alone."""
    at = next((at for at, part in enumerate(message.parts) if isinstance(part, TextPart)), len(message.parts))
    rest = [part for part in message.parts[at:] if not isinstance(part, TextPart)]
    return message.replace(parts=(*message.parts[:at], TextPart(text), *rest))


def _text_message(text: str) -> ChatMessage:
    return ChatMessage(BY_MODEL, (TextPart(text),))
