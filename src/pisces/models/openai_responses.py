"""The Responses API of OpenAI. Nothing is stored there: the whole conversation is sent each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.models.arguments import arguments_text, call_part, parsed
from pisces.models.wire import (
    ANY_TOOL,
    CALLS,
    END,
    LENGTH,
    OFF,
    REFUSED,
    CallDelta,
    ModelAnswer,
    ModelFailed,
    TextDelta,
    ThinkingDelta,
    Usage,
    Wire,
    WireRequest,
)
from pisces.shapes.message import BY_MODEL, CallPart, ChatMessage, ImagePart, ResultPart, TextPart, ThinkingPart

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pisces.models.wire import Delta, ModelAsk
    from pisces.shapes.message import MessagePart

ID = "openai-responses"

_THINKING = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ENDS = ("response.completed", "response.incomplete", "response.failed")
_PASSING = frozenset(("server_error", "rate_limit_exceeded", "overloaded"))


def _sent(ask: ModelAsk) -> WireRequest:
    body: dict[str, Any] = {
        "model": ask.model,
        "input": [each for message in ask.messages for each in _items(message)],
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if ask.system:
        body["instructions"] = ask.system
    if ask.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
                "strict": False,
            }
            for tool in ask.tools
        ]
    if ask.tools and ask.choice == ANY_TOOL:
        body["tool_choice"] = "required"
    if ask.most_tokens:
        body["max_output_tokens"] = ask.most_tokens
    if ask.thinking and ask.thinking != OFF:
        body["reasoning"] = {"effort": ask.thinking, "summary": "auto"}
    return WireRequest("/responses", body)


def _items(message: ChatMessage) -> Iterator[dict[str, Any]]:
    if message.role == BY_MODEL:
        for part in message.parts:
            yield from _item(part, message.wire == ID)
        return
    yield from (_output(part) for part in message.parts if isinstance(part, ResultPart))
    content = [_content(part) for part in message.parts if isinstance(part, TextPart | ImagePart)]
    if content:
        yield {"role": "user", "content": content}


def _item(part: MessagePart, is_own: bool) -> Iterator[dict[str, Any]]:
    if isinstance(part, TextPart):
        said = {"role": "assistant", "content": [{"type": "output_text", "text": part.text}]}
        yield {**said, "phase": part.signature} if is_own and part.signature else said
    elif isinstance(part, CallPart):
        yield {"type": "function_call", "call_id": part.id, "name": part.name, "arguments": arguments_text(part)}
    elif isinstance(part, ThinkingPart) and is_own and part.hidden:
        summary = [{"type": "summary_text", "text": part.text}] if part.text else []
        made = {"type": "reasoning", "summary": summary, "encrypted_content": part.hidden}
        yield {**made, "id": part.item} if part.item else made


def _output(part: ResultPart) -> dict[str, Any]:
    output: Any = [_content(each) for each in part.parts] if part.images else part.text
    return {"type": "function_call_output", "call_id": part.id, "output": output}


def _content(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "input_text", "text": part.text}
    return {"type": "input_image", "image_url": f"data:{part.mime};base64,{part.data}"}


class _Decoder:
    """The items of the last event are the answer; deltas are only for whoever watches."""

    def __init__(self) -> None:
        self._calls: dict[Any, tuple[str, str]] = {}
        self._done: dict[int, Mapping[str, Any]] = {}
        self._end: Mapping[str, Any] | None = None

    def fed(self, name: str, data: str) -> Sequence[Delta]:
        event = parsed(data)
        kind = str(event.get("type") or name)
        if kind == "error":
            raise _failed(event.get("error") if isinstance(event.get("error"), dict) else event)
        if kind == "response.output_text.delta" or kind == "response.refusal.delta":
            return (TextDelta(str(event.get("delta") or "")),)
        if kind in _THINKING:
            return (ThinkingDelta(str(event.get("delta") or "")),)
        if kind == "response.output_item.added":
            return self._begun(event)
        if kind == "response.function_call_arguments.delta":
            call = self._calls.get(event.get("output_index"))
            return (CallDelta(*call, str(event.get("delta") or "")),) if call else ()
        if kind == "response.output_item.done" and isinstance(event.get("item"), dict):
            self._done[int(event.get("output_index", len(self._done)))] = event["item"]
        elif kind in _ENDS and isinstance(event.get("response"), dict):
            self._ended(event["response"])
        return ()

    def _begun(self, event: Mapping[str, Any]) -> Sequence[Delta]:
        item = event.get("item") or {}
        if item.get("type") != "function_call":
            return ()
        call = self._calls[event.get("output_index")] = str(item.get("call_id")), str(item.get("name"))
        return (CallDelta(*call),)

    def _ended(self, response: Mapping[str, Any]) -> None:
        if response.get("status") == "failed" or response.get("error"):
            raise _failed(response.get("error"))
        self._end = response

    def answer(self) -> ModelAnswer:
        if self._end is None:
            raise ModelFailed("the stream ended before the answer was complete", is_passing=True)
        items = self._end.get("output") or [self._done[index] for index in sorted(self._done)]
        parts = tuple(part for item in items for part in _parts(item))
        why = str((self._end.get("incomplete_details") or {}).get("reason") or self._end.get("status") or "")
        message = ChatMessage(BY_MODEL, parts, ID)
        return ModelAnswer(
            message, _stop(message, items, why), _usage(self._end), str(self._end.get("model") or ""), why
        )


def _stop(message: ChatMessage, items: Sequence[Mapping[str, Any]], why: str) -> str:
    if why == "max_output_tokens":
        return LENGTH
    refusals = (each for item in items for each in item.get("content") or () if each.get("type") == "refusal")
    if why == "content_filter" or any(True for _ in refusals):
        return REFUSED
    return CALLS if message.calls else END


def _parts(item: Mapping[str, Any]) -> Iterator[MessagePart]:
    kind = item.get("type")
    if kind == "message":
        text = "".join(str(each.get("text") or each.get("refusal") or "") for each in item.get("content") or ())
        if text:
            yield TextPart(text, str(item.get("phase") or ""))  # newer models want it back
    elif kind == "reasoning":
        shown = [*(item.get("summary") or ()), *(item.get("content") or ())]
        text = "\n\n".join(str(each.get("text") or "") for each in shown)
        yield ThinkingPart(text, hidden=str(item.get("encrypted_content") or ""), item=str(item.get("id") or ""))
    elif kind == "function_call":
        arguments = str(item.get("arguments") or "")
        yield call_part(str(item.get("call_id")), str(item.get("name")), arguments, str(item.get("id") or ""))


def _usage(response: Mapping[str, Any]) -> Usage:
    given = response.get("usage") or {}
    cached = (given.get("input_tokens_details") or {}).get("cached_tokens") or 0
    thinking = (given.get("output_tokens_details") or {}).get("reasoning_tokens") or 0
    return Usage(given.get("input_tokens") or 0, given.get("output_tokens") or 0, cached, 0, thinking)


def _failed(error: Any) -> ModelFailed:
    error = error if isinstance(error, dict) else {}
    kind = str(error.get("code") or error.get("type") or "error")
    return ModelFailed(str(error.get("message") or kind), is_passing=kind in _PASSING)


WIRE = Wire(ID, _sent, _Decoder)
