"""Chat completions of OpenAI, which Ollama, vLLM, OpenRouter and many others speak too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.models.arguments import arguments_text, call_part, is_whole, parsed
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

ID = "openai-chat"

_DONE = "[DONE]"
_BACK = "reasoning_content"  # DeepSeek and Moonshot refuse a conversation with calls that has lost it
_BROKEN = "error"  # as the reason of an end
_STOPS = {"stop": END, "tool_calls": CALLS, "function_call": CALLS, "length": LENGTH, "content_filter": REFUSED}


def _sent(ask: ModelAsk) -> WireRequest:
    system = [{"role": "system", "content": ask.system}] if ask.system else []
    body: dict[str, Any] = {
        "model": ask.model,
        "messages": [*system, *(each for message in ask.messages for each in _messages(message))],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if ask.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in ask.tools
        ]
    if ask.tools and ask.choice == ANY_TOOL:
        body["tool_choice"] = "required"
    if ask.most_tokens:
        body["max_completion_tokens"] = ask.most_tokens
    if ask.thinking and ask.thinking != OFF:
        body["reasoning_effort"] = ask.thinking
    return WireRequest("/chat/completions", body)


def _messages(message: ChatMessage) -> Iterator[dict[str, Any]]:
    if message.role == BY_MODEL:
        yield _assistant(message)
        return
    results = [part for part in message.parts if isinstance(part, ResultPart)]
    for part in results:
        yield {"role": "tool", "tool_call_id": part.id, "content": part.text}
    shown = [image for part in results for image in part.images]  # a tool's message has text alone
    rest = [part for part in message.parts if isinstance(part, TextPart | ImagePart)]
    content = [_content(part) for part in (*shown, *rest)]
    if len(content) == 1 and content[0]["type"] == "text":
        yield {"role": "user", "content": content[0]["text"]}
    elif content:
        yield {"role": "user", "content": content}


def _assistant(message: ChatMessage) -> dict[str, Any]:
    made: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    calls = [
        {"id": part.id, "type": "function", "function": {"name": part.name, "arguments": arguments_text(part)}}
        for part in message.calls
    ]
    if not calls:
        return made
    own = message.parts if message.wire == ID else ()
    thought = [part.text for part in own if isinstance(part, ThinkingPart) and part.item == _BACK]
    return {**made, **({_BACK: "".join(thought)} if thought else {}), "tool_calls": calls}


def _content(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": f"data:{part.mime};base64,{part.data}"}}


class _Call:
    def __init__(self, call_id: str, given: str) -> None:
        self.id, self.given, self.name = call_id, given, ""
        self.text: list[str] = []

    def is_other(self, call_id: str, name: str, piece: str) -> bool:
        """Whether a piece with a name begins the next call: its id or name is another one, or this call has ended."""
        if call_id != self.given or name != self.name:
            return True
        return bool(piece.strip()) and is_whole("".join(self.text))


class _Decoder:
    def __init__(self) -> None:
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_Call] = []
        self._at: dict[Any, _Call] = {}
        self._stop, self._model, self._back = "", "", ""
        self._usage = Usage()

    def fed(self, name: str, data: str) -> Sequence[Delta]:
        if data.strip() == _DONE:  # all that some servers say about the end
            self._stop = self._stop or _DONE
            return ()
        event = parsed(data)
        if event.get("error") or name == "error":
            raise _failed(event)
        self._model = str(event.get("model") or self._model)
        if isinstance(event.get("usage"), dict):
            self._usage = _usage(event["usage"])
        choices = event.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return ()
        self._stop = str(choices[0].get("finish_reason") or self._stop)
        delta = choices[0].get("delta")
        return tuple(self._grown(delta)) if isinstance(delta, dict) else ()

    def _grown(self, delta: Mapping[str, Any]) -> Iterator[Delta]:
        self._back = _BACK if delta.get(_BACK) else self._back
        content = delta.get("content")
        listed = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else ()
        thoughts = (delta.get(_BACK) or delta.get("reasoning"), *(_text(each.get("thinking")) for each in listed))
        for thinking in thoughts:
            if isinstance(thinking, str) and thinking:
                self._thinking.append(thinking)
                yield ThinkingDelta(thinking)
        text = content if isinstance(content, str) else _text(listed)
        if text:
            self._text.append(text)
            yield TextDelta(text)
        if isinstance(delta.get("refusal"), str):
            self._refusal.append(delta["refusal"])
        old = delta.get("function_call")  # as it was before there were several at once
        calls: Any = [{"index": 0, "function": old}] if isinstance(old, dict) else delta.get("tool_calls") or ()
        for given in calls:
            if isinstance(given, dict):
                yield self._called(given, given.get("function") or {})

    def _called(self, given: Mapping[str, Any], function: Mapping[str, Any]) -> CallDelta:
        piece = function.get("arguments")
        piece = piece if isinstance(piece, str) else "" if piece is None else _as_text(piece)
        name = str(function.get("name") or "")
        call = self._meant(given, name, piece)
        call.name = call.name or name
        call.text.append(piece)
        return CallDelta(call.id, call.name, piece)

    def _meant(self, given: Mapping[str, Any], name: str, piece: str) -> _Call:
        """Some servers leave `index` or `id` out, give every call the same, or each piece an id of its own."""
        index, call_id = given.get("index"), str(given.get("id") or "")
        last = self._calls[-1] if self._calls else None
        call = self._at.get(index, last if index is None or not name else None)
        if call is None or (name and call.is_other(call_id, name, piece)):
            used = {each.id for each in self._calls}
            own = call_id if call_id and call_id not in used else f"call_{len(self._calls)}"
            call = self._at[index] = _Call(own, call_id)
            self._calls.append(call)
        return call

    def answer(self) -> ModelAnswer:
        if not self._stop or self._stop == _BROKEN:
            raise ModelFailed("the stream ended before the answer was complete", is_passing=True)
        parts: list[MessagePart] = []
        if self._thinking:
            parts.append(ThinkingPart("".join(self._thinking), item=self._back))
        if self._text:
            parts.append(TextPart("".join(self._text)))
        calls: list[CallPart] = [call_part(call.id, call.name, "".join(call.text)) for call in self._calls]
        stop = REFUSED if self._refusal else _STOPS.get(self._stop, END)
        stop = CALLS if calls and stop == END else stop  # what was cut or refused stays that
        message = ChatMessage(BY_MODEL, (*parts, *calls), ID)
        return ModelAnswer(message, stop, self._usage, self._model, "".join(self._refusal) or self._stop)


def _text(parts: Any) -> str:
    """Of a list of parts, as Mistral's models that think write it."""
    found = [each.get("text") for each in parts or () if isinstance(each, dict)]
    return "".join(each for each in found if isinstance(each, str))


def _as_text(arguments: Any) -> str:
    """Some servers send an object instead of its text."""
    from json import dumps

    return dumps(arguments, ensure_ascii=False)


def _usage(given: Mapping[str, Any]) -> Usage:
    prompt, answer = given.get("prompt_tokens_details") or {}, given.get("completion_tokens_details") or {}
    cached = prompt.get("cached_tokens") or given.get("prompt_cache_hit_tokens") or 0
    thinking = answer.get("reasoning_tokens") or 0
    return Usage(given.get("prompt_tokens") or 0, given.get("completion_tokens") or 0, cached, 0, thinking)


def _failed(event: Mapping[str, Any]) -> ModelFailed:
    error = event.get("error")
    error = error if isinstance(error, dict) else {"message": error or "an error without a text"}
    code = error.get("code") if isinstance(error.get("code"), int) else 0
    kind = str(error.get("type") or error.get("code") or "")
    is_passing = code in (429, 500, 502, 503, 504) or kind in ("server_error", "rate_limit_exceeded", "overloaded")
    return ModelFailed(str(error.get("message") or kind), code or 0, is_passing=is_passing)


WIRE = Wire(ID, _sent, _Decoder)
