"""A run is cancelled at each place where it waits, once or twice: the conversation stays whole, and nothing runs on."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import pytest

from pisces.agent.loop import CANCELLED
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelFailed
from pisces.shapes.message import BY_USER, CallPart, ChatMessage, ResultPart, TextPart, ThinkingPart
from tests.agent.conversation import Conversation, Ending, Work, assert_valid

MOST_STEPS = 400


async def steps(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def scripted(chance: random.Random) -> list[Any]:
    """An agent's answers: texts, thinking, up to four calls at once, failures that pass."""
    turns: list[Any] = []
    for number in range(chance.randint(1, 4)):
        if chance.random() < 0.2:
            turns.append(ModelFailed("busy", 529, 0.0, is_passing=True))
        calls = [CallPart(f"{number}.{each}", "look", {"at": each}) for each in range(chance.randint(0, 4))]
        text = ["one two three"] if chance.random() < 0.6 or not calls else []
        turns.append((ThinkingPart("hm"), *text, *calls))
    return turns


def working(chance: random.Random) -> Work:
    """Tools of different speed, some of which need a moment to end after they were cancelled."""

    async def work(call: CallPart) -> str:
        try:
            await steps(chance.randint(0, 6))
        except asyncio.CancelledError:
            await steps(chance.randint(0, 3))
            raise
        return call.id

    return work


async def cancelled_at(step: int, again: int, seed: int) -> bool:
    """Whether the run was still under way. Afterwards the same conversation goes on with the next prompt."""
    chance = random.Random(seed)
    ends = {number: chance.choice(["length", "refused"]) for number in range(6) if chance.random() < 0.1}
    talk = Conversation(Ending(ends, scripted(chance)), working(chance))
    is_steered = chance.random() < 0.3
    if is_steered:
        talk.steered.append(ChatMessage(BY_USER, (TextPart("rather in red"),)))
    task = asyncio.ensure_future(talk.run())
    await steps(step)
    was_running = task.cancel()
    await steps(again)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert_valid(talk.messages)
    assert len(asyncio.all_tasks()) == 1 or again, "something was left running"
    await steps(20)
    assert not talk.running
    talk.model = ScriptedModel(["and on"])
    talk.messages.append(ChatMessage(BY_USER, (TextPart("go on"),)))
    await talk.run()
    assert_valid(talk.messages)
    texts = [each.text for each in talk.messages]
    assert (texts.count("and on"), texts.count("rather in red")) == (1, int(is_steered))
    return was_running


@pytest.mark.parametrize("seed", range(12))
def test_a_run_may_be_cancelled_wherever_it_waits(seed: int) -> None:
    for step in range(MOST_STEPS):
        if not asyncio.run(cancelled_at(step, 0, seed)):
            break
    else:
        pytest.fail("it never ends")


@pytest.mark.parametrize("seed", range(12, 18))
def test_a_run_may_be_cancelled_twice(seed: int) -> None:
    for step in range(MOST_STEPS):
        for again in (1, 2, 4):
            if not asyncio.run(cancelled_at(step, again, seed)):
                return
    pytest.fail("it never ends")


def test_what_the_model_had_said_is_stored_as_interrupted() -> None:
    async def run() -> Conversation:
        model = ScriptedModel(["one two three four"], pace=0.0001)
        talk = Conversation(model)
        task = asyncio.ensure_future(talk.run())
        while talk.kinds().count("MessageUpdate") < 2:
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return talk

    talk = asyncio.run(run())
    assert talk.messages[1].text.startswith("one two ")
    assert talk.answers[0].stop == "interrupted"


def test_a_tool_that_has_ended_keeps_its_result_when_the_other_one_hangs() -> None:
    async def run() -> Conversation:
        ended = asyncio.Event()

        async def work(call: CallPart) -> str:
            if call.id == "slow":
                await asyncio.Event().wait()
            ended.set()
            return "quick result"

        talk = Conversation(ScriptedModel([(CallPart("quick", "a"), CallPart("slow", "b"))]), work)
        task = asyncio.ensure_future(talk.run())
        await ended.wait()
        await steps(3)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert not talk.running
        return talk

    results = [part for part in asyncio.run(run()).messages[-1].parts if isinstance(part, ResultPart)]
    assert [(each.id, each.text, each.is_error) for each in results] == [
        ("quick", "quick result", False),
        ("slow", CANCELLED, True),
    ]
