"""The Gemini API (`generateContent`, version v1beta)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pisces.models.arguments import parsed
from pisces.models.wire import (
    ANY_TOOL,
    BY_BUDGET,
    CALLS,
    END,
    HIGH,
    LENGTH,
    LOW,
    MEDIUM,
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

ID = "gemini"

_ROLES = {BY_USER: "user", BY_MODEL: "model"}
_BUDGETS = {OFF: 0, LOW: 1_024, MEDIUM: 8_192, HIGH: 24_576}
_LEAST_OF_PRO = 128  # these cannot be switched off
_STOPS = {"STOP": END, "MAX_TOKENS": LENGTH}
_BROKEN = frozenset(
    ("MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL", "OTHER", "FINISH_REASON_UNSPECIFIED")
)
_FOREIGN = "skip_thought_signature_validator"  # what Google documents for a call that another model made
_UNNAMED = "unnamed-call-"  # the API may send calls without an id, and then takes results without one


def _sent(ask: ModelAsk) -> WireRequest:
    body: dict[str, Any] = {"contents": _contents(ask.messages)}
    if ask.system:
        body["systemInstruction"] = {"parts": [{"text": ask.system}]}
    if ask.tools:
        declared = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": dict(tool.parameters)}
            for tool in ask.tools
        ]
        body["tools"] = [{"functionDeclarations": declared}]
        if ask.choice == ANY_TOOL:
            body["toolConfig"] = {"functionCallingConfig": {"mode": "ANY"}}
    config = _config(ask)
    if config:
        body["generationConfig"] = config
    model = quote(ask.model.removeprefix("models/"), safe="/@")
    return WireRequest(f"/v1beta/models/{model}:streamGenerateContent?alt=sse", body)


def _config(ask: ModelAsk) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if ask.most_tokens:
        config["maxOutputTokens"] = ask.most_tokens
    if ask.thinking in _BUDGETS and ask.thinks not in ("", BY_BUDGET):
        level = LOW if ask.thinking == OFF else ask.thinking  # no level switches it off
        config["thinkingConfig"] = {"includeThoughts": ask.thinking != OFF, "thinkingLevel": level.upper()}
    elif ask.thinking in _BUDGETS:
        budget = _BUDGETS[ask.thinking] or (_LEAST_OF_PRO if "-pro" in ask.model else 0)
        config["thinkingConfig"] = {"includeThoughts": ask.thinking != OFF, "thinkingBudget": budget}
    return config


def _contents(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for message in messages:
        role = _ROLES[message.role]
        parts = [each for part in _endorsed(message) for each in _parts(part, message.wire == ID)]
        if made and made[-1]["role"] == role:
            made[-1]["parts"] += parts
        elif parts:
            made.append({"role": role, "parts": parts})
    return made


def _endorsed(message: ChatMessage) -> Iterator[MessagePart]:
    """Newer models refuse a conversation in which the first call of a message has no signature."""
    calls = message.calls
    for part in message.parts:
        is_first = bool(calls) and part is calls[0]
        if isinstance(part, CallPart) and is_first and (message.wire != ID or not part.signature):
            yield part.replace(signature=_FOREIGN)
        elif isinstance(part, CallPart) and message.wire != ID:
            yield part.replace(signature="")
        else:
            yield part


def _parts(part: MessagePart, is_own: bool) -> Iterator[dict[str, Any]]:
    if isinstance(part, TextPart):
        yield _signed({"text": part.text}, part.signature if is_own else "")
    elif isinstance(part, ImagePart):
        yield {"inlineData": {"mimeType": part.mime, "data": part.data}}
    elif isinstance(part, CallPart):
        call = {"name": part.name, "args": dict(part.input)}
        yield _signed({"functionCall": _named(call, part.id)}, part.signature)
    elif isinstance(part, ResultPart):
        key = "error" if part.is_error else "output"
        yield {"functionResponse": _named({"name": part.name, "response": {key: part.text}}, part.id)}
        yield from ({"inlineData": {"mimeType": each.mime, "data": each.data}} for each in part.images)
    elif is_own and part.signature:
        yield _signed({"text": part.text, "thought": True}, part.signature)


def _signed(made: dict[str, Any], signature: str) -> dict[str, Any]:
    return {**made, "thoughtSignature": signature} if signature else made


def _named(made: dict[str, Any], call_id: str) -> dict[str, Any]:
    return made if call_id.startswith(_UNNAMED) else {"id": call_id, **made}


class _Decoder:
    def __init__(self) -> None:
        self._parts: list[MessagePart] = []
        self._stop, self._model = "", ""
        self._usage = Usage()

    def fed(self, name: str, data: str) -> Sequence[Delta]:  # noqa: ARG002  # events have no names here
        event = parsed(data)
        if isinstance(event.get("error"), dict):
            raise _failed(event["error"])
        blocked = (event.get("promptFeedback") or {}).get("blockReason")
        self._stop = str(blocked or self._stop)
        self._model = str(event.get("modelVersion") or self._model)
        if isinstance(event.get("usageMetadata"), dict):
            self._usage = _usage(event["usageMetadata"])
        candidates = event.get("candidates")
        if not isinstance(candidates, list) or not candidates or not isinstance(candidates[0], dict):
            return ()
        self._stop = str(candidates[0].get("finishReason") or self._stop)
        content = candidates[0].get("content")
        parts = content.get("parts") if isinstance(content, dict) else ()
        return [delta for part in parts or () if isinstance(part, dict) for delta in self._grown(part)]

    def _grown(self, given: Mapping[str, Any]) -> Iterator[Delta]:
        signature = str(given.get("thoughtSignature") or "")
        call, text = given.get("functionCall"), given.get("text")
        if isinstance(call, dict):
            yield self._called(call, signature)
        elif isinstance(text, str) and given.get("thought"):
            self._add(ThinkingPart(text, signature))
            if text:
                yield ThinkingDelta(text)
        elif isinstance(text, str):
            self._add(TextPart(text, signature))
            if text:
                yield TextDelta(text)

    def _called(self, given: Mapping[str, Any], signature: str) -> CallDelta:
        from json import dumps

        args = given.get("args")
        count = sum(isinstance(part, CallPart) for part in self._parts)
        call_id = str(given.get("id") or f"{_UNNAMED}{count}")
        is_good = args is None or isinstance(args, dict)
        self._parts.append(
            CallPart(
                call_id,
                str(given.get("name") or ""),
                args if isinstance(args, dict) else {},
                "" if is_good else str(args),
                signature,
            )
        )
        return CallDelta(call_id, str(given.get("name") or ""), dumps(args or {}, ensure_ascii=False))

    def _add(self, part: TextPart | ThinkingPart) -> None:
        """Pieces of one part become one, unless a signature stands between them."""
        last = self._parts[-1] if self._parts else None
        if isinstance(last, TextPart | ThinkingPart) and type(last) is type(part) and not last.signature:
            self._parts[-1] = last.replace(text=last.text + part.text, signature=part.signature)
        elif part.text or part.signature:
            self._parts.append(part)

    def answer(self) -> ModelAnswer:
        if not self._stop:
            raise ModelFailed("the stream ended before the answer was complete", is_passing=True)
        message = ChatMessage(BY_MODEL, tuple(self._parts), ID)
        if self._stop in _BROKEN and not message.calls:
            raise ModelFailed(f"the model gave up: {self._stop}", is_passing=True)
        stop = CALLS if message.calls else _STOPS.get(self._stop, REFUSED)
        return ModelAnswer(message, stop, self._usage, self._model, self._stop)


def _usage(given: Mapping[str, Any]) -> Usage:
    def count(name: str) -> int:
        value = given.get(name)
        return value if isinstance(value, int) else 0

    thinking = count("thoughtsTokenCount")
    output = count("candidatesTokenCount") + thinking
    return Usage(count("promptTokenCount"), output, count("cachedContentTokenCount"), 0, thinking)


def _failed(error: Mapping[str, Any]) -> ModelFailed:
    code = error.get("code") if isinstance(error.get("code"), int) else 0
    message = str(error.get("message") or error.get("status") or "an error without a text")
    return ModelFailed(message, code or 0, is_passing=code in (429, 500, 503, 504))


WIRE = Wire(ID, _sent, _Decoder, "x-goog-api-key", "{}")
