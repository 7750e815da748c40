"""Every provider that pydantic-ai knows and we do not: its `direct` layer behind our interface.

An extra, and slow to import: loaded by name with the first request. SDKs must not retry by themselves: the loop does,
where the user sees it.
"""

from __future__ import annotations

import base64
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pydantic_ai import messages as theirs
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError, ContentFilterError, ModelAPIError, UserError
from pydantic_ai.models import ModelRequestParameters, infer_model
from pydantic_ai.tools import ToolDefinition

from pisces.formats.masking import masked
from pisces.models.arguments import arguments_text, call_part
from pisces.models.model import ModelFacts, without_images
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
)
from pisces.shapes.message import BY_MODEL, CallPart, ChatMessage, ImagePart, ResultPart, TextPart, ThinkingPart

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from pisces.models.model import AnswerStream
    from pisces.models.wire import Delta, ModelAsk
    from pisces.shapes.message import MessagePart
    from pisces.shapes.tool import Tool

_STOPS = {"stop": END, "length": LENGTH, "content_filter": REFUSED, "tool_call": CALLS}
_PASSING = frozenset(
    ("ModelRateLimitError", "ModelUnavailableError", "ModelServerError", "ModelConnectionError", "ModelRequestTimeout")
)
_PASSING_STATUS = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))


def model_through_pydantic_ai(facts: ModelFacts) -> PydanticAiModel:
    """Raises `ModelFailed` where an SDK or a key is missing."""
    try:
        return PydanticAiModel(facts, infer_model(f"{facts.provider}:{facts.id}"))
    except (UserError, ImportError, ValueError) as error:
        raise ModelFailed(masked(f"`{facts.name}` cannot be used: {error}")) from None


class PydanticAiModel:
    def __init__(self, facts: ModelFacts, model: Any) -> None:
        self.facts, self._model = facts, model
        self._wire = f"pydantic-ai/{facts.provider}"

    @asynccontextmanager
    async def answering(self, ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        messages = ask.messages if self.facts.has_images else tuple(map(without_images, ask.messages))
        history = [*_history(messages, self._wire, self._model.system)]
        if ask.system:
            history[0] = theirs.ModelRequest([theirs.SystemPromptPart(ask.system), *history[0].parts])
        tools = [_definition(tool) for tool in ask.tools]
        may_talk = not tools or ask.choice != ANY_TOOL
        parameters = ModelRequestParameters(function_tools=tools, allow_text_output=may_talk)
        stream = model_request_stream(
            self._model, history, model_settings=_settings(ask), model_request_parameters=parameters
        )
        try:
            entered = await stream.__aenter__()
        except Exception as error:  # noqa: BLE001  # SDKs of many providers, each with errors of its own
            raise _failed(error) from None
        try:
            yield _PydanticAnswer(entered, self._wire)
        finally:
            await stream.__aexit__(None, None, None)

    async def close(self) -> None:
        """Clients of the SDKs end with the process."""


class _PydanticAnswer:
    def __init__(self, stream: Any, wire: str) -> None:
        self._stream, self._wire = stream, wire

    async def __aiter__(self) -> AsyncIterator[Delta]:
        calls: dict[int, tuple[str, str]] = {}
        try:
            async for event in self._stream:
                for delta in _deltas(event, calls):
                    yield delta
        except Exception as error:  # noqa: BLE001  # as above
            raise _failed(error) from None

    def whole(self) -> ModelAnswer:
        response = self._stream.get()
        parts = tuple(part for each in response.parts for part in _part(each))
        message = ChatMessage(BY_MODEL, parts, self._wire)
        if not parts and response.finish_reason is None:
            raise ModelFailed("the stream ended before the answer was complete", is_passing=True)
        stop = CALLS if message.calls else _STOPS.get(response.finish_reason or "", END)
        return ModelAnswer(
            message, stop, _usage(response.usage), response.model_name or "", response.finish_reason or ""
        )


def _settings(ask: ModelAsk) -> Any:
    made: dict[str, Any] = {"max_retries": 0}
    if ask.most_tokens:
        made["max_tokens"] = ask.most_tokens
    if ask.thinking:
        made["thinking"] = False if ask.thinking == OFF else ask.thinking
    return made


def _definition(tool: Tool) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters), strict=False
    )


def _history(messages: Sequence[ChatMessage], wire: str, system: str) -> Iterator[Any]:
    for message in messages:
        if message.role == BY_MODEL:
            name = system if message.wire == wire else ""
            parts = [each for part in message.parts for each in _said(part, name)]
            if parts:
                yield theirs.ModelResponse(parts, provider_name=name or None)
        else:
            yield theirs.ModelRequest([*_requested(message.parts)])


def _said(part: MessagePart, provider: str) -> Iterator[Any]:
    """`provider` is empty for what another model wrote: then its signatures are of no use."""
    details = {"provider_name": provider, "provider_details": _details(part)} if provider else {}
    if isinstance(part, TextPart):
        if part.text.strip():
            yield theirs.TextPart(part.text, **details)
    elif isinstance(part, CallPart):
        yield theirs.ToolCallPart(part.name, arguments_text(part), part.id, id=part.item or None, **details)
    elif isinstance(part, ThinkingPart) and provider:
        hidden = json.loads(part.hidden) if part.hidden else None
        yield theirs.ThinkingPart(
            part.text,
            id=part.item or None,
            signature=part.signature or None,
            provider_name=provider,
            provider_details=hidden,
        )


def _details(part: MessagePart) -> dict[str, Any] | None:
    signature = part.signature if isinstance(part, TextPart | CallPart) else ""
    found: dict[str, Any] | None = json.loads(signature) if signature else None
    return found


def _requested(parts: Sequence[MessagePart]) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, ResultPart):
            content: Any = [part.text, *map(_image, part.images)] if part.images else part.text
            outcome = "failed" if part.is_error else "success"
            yield theirs.ToolReturnPart(part.name, content, part.id, outcome=outcome)
    shown = [part.text if isinstance(part, TextPart) else _image(part) for part in parts if _is_prompt(part)]
    if shown:
        yield theirs.UserPromptPart(shown[0] if len(shown) == 1 and isinstance(shown[0], str) else shown)


def _is_prompt(part: MessagePart) -> bool:
    return isinstance(part, ImagePart) or (isinstance(part, TextPart) and bool(part.text.strip()))


def _image(part: Any) -> Any:
    return theirs.BinaryContent(base64.b64decode(part.data), media_type=part.mime)


def _deltas(event: Any, calls: dict[int, tuple[str, str]]) -> Iterator[Delta]:
    if isinstance(event, theirs.PartStartEvent):
        yield from _begun(event, calls)
    elif isinstance(event, theirs.PartDeltaEvent):
        delta = event.delta
        if isinstance(delta, theirs.TextPartDelta) and delta.content_delta:
            yield TextDelta(delta.content_delta)
        elif isinstance(delta, theirs.ThinkingPartDelta) and delta.content_delta:
            yield ThinkingDelta(delta.content_delta)
        elif isinstance(delta, theirs.ToolCallPartDelta) and event.index in calls and delta.args_delta:
            yield CallDelta(*calls[event.index], _text(delta.args_delta))


def _begun(event: Any, calls: dict[int, tuple[str, str]]) -> Iterator[Delta]:
    part = event.part
    if isinstance(part, theirs.TextPart) and part.content:
        yield TextDelta(part.content)
    elif isinstance(part, theirs.ThinkingPart) and part.content:
        yield ThinkingDelta(part.content)
    elif isinstance(part, theirs.ToolCallPart):
        calls[event.index] = part.tool_call_id, part.tool_name
        yield CallDelta(part.tool_call_id, part.tool_name, _text(part.args))


def _text(arguments: Any) -> str:
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    return json.dumps(arguments, ensure_ascii=False)


def _part(part: Any) -> Iterator[MessagePart]:
    if isinstance(part, theirs.TextPart):
        if part.content:
            yield TextPart(part.content, _stored(part))
    elif isinstance(part, theirs.ThinkingPart):
        yield ThinkingPart(part.content or "", part.signature or "", _stored(part), part.id or "")
    elif isinstance(part, theirs.ToolCallPart):
        made = call_part(part.tool_call_id, part.tool_name, _text(part.args), part.id or "")
        yield made.replace(signature=_stored(part))


def _stored(part: Any) -> str:
    """What only the provider understands, as JSON, so that a transcript can have it."""
    if not part.provider_details:
        return ""
    try:
        return json.dumps(part.provider_details)
    except (TypeError, ValueError):
        return ""


def _usage(usage: Any) -> Usage:
    thinking = (usage.details or {}).get("reasoning_tokens") or 0
    return Usage(
        usage.input_tokens or 0,
        usage.output_tokens or 0,
        usage.cache_read_tokens or 0,
        usage.cache_write_tokens or 0,
        thinking,
    )


def _failed(error: Exception) -> ModelFailed:
    if isinstance(error, ModelFailed):
        return error
    kinds = {kind.__name__ for kind in type(error).__mro__}
    status = getattr(error, "status_code", 0)
    status = status if isinstance(status, int) else 0
    is_passing = status in _PASSING_STATUS if status else bool(kinds & _PASSING)
    if isinstance(error, AgentRunError) and not isinstance(error, ModelAPIError | ContentFilterError):
        is_passing = True  # an answer that makes no sense, or half a stream
    after = getattr(error, "retry_after", None)
    text = _provider_text(error) or str(error) or type(error).__name__
    said = f"{text} ({status})" if status else text
    return ModelFailed(masked(said[:2000]), status, after, is_passing=is_passing)


def _provider_text(error: Exception) -> str:
    """What the provider itself said, where that can be found."""
    body = getattr(error, "body", None)
    inside = body.get("error", body) if isinstance(body, dict) else None
    message = inside.get("message") if isinstance(inside, dict) else None
    return message if isinstance(message, str) else ""
