"""The same bytes give the same answer as the official SDKs and pydantic-ai read from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from pisces.formats.sse import Events
from pisces.models import anthropic, gemini, openai_chat, openai_responses
from pisces.models.wire import (
    CALLS,
    END,
    LENGTH,
    REFUSED,
    CallDelta,
    ModelAnswer,
    ModelFailed,
    TextDelta,
    ThinkingDelta,
    Usage,
    Wire,
)
from pisces.shapes.message import CallPart, TextPart, ThinkingPart
from tests.models.generated import (
    anthropic_events,
    chat_events,
    gemini_events,
    responses_events,
    some_answer,
    sse,
)
from tests.models.oracles import ROUNDS, oracle
from tests.models.recorder import Recorder

if TYPE_CHECKING:
    from pisces.shapes.message import MessagePart

WIRES: dict[str, tuple[Wire, Callable[[list[Any], Random], list[dict[str, Any]]], bool]] = {
    "anthropic": (anthropic.WIRE, anthropic_events, True),
    "chat": (openai_chat.WIRE, chat_events, False),
    "responses": (openai_responses.WIRE, responses_events, True),
    "gemini": (gemini.WIRE, gemini_events, False),
}


def read(wire: Wire, content: bytes, size: int = 1000) -> tuple[ModelAnswer, list[Any]]:
    decoder, events = wire.decoder(), Events()
    deltas: list[Any] = []
    for at in range(0, len(content), size):
        for event in events.fed(content[at : at + size]):
            deltas += decoder.fed(event.name, event.data)
    return decoder.answer(), deltas


def made(name: str, seed: int) -> tuple[list[MessagePart], bytes]:
    random = Random(seed)
    _, events, named = WIRES[name]
    parts = some_answer(random)
    return parts, sse(events(parts, random), random, named=named)


def plain(parts: Any) -> list[tuple[Any, ...]]:
    """Without ids and signatures, which only one provider has."""
    found: list[tuple[Any, ...]] = []
    for part in parts:
        if isinstance(part, TextPart):
            found.append(("text", part.text))
        elif isinstance(part, ThinkingPart):
            found.append(("thinking", part.text))
        elif isinstance(part, CallPart):
            found.append(("call", part.name, json.loads(json.dumps(part.input))))
    return found


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_an_answer_is_read_as_it_was_meant(name: str, seed: int) -> None:
    parts, content = made(name, seed)
    answer, deltas = read(WIRES[name][0], content, Random(seed).choice((1, 7, 64, 10_000)))
    assert plain(answer.message.parts) == plain(parts)
    assert answer.usage.input == 19
    assert answer.usage.output == 21
    assert answer.usage.cached == 5
    assert answer.stop == (CALLS if answer.message.calls else END)
    assert "".join(each.text for each in deltas if isinstance(each, TextDelta)) == answer.message.text
    shown = "".join(each.text for each in deltas if isinstance(each, ThinkingDelta))
    assert shown == "".join(part.text for part in answer.message.parts if isinstance(part, ThinkingPart))
    for call in answer.message.calls:
        text = "".join(each.text for each in deltas if isinstance(each, CallDelta) and each.id == call.id)
        assert json.loads(text or "{}") == json.loads(json.dumps(call.input))


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("seed", range(10))
def test_a_stream_that_is_cut_is_no_answer(name: str, seed: int) -> None:
    _, content = made(name, seed)
    blocks = content.replace(b"\r\n", b"\n").split(b"\n\n")
    ends = [block for block in blocks if block and not block.startswith(b":")]
    drop = 2 if name == "chat" else 1  # the last event of a chat is only about tokens
    with pytest.raises(ModelFailed) as caught:
        read(WIRES[name][0], b"\n\n".join(ends[:-drop]) + b"\n\n")
    assert caught.value.is_passing


@pytest.mark.framework
@pytest.mark.parametrize("reader", ["", "sdk-"])
@pytest.mark.parametrize("name", WIRES)
def test_others_read_the_same_from_the_same_bytes(name: str, reader: str) -> None:
    """pydantic-ai, and the provider's own SDK."""
    contents = [made(name, seed)[1] for seed in range(ROUNDS)]
    with Recorder() as server:
        server.bodies = list(contents)
        lines = oracle("read", reader + name, server.url, str(ROUNDS))
    for content, line in zip(contents, lines, strict=True):
        answer, _ = read(WIRES[name][0], content)
        parts = [list(part) for part in plain(answer.message.parts)]
        if reader and name == "chat":  # that SDK drops thinking
            parts = [part for part in parts if part[0] != "thinking"]
        assert parts == line["parts"]
        usage = answer.usage
        assert line.get("usage") in (None, [usage.input, usage.output, usage.cached])


def event(*events: dict[str, Any]) -> bytes:
    return "".join(f"data: {json.dumps(each)}\n\n" for each in events).encode()


def test_arguments_that_are_no_object_are_kept_for_the_model_to_see() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "read", "arguments": '{"path": '}}
    choice = {"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    answer, _ = read(openai_chat.WIRE, event({"choices": [choice]}))
    assert answer.message.calls == (CallPart("c", "read", malformed='{"path": '),)


def test_calls_without_an_index_are_told_apart_by_their_ids() -> None:
    calls = [{"id": f"c{at}", "function": {"name": "read", "arguments": {"n": at}}} for at in (1, 2)]
    same = [{**call, "index": 0} for call in calls]
    for given in (calls, same):
        answer, _ = read(
            openai_chat.WIRE, event({"choices": [{"delta": {"tool_calls": given}, "finish_reason": "stop"}]})
        )
        assert [(call.id, call.input["n"]) for call in answer.message.calls] == [("c1", 1), ("c2", 2)]
        assert answer.stop == CALLS


BUSY = {"code": "server_error", "message": "busy"}


@pytest.mark.parametrize(
    ("wire", "content"),
    [
        (anthropic.WIRE, {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
        (openai_chat.WIRE, {"error": {"message": "busy", "type": "server_error", "code": 503}}),
        (openai_responses.WIRE, {"type": "error", "code": "rate_limit_exceeded", "message": "busy"}),
        (
            openai_responses.WIRE,
            {
                "type": "response.failed",
                "response": {"status": "failed", "error": {"code": "server_error", "message": "busy"}},
            },
        ),
        (gemini.WIRE, {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}),
    ],
)
def test_an_error_in_the_stream_is_one_that_may_pass(wire: Wire, content: dict[str, Any]) -> None:
    with pytest.raises(ModelFailed, match="busy") as caught:
        read(wire, event(content))
    assert caught.value.is_passing


@pytest.mark.parametrize(
    ("wire", "content", "stop"),
    [
        (openai_chat.WIRE, {"choices": [{"delta": {"content": "x"}, "finish_reason": "length"}]}, LENGTH),
        (openai_chat.WIRE, {"choices": [{"delta": {"refusal": "no"}, "finish_reason": "stop"}]}, REFUSED),
        (gemini.WIRE, {"promptFeedback": {"blockReason": "SAFETY"}}, REFUSED),
        (gemini.WIRE, {"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "MAX_TOKENS"}]}, LENGTH),
        (gemini.WIRE, {"candidates": [{"finishReason": "SAFETY"}]}, REFUSED),
    ],
)
def test_why_a_model_stopped_is_said_in_one_word(wire: Wire, content: dict[str, Any], stop: str) -> None:
    assert read(wire, event(content))[0].stop == stop


@pytest.mark.parametrize("wire", [each[0] for each in WIRES.values()])
@pytest.mark.parametrize(
    "data", ["", "null", "[]", "{", "1", '{"choices": 5}', '{"candidates": [7]}', '{"type": 5}', '"x"']
)
def test_events_that_make_no_sense_are_ignored(wire: Wire, data: str) -> None:
    decoder = wire.decoder()
    assert not decoder.fed("message", data)
    with pytest.raises(ModelFailed):
        decoder.answer()


def test_tokens_are_counted_in_one_way() -> None:
    assert read(WIRES["anthropic"][0], made("anthropic", 1)[1])[0].usage == Usage(19, 21, 5, 3)
