"""The same bytes give the same answer as the official SDKs and pydantic-ai read from them."""

from __future__ import annotations

import asyncio
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
from tests.models.recorder import Recorder

if TYPE_CHECKING:
    from pisces.shapes.message import MessagePart

ROUNDS = 40
WIRES: dict[str, tuple[Wire, Callable[[list[Any], Random], list[dict[str, Any]]], bool]] = {
    "anthropic": (anthropic.WIRE, anthropic_events, True),
    "chat": (openai_chat.WIRE, chat_events, False),
    "responses": (openai_responses.WIRE, responses_events, True),
    "gemini": (gemini.WIRE, gemini_events, False),
}


def read(wire: Wire, content: bytes, size: int = 1000) -> tuple[ModelAnswer, list[Any]]:
    decoder, events, deltas = wire.decoder(), Events(), []
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


def oracle(name: str, url: str) -> Any:
    pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed (dependency group `oracles`)")
    if name == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client: Any = AsyncAnthropic(api_key="k", base_url=url, max_retries=0)
        return AnthropicModel("claude-opus-4-9", provider=AnthropicProvider(anthropic_client=client))
    if name == "gemini":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel("gemini-2.5-pro", provider=GoogleProvider(api_key="k", base_url=url))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel if name == "chat" else OpenAIResponsesModel
    client = AsyncOpenAI(api_key="k", base_url=url, max_retries=0)
    return model("gpt-5", provider=OpenAIProvider(openai_client=client))


async def read_by_oracle(name: str, url: str) -> Any:
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    async with model_request_stream(oracle(name, url), [ModelRequest([UserPromptPart("hi")])]) as stream:
        async for _ in stream:
            pass
        return stream.get()


def plain_oracle(response: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for part in response.parts:
        if part.part_kind == "text":
            found.append(("text", part.content))
        elif part.part_kind == "thinking":
            found.append(("thinking", part.content))
        elif part.part_kind == "tool-call":
            found.append(("call", part.tool_name, part.args_as_dict()))
    return found


@pytest.mark.parametrize("name", WIRES)
def test_pydantic_ai_reads_the_same_from_the_same_bytes(name: str) -> None:
    pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed (dependency group `oracles`)")
    with Recorder() as server:
        for seed in range(ROUNDS // 2):
            _, server.body = made(name, seed)
            answer, _ = read(WIRES[name][0], server.body)
            response = asyncio.run(read_by_oracle(name, server.url))
            theirs = [each for each in plain_oracle(response) if each != ("text", "")]
            assert plain(answer.message.parts) == theirs, seed
            usage = response.usage
            read_tokens = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
            assert (answer.usage.input, answer.usage.output, answer.usage.cached) == read_tokens
            ids = {part.tool_call_id for part in response.parts if part.part_kind == "tool-call"}
            named = {call.id for call in answer.message.calls if not call.id.startswith("unnamed-call-")}
            assert named <= ids


def test_the_sdk_of_anthropic_reads_the_same_from_the_same_bytes() -> None:
    sdk = pytest.importorskip("anthropic", reason="anthropic is not installed (dependency group `oracles`)")
    with Recorder() as server, sdk.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:
        for seed in range(ROUNDS):
            _, server.body = made("anthropic", seed)
            answer, _ = read(anthropic.WIRE, server.body)
            asked = [{"role": "user", "content": "hi"}]
            with client.messages.stream(model="m", max_tokens=9, messages=asked) as stream:
                whole = stream.get_final_message()
            theirs = [_anthropic_plain(block) for block in whole.content]
            assert plain(answer.message.parts) == theirs
            assert [part.id for part in answer.message.calls] == [
                block.id for block in whole.content if block.type == "tool_use"
            ]


def _anthropic_plain(block: Any) -> tuple[Any, ...]:
    if block.type == "tool_use":
        return "call", block.name, block.input
    return (block.type, block.text if block.type == "text" else block.thinking)


def test_the_sdk_of_openai_reads_the_same_from_the_same_bytes() -> None:
    sdk = pytest.importorskip("openai", reason="openai is not installed (dependency group `oracles`)")
    with Recorder() as server, sdk.OpenAI(api_key="k", base_url=server.url, max_retries=0) as client:
        for seed in range(ROUNDS):
            _, server.body = made("chat", seed)
            answer, _ = read(openai_chat.WIRE, server.body)
            with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "hi"}]) as stream:
                message = stream.get_final_completion().choices[0].message
            calls = [
                (each.id, each.function.name, json.loads(each.function.arguments)) for each in message.tool_calls or ()
            ]
            assert answer.message.text == (message.content or "")
            assert [(each.id, each.name, json.loads(json.dumps(each.input))) for each in answer.message.calls] == calls
            _, server.body = made("responses", seed)
            answer, _ = read(openai_responses.WIRE, server.body)
            with client.responses.stream(model="m", input="hi") as stream:
                whole = stream.get_final_response()
            assert answer.message.text == whole.output_text
            calls = [
                (each.call_id, each.name, json.loads(each.arguments))
                for each in whole.output
                if each.type == "function_call"
            ]
            assert [(each.id, each.name, json.loads(json.dumps(each.input))) for each in answer.message.calls] == calls


def test_the_sdk_of_google_reads_the_same_from_the_same_bytes() -> None:
    genai = pytest.importorskip("google.genai", reason="google-genai is not installed (dependency group `oracles`)")
    with Recorder() as server:
        options = genai.types.HttpOptions(base_url=server.url)
        client = genai.Client(api_key="k", http_options=options)
        for seed in range(ROUNDS):
            _, server.body = made("gemini", seed)
            answer, _ = read(gemini.WIRE, server.body)
            theirs: list[tuple[Any, ...]] = []
            for chunk in client.models.generate_content_stream(model="m", contents="hi"):
                for part in chunk.candidates[0].content.parts or ():
                    theirs.append(_google_plain(part))
            assert plain(answer.message.parts) == _joined(theirs)


def _google_plain(part: Any) -> tuple[Any, ...]:
    if part.function_call:
        return "call", part.function_call.name, part.function_call.args
    return ("thinking" if part.thought else "text", part.text)


def _joined(parts: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for part in parts:
        if found and part[0] == found[-1][0] != "call":
            found[-1] = (part[0], found[-1][1] + part[1])
        else:
            found.append(part)
    return found


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
