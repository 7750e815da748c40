"""The Messages API of Anthropic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.models.arguments import call_part, parsed
from pisces.models.wire import (
    ALWAYS,
    ANY_TOOL,
    BETWEEN_TOOLS,
    BY_BUDGET,
    CALLS,
    END,
    HIGH,
    LENGTH,
    LOW,
    MEDIUM,
    OFF,
    PAUSED,
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
    from collections.abc import Iterator, Mapping, Sequence

    from pisces.models.wire import Delta, ModelAsk
    from pisces.shapes.message import MessagePart

ID = "anthropic"

_HEADERS = {"anthropic-version": "2023-06-01"}
_MOST_TOKENS = 32_000  # the API wants a number
_BUDGETS = {LOW: 2_048, MEDIUM: 8_192, HIGH: 24_576}
_THINKS_FIRST = ("enabled", "adaptive")  # the API refuses a forced call beside these
_CACHED = {"type": "ephemeral"}
_ROLES = {BY_USER: "user", BY_MODEL: "assistant"}
_STOPS = {
    "end_turn": END,
    "stop_sequence": END,
    "tool_use": CALLS,
    "max_tokens": LENGTH,
    "model_context_window_exceeded": LENGTH,
    "refusal": REFUSED,
    "pause_turn": PAUSED,
}
_PASSING = frozenset(("overloaded_error", "rate_limit_error", "api_error", "timeout_error"))


def _sent(ask: ModelAsk) -> WireRequest:
    body: dict[str, Any] = {
        "model": ask.model,
        "max_tokens": ask.most_tokens or _MOST_TOKENS,
        "messages": _messages(ask.messages),
        "stream": True,
    }
    if ask.system:
        body["system"] = [{"type": "text", "text": ask.system, "cache_control": _CACHED}]
    if ask.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
            for tool in ask.tools
        ]
    if ask.thinking:
        body |= _thinking(ask, body["max_tokens"])
    if ask.tools and ask.choice == ANY_TOOL and body.get("thinking", {}).get("type") not in _THINKS_FIRST:
        body["tool_choice"] = {"type": "any"}
    return WireRequest("/v1/messages", body, _HEADERS)


def _thinking(ask: ModelAsk, most: int) -> dict[str, Any]:
    """Models since 4.7 refuse a budget, some refuse to be switched off, and all of these hide what they think."""
    if ask.thinks in ("", BY_BUDGET):
        budget = min(_BUDGETS.get(ask.thinking, 0), most - 1)
        return {"thinking": {"type": "enabled", "budget_tokens": budget}} if budget > 0 else {}
    if ask.thinking == OFF and ask.thinks != ALWAYS:
        return {"thinking": {"type": "between_tools" if ask.thinks == BETWEEN_TOOLS else "disabled"}}
    effort = LOW if ask.thinking == OFF else ask.thinking
    return {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": effort}}


def _messages(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """Roles have to alternate. The last block is a mark for the cache, so that the next turn reads all before it."""
    made: list[dict[str, Any]] = []
    for message in messages:
        role = _ROLES[message.role]
        blocks = [block for part in _ordered(message) for block in _blocks(part, message.wire == ID)]
        if made and made[-1]["role"] == role:
            made[-1]["content"] += blocks
        elif blocks:
            made.append({"role": role, "content": blocks})
    if made and made[-1]["content"][-1]["type"] in ("text", "image", "tool_result"):
        made[-1]["content"][-1]["cache_control"] = _CACHED
    return made


def _ordered(message: ChatMessage) -> Sequence[MessagePart]:
    """Results first: the API refuses text before them."""
    if message.role == BY_MODEL:
        return message.parts
    return sorted(message.parts, key=lambda part: not isinstance(part, ResultPart))


def _blocks(part: MessagePart, is_own: bool) -> Iterator[dict[str, Any]]:
    if isinstance(part, TextPart):
        if part.text.strip():  # an empty block is refused
            yield {"type": "text", "text": part.text}
    elif isinstance(part, ImagePart):
        yield _image(part)
    elif isinstance(part, CallPart):
        yield {"type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.input)}
    elif isinstance(part, ResultPart):
        yield _result(part)
    elif is_own and part.hidden:
        yield {"type": "redacted_thinking", "data": part.hidden}
    elif is_own and part.signature:
        yield {"type": "thinking", "thinking": part.text, "signature": part.signature}


def _result(part: ResultPart) -> dict[str, Any]:
    content = [block for each in part.parts for block in _blocks(each, False)]
    made: dict[str, Any] = {"type": "tool_result", "tool_use_id": part.id, "content": content}
    return {**made, "is_error": True} if part.is_error else made


def _image(part: ImagePart) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": part.mime, "data": part.data}}


class _Block:
    """One content block while it grows."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.text: list[str] = [str(given.get("text") or given.get("thinking") or "")]
        self.signature = str(given.get("signature") or "")

    @property
    def part(self) -> MessagePart | None:
        kind, text = self.given.get("type"), "".join(self.text)
        if kind == "text":
            return TextPart(text) if text else None
        if kind == "thinking":
            return ThinkingPart(text, self.signature)
        if kind == "redacted_thinking":
            return ThinkingPart(hidden=str(self.given.get("data") or ""))
        if kind == "tool_use":
            whole = self.given.get("input")
            made = call_part(str(self.given.get("id")), str(self.given.get("name")), text)
            return made.replace(input=whole) if isinstance(whole, dict) and whole and not text else made
        return None


class _Decoder:
    def __init__(self) -> None:
        self._blocks: dict[int, _Block] = {}
        self._usage: dict[str, int] = {}
        self._stop, self._why, self._model, self._is_over = "", "", "", False

    def fed(self, name: str, data: str) -> Sequence[Delta]:
        event = parsed(data)
        kind = event.get("type") or name
        if kind == "error":
            raise _failed(event)
        if kind == "message_start":
            message = event.get("message") or {}
            self._model = str(message.get("model") or "")
            self._count(message.get("usage"))
        elif kind == "content_block_start":
            return self._begun(event)
        elif kind == "content_block_delta":
            return self._grown(event)
        elif kind == "message_delta":
            delta = event.get("delta") or {}
            self._stop = str(delta.get("stop_reason") or self._stop)
            self._why = str((delta.get("stop_details") or {}).get("explanation") or self._why)
            self._count(event.get("usage"))
        elif kind == "message_stop":
            self._is_over = True
        return ()

    def _begun(self, event: Mapping[str, Any]) -> Sequence[Delta]:
        block = self._blocks[int(event.get("index") or 0)] = _Block(event.get("content_block") or {})
        if block.given.get("type") == "tool_use":
            return (CallDelta(str(block.given.get("id")), str(block.given.get("name"))),)
        return _texts(block.given.get("type"), block.text[0])

    def _grown(self, event: Mapping[str, Any]) -> Sequence[Delta]:
        block, delta = self._blocks.get(int(event.get("index") or 0)), event.get("delta") or {}
        if block is None:
            return ()
        kind = delta.get("type")
        if kind == "signature_delta":
            block.signature += str(delta.get("signature") or "")
            return ()
        text = str(delta.get("text") or delta.get("thinking") or delta.get("partial_json") or "")
        block.text.append(text)
        if kind == "input_json_delta":
            is_ours = text and block.given.get("type") == "tool_use"  # else the server's own
            return (CallDelta(str(block.given.get("id")), str(block.given.get("name")), text),) if is_ours else ()
        return _texts("thinking" if kind == "thinking_delta" else "text", text)

    def _count(self, usage: Any) -> None:
        """Later figures are totals and replace earlier ones."""
        if isinstance(usage, dict):
            self._usage |= {name: value for name, value in usage.items() if isinstance(value, int)}

    def answer(self) -> ModelAnswer:
        if not self._is_over:
            raise ModelFailed("the stream ended before the answer was complete", is_passing=True)
        parts = tuple(part for index in sorted(self._blocks) if (part := self._blocks[index].part) is not None)
        count = self._usage.get
        cached, stored = count("cache_read_input_tokens", 0), count("cache_creation_input_tokens", 0)
        usage = Usage(count("input_tokens", 0) + cached + stored, count("output_tokens", 0), cached, stored)
        why = f"{self._stop}: {self._why}" if self._why else self._stop
        return ModelAnswer(ChatMessage(BY_MODEL, parts, ID), _STOPS.get(self._stop, END), usage, self._model, why)


def _texts(kind: Any, text: str) -> Sequence[Delta]:
    if not text:
        return ()
    return (ThinkingDelta(text),) if kind == "thinking" else (TextDelta(text),)


def _failed(event: Mapping[str, Any]) -> ModelFailed:
    error = event.get("error") or {}
    kind = str(error.get("type") or "error")
    return ModelFailed(str(error.get("message") or kind), is_passing=kind in _PASSING)


WIRE = Wire(ID, _sent, _Decoder, "x-api-key", "{}")
