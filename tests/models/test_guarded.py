"""Answers of servers that keep to no API: a failure at worst, and text that can be written anywhere."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from pisces.formats.sse import Events
from pisces.models import openai_chat
from pisces.models.guarded import GuardedDecoder
from pisces.models.sending import ModelEndpoint, Sender
from pisces.models.wire import ModelAnswer, ModelAsk, ModelFailed, TextDelta
from tests.models.oracles import ROUNDS
from tests.models.recorder import Recorder
from tests.models.test_reaching import ASK, answered
from tests.models.test_streams import WIRES, made

JUNK: list[Any] = [None, 0, -1, 1.5, "", "x", [], [1], {}, {"a": 1}, True, [[]], [{}], "\ud800", 10**30, {"text": 3}]


def mutated(value: Any, chance: random.Random) -> Any:
    if chance.random() < 0.06:
        return chance.choice(JUNK)
    if isinstance(value, dict):
        return {key: mutated(each, chance) for key, each in value.items() if chance.random() > 0.02}
    return [mutated(each, chance) for each in value] if isinstance(value, list) else value


def read(decoder: GuardedDecoder, events: list[tuple[str, str]]) -> ModelAnswer:
    for name, data in events:
        for delta in decoder.fed(name, data):
            str(delta).encode()
    return decoder.answer()


@pytest.mark.parametrize("name", WIRES)
def test_an_answer_that_keeps_to_no_api_is_a_failure_and_never_a_crash(name: str) -> None:
    wire = WIRES[name][0]
    for seed in range(8 * ROUNDS):
        chance = random.Random(seed)
        events = []
        for event in Events().fed(made(name, seed % 40)[1]):
            is_json = event.data.startswith("{")
            events.append((event.name, json.dumps(mutated(json.loads(event.data), chance)) if is_json else event.data))
        try:
            answer = read(GuardedDecoder(wire.decoder()), events)
        except ModelFailed:
            continue
        assert all(isinstance(each, int) and each >= 0 for each in answer.usage.as_tuple())
        body = wire.sent(ModelAsk("m", (answer.message,))).body
        json.dumps(body, ensure_ascii=False).encode()
        str(answer).encode()


def test_halves_of_a_character_in_two_events_are_one_in_the_answer() -> None:
    def event(content: str, finish: str | None = None) -> tuple[str, str]:
        return "", json.dumps({"choices": [{"delta": {"content": content}, "finish_reason": finish}]})

    decoder = GuardedDecoder(openai_chat.WIRE.decoder())
    answer = read(decoder, [event("a \ud83d"), event("\udc1f b \udc1f", "stop")])
    assert answer.message.text == "a \U0001f41f b \ufffd"


def test_deltas_can_be_written_anywhere() -> None:
    decoder = GuardedDecoder(openai_chat.WIRE.decoder())
    (delta,) = decoder.fed("", '{"choices": [{"delta": {"content": "a \\ud83d"}}]}')
    assert delta == TextDelta("a \ufffd")


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("text/html; charset=utf-8", b"<html>Please log in</html>", "Please log in"),
        ("application/json", b'{"error": {"message": "no such route"}}', "no such route"),
        ("application/json", b"[" * 100_000, "no stream"),
    ],
)
def test_a_page_instead_of_a_stream_is_said_at_once(kind: str, body: bytes, said: str) -> None:
    with Recorder() as server:
        server.headers, server.body = {"content-type": kind}, body
        with pytest.raises(ModelFailed, match=said) as caught:
            answered(server.url)
    assert not caught.value.is_passing


@pytest.mark.parametrize("name", WIRES)
def test_a_request_can_be_cancelled_wherever_it_waits(name: str) -> None:
    """At each step of the event loop in turn, until it gets through."""

    async def cancelled_after(steps: int, url: str) -> bool:
        async def ask() -> None:
            async with Sender() as sender, sender.sent(ModelEndpoint(WIRES[name][0], url, "k"), ASK) as stream:
                async for _ in stream:
                    pass

        task = asyncio.ensure_future(ask())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        try:
            await asyncio.wait_for(task, 30)
        except asyncio.CancelledError:
            return True
        return False

    with Recorder() as server:
        server.body = made(name, 3)[1]
        ended = [asyncio.run(cancelled_after(steps, server.url)) for steps in range(0, 40, 3)]
    assert any(ended)
