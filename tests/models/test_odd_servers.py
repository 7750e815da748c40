"""What servers send that speak an API almost as it is written."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from pisces.models import anthropic, gemini, openai_chat, openai_responses
from pisces.models.guarded import GuardedDecoder
from pisces.models.sending import ModelEndpoint, Sender
from pisces.models.wire import END, LENGTH, REFUSED, CallDelta, ModelAnswer, ModelAsk, ModelFailed, Wire
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart, ThinkingPart
from tests.models.fakes import running
from tests.models.recorder import Recorder
from tests.models.test_fakes import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DONE = "[DONE]"


def read(wire: Wire, *events: dict[str, Any] | str) -> tuple[ModelAnswer, list[Any]]:
    decoder = GuardedDecoder(wire.decoder())
    deltas: list[Any] = []
    for each in events:
        deltas += decoder.fed("message", each if isinstance(each, str) else json.dumps(each))
    return decoder.answer(), deltas


def chunk(delta: dict[str, Any] | None, stop: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": stop}]}


def calling(*calls: Any, stop: str | None = None) -> dict[str, Any]:
    return chunk({"tool_calls": list(calls)}, stop)


def piece(text: str, **more: Any) -> dict[str, Any]:
    name = {"name": more.pop("name")} if "name" in more else {}
    return {"type": "function", "function": {**name, "arguments": text}, **more}


ONE_CALL = [
    [calling(piece("", name="read", id="a")), calling(piece('{"n":', id="a")), calling(piece("1}", id="a"))],
    [
        calling(piece("", name="read", id="a", index=0)),
        calling(piece('{"n":', id="b", index=0)),
        calling(piece("1}", id="c", index=0)),
    ],
    [calling(piece('{"n":', name="read", index=0)), calling(piece("1}", name="read", index=0))],
    [calling(None), calling(piece('{"n":1}', name="read", id="a")), calling({"index": 0, "function": None})],
    [chunk({"function_call": {"name": "read", "arguments": '{"n"'}}), chunk({"function_call": {"arguments": ":1}"}})],
]


@pytest.mark.parametrize("events", ONE_CALL)
def test_pieces_of_one_call_are_one_call(events: list[dict[str, Any]]) -> None:
    answer, deltas = read(openai_chat.WIRE, *events, chunk({}, "tool_calls"))
    assert [(call.name, call.input) for call in answer.message.calls] == [("read", {"n": 1})]
    assert {each.id for each in deltas if isinstance(each, CallDelta)} == {answer.message.calls[0].id}


@pytest.mark.parametrize("more", [{"index": 0}, {"index": 0, "id": ""}, {"index": 0, "id": "same"}, {"id": "same"}, {}])
def test_whole_calls_that_cannot_be_told_apart_are_several(more: dict[str, Any]) -> None:
    events = [calling(piece(f'{{"n":{at}}}', name="read", **more)) for at in (1, 2, 3)]
    answer, _ = read(openai_chat.WIRE, *events, chunk(None, "stop"))
    assert [call.input["n"] for call in answer.message.calls] == [1, 2, 3]
    assert len({call.id for call in answer.message.calls}) == 3


def test_a_chat_that_says_done_and_no_reason_is_done() -> None:
    answer, _ = read(openai_chat.WIRE, chunk({"content": "all of it"}), DONE)
    assert (answer.message.text, answer.stop) == ("all of it", END)


def test_content_in_parts_is_text_and_thinking() -> None:
    """Mistral's models that think."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    events = [chunk({"content": [thought]}), chunk({"content": [{"type": "text", "text": "yes"}]}), chunk({}, "stop")]
    answer, deltas = read(openai_chat.WIRE, *events)
    assert [type(part).__name__ for part in answer.message.parts] == ["ThinkingPart", "TextPart"]
    assert [part.text for part in answer.message.parts if isinstance(part, TextPart | ThinkingPart)] == ["hm", "yes"]
    assert [each.text for each in deltas] == ["hm", "yes"]


CUT = piece("", name="read", id="a", index=0)
ITEM = {"type": "function_call", "call_id": "a", "name": "read", "arguments": "", "status": "incomplete"}


@pytest.mark.parametrize(
    ("wire", "event", "stop"),
    [
        (openai_chat.WIRE, calling(CUT, stop="length"), LENGTH),
        (openai_chat.WIRE, calling(CUT, stop="content_filter"), REFUSED),
        (
            openai_responses.WIRE,
            {
                "type": "response.incomplete",
                "response": {"output": [ITEM], "incomplete_details": {"reason": "max_output_tokens"}},
            },
            LENGTH,
        ),
    ],
)
def test_a_call_that_was_cut_before_its_arguments_is_not_taken_for_whole(wire: Wire, event: Any, stop: str) -> None:
    answer, _ = read(wire, event)
    assert len(answer.message.calls) == 1
    assert answer.stop == stop


def test_an_error_as_the_reason_of_an_end_may_pass() -> None:
    with pytest.raises(ModelFailed) as caught:
        read(openai_chat.WIRE, chunk({"content": "half"}), chunk({}, "error"))
    assert caught.value.is_passing


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"])
def test_a_model_that_thought_and_then_broke_its_call_is_asked_again(reason: str) -> None:
    thought = {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]}
    with pytest.raises(ModelFailed, match=reason) as caught:
        read(gemini.WIRE, thought, {"candidates": [{"finishReason": reason, "finishMessage": "print(x)"}]})
    assert caught.value.is_passing


def test_what_a_server_calls_itself_is_no_call_of_ours() -> None:
    block = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    events: list[dict[str, Any]] = [
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"q":1}'}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": {"url": "u"}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "found"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ]
    answer, deltas = read(anthropic.WIRE, *events)
    assert answer.message.parts == (TextPart("found"),)
    assert [type(each).__name__ for each in deltas] == ["TextDelta"]


def test_a_refusal_says_what_the_provider_says() -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "this may do harm"}
    end = {"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_details": details}}
    answer, _ = read(anthropic.WIRE, end, {"type": "message_stop"})
    assert (answer.stop, answer.why) == (REFUSED, "refusal: this may do harm")


def test_items_without_an_index_are_all_there() -> None:
    items = [{"type": "message", "content": [{"type": "output_text", "text": each}]} for each in "ab"]
    events = [{"type": "response.output_item.done", "item": item} for item in items]
    answer, _ = read(openai_responses.WIRE, *events, {"type": "response.completed", "response": {"output": []}})
    assert answer.message.text == "ab"


def test_the_phase_of_a_message_goes_back_to_its_own_provider() -> None:
    item = {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "I look"}]}
    answer, _ = read(openai_responses.WIRE, {"type": "response.completed", "response": {"output": [item]}})
    foreign = answer.message.replace(wire="gemini")
    sent = openai_responses.WIRE.sent(ModelAsk("m", (answer.message, foreign))).body["input"]
    assert [each.get("phase") for each in sent] == ["commentary", None]


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_the_last_event_needs_no_blank_line(end: str) -> None:
    async def asked(url: str) -> str:
        async with Sender() as sender, sender.sent(ModelEndpoint(openai_chat.WIRE, url), ModelAsk("m", ())) as answer:
            assert [each.text async for each in answer] == ["x"]
            return answer.whole().message.text

    with Recorder() as server:
        server.body = f"data: {json.dumps(chunk({'content': 'x'}, 'stop'))}{end}".encode()
        assert asyncio.run(asked(server.url)) == "x"


def test_thinking_before_a_call_goes_back_to_a_server_that_wants_it() -> None:
    """DeepSeek and Moonshot refuse a conversation with calls in which it is missing."""
    call = piece("{}", name="read", id="a", index=0)
    answer, _ = read(openai_chat.WIRE, chunk({"reasoning_content": "hm"}), calling(call, stop="tool_calls"))
    result = ChatMessage(BY_USER, (ResultPart("a", "read", (TextPart("1"),)),))
    plain = ChatMessage(BY_MODEL, (ThinkingPart("mine"), CallPart("b", "read")), "anthropic")
    messages = (ChatMessage(BY_USER, (TextPart("hi"),)), answer.message, result, plain)
    sent = openai_chat.WIRE.sent(ModelAsk("m", messages)).body["messages"]
    assert [each.get("reasoning_content") for each in sent] == [None, "hm", None, None]


def test_a_server_that_refuses_thinking_gets_the_conversation_without_it(tmp_path: Path) -> None:
    with running("chat") as side:
        plain = side.server.chat_events

        def events(model: str, parts: list[Any]) -> Iterator[str]:
            if any(part["kind"] == "call" for part in parts):
                yield f"data: {json.dumps(chunk({'reasoning_content': 'a plan'}))}\n\n"
            yield from plain(model, parts)

        side.server.chat_events = events
        refused = side.error(422)
        refused.message = "body.messages.1.assistant.reasoning_content: Extra inputs are not permitted"
        side.server.push(side.call("list", {}, "a"))
        side.server.push_raw(refused)
        side.server.push(side.text("good"))
        (end,) = Talk(side, tmp_path).said("one")
        assert end.text == "good"
        assert ["a plan" in str(each) for each in side.bodies] == [False, True, False]
