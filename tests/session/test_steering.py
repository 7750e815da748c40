"""What is typed while the agent works: it is steered, or waits in the queue; and what cancelling leaves."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.loop import CANCELLED
from pisces.diagnostics import PiscesError
from pisces.models.wire import ModelAsk, ModelFailed
from pisces.session.session import Session
from pisces.shapes.events.agent import AgentEnd, AgentSettled, QueueUpdate
from pisces.shapes.events.session import Interrupted
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import CallPart, ImagePart
from tests.agent.conversation import assert_valid
from tests.session.world import SessionWorld, until

SLOW_TOOL = """
import asyncio
def extension(pisces):
    @pisces.tool()
    async def slow(number: int = 0) -> str:
        "Takes its time."
        await asyncio.sleep(3600 if number < 0 else 0)
        return f"slow {number}"
"""

STUBBORN_TOOL = """
import asyncio
def extension(pisces):
    @pisces.tool()
    async def stubborn() -> str:
        "Does not end when it should, but when the session does."
        for _ in range(2):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass
        return "at last"
"""


def test_a_steered_message_is_read_after_the_results_and_cuts_no_text(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path)

    async def work(session: Session) -> None:
        def steer(_ask: ModelAsk) -> Any:
            session.steer("rather in red")
            return ("I look at it first", CallPart("1", "read", {"path": "a.txt"}))

        world.model._turns = iter([steer, "red it is"])
        await session.submit("paint it")

    world.during(work)
    assert [each.text for each in world.model.asked[1].messages] == [
        *("paint it", "I look at it first", "", "rather in red")
    ]
    assert [(each.steered, each.queued) for each in world.of(QueueUpdate)] == [(("rather in red",), ()), ((), ())]


def test_queued_lines_run_one_after_another_when_the_agent_is_done(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path)

    async def work(session: Session) -> Any:
        def queue(_ask: ModelAsk) -> str:
            session.queue("second")
            session.queue("third")
            assert session.queued == ("second", "third")
            assert session.unqueue() == "third"
            session.queue("third, edited")
            return "one"

        world.model._turns = iter([queue, "two", "three"])
        return await session.submit("first")

    assert world.during(work).end.text == "three"
    assert world.sent() == ["first", "one", "second", "two", "third, edited"]
    assert [each.will_continue for each in world.of(AgentEnd)] == [True, True, False]
    assert len(world.of(AgentSettled)) == 1
    assert world.of(QueueUpdate)[-1].queued == ()


def test_a_line_that_is_queued_at_rest_runs_at_once(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"])

    async def work(session: Session) -> None:
        session.queue("hi")
        await until(lambda: bool(world.of(AgentSettled)))

    world.during(work)
    assert world.sent() == ["hi"]


def test_a_queued_command_that_does_not_exist_is_said_and_the_next_one_runs(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one", "two"])

    async def work(session: Session) -> Any:
        session.pending.add(_line("/nonsense"))
        session.pending.add(_line("second"))
        return await session.submit("first")

    assert world.during(work).end.text == "two"
    assert any("nonsense" in each.message for each in world.of(Notification))


def test_what_was_queued_stays_after_a_cancelled_run(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "slow", {"number": -1}),), "later"], SLOW_TOOL)

    async def work(session: Session) -> tuple[str, ...]:
        task = asyncio.ensure_future(session.submit("first"))
        await until(lambda: "tool_execution_start" in world.names())
        session.queue("second")
        session.steer("third")
        assert session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return session.queued

    assert world.during(work) == ("third", "second")


def test_a_cancelled_tool_has_a_result_and_the_next_prompt_works(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [("I wait", CallPart("1", "slow", {"number": -1})), "fine"], SLOW_TOOL)

    async def work(session: Session) -> Any:
        task = asyncio.ensure_future(session.submit("wait for ever"))
        await until(lambda: "tool_execution_start" in world.names())
        session.cancel()
        session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert session.is_idle
        assert not session.cancel()
        return await session.submit("never mind")

    assert world.during(work).end.text == "fine"
    assert len(world.of(Interrupted)) == 1
    messages = world.model.asked[-1].messages
    assert_valid(messages)
    assert CANCELLED in str(messages[2])


def test_an_interrupted_answer_is_stored_and_marked(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one two three four five", "fine"])
    world.model._pace = 0.001

    async def work(session: Session) -> list[Any]:
        task = asyncio.ensure_future(session.submit("count"))
        await until(lambda: world.names().count("message_update") >= 2)
        session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await session.submit("go on")
        return [each.fields.get("stop") for each in session.transcript.entries if each.kind == "message"]

    assert world.during(work)[:2] == [None, "interrupted"]
    assert world.sent()[1].startswith("one two")
    assert "interrupted" in world.sent()[2]


@pytest.mark.parametrize("seed", range(8))
def test_a_session_may_be_cancelled_at_any_time_and_resumed(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    calls = tuple(CallPart(f"{each}", "slow", {"number": each}) for each in range(3))
    world = SessionWorld(tmp_path, [], SLOW_TOOL)

    async def work(session: Session) -> None:
        for round_number in range(8):
            world.model._turns = iter([("look", *calls), ModelFailed("busy", 529, 0.0, is_passing=True), "done"])
            task = asyncio.ensure_future(session.submit(f"line {round_number}"))
            for _ in range(chance.randint(0, 60)):
                await asyncio.sleep(0)
            task.cancel()
            if chance.random() < 0.5:
                await asyncio.sleep(0)
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            assert session.is_idle
            assert_valid(session.transcript.messages)
        world.model._turns = iter(["the end"])
        assert (await session.submit("last")).end.text == "the end"  # type: ignore[union-attr]
        assert_valid(world.model.asked[-1].messages)

    world.during(work)


def test_images_go_with_a_line(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["a cat"])
    image = ImagePart("image/png", "aGk=")

    async def work(session: Session) -> None:
        await session.submit("what is this?", [image])

    world.during(work)
    assert image in world.model.asked[0].messages[0].parts


def test_two_lines_at_once_are_worked_on_one_after_another(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one", "two"])

    async def work(session: Session) -> list[str]:
        both = await asyncio.gather(session.submit("first"), session.submit("second"))
        return [each.end.text for each in both if each.end]

    assert world.during(work) == ["one", "two"]
    assert world.sent() == ["first", "one", "second"]


def test_the_events_of_a_line_can_be_iterated_over(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"])

    async def work(session: Session) -> list[str]:
        return [event.NAME async for event in session.run("hi")]

    names = world.during(work)
    assert (names[0], names[-1]) == ("agent_start", "agent_settled")


def test_leaving_the_events_of_a_line_ends_its_work(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "slow", {"number": -1}),)], SLOW_TOOL)

    async def work(session: Session) -> None:
        async with contextlib.aclosing(session.run("hi")) as events:  # type: ignore[type-var]
            async for event in events:
                if event.NAME == "tool_execution_start":
                    break
        assert session.is_idle
        assert_valid(session.transcript.messages)

    world.during(work)
    assert world.of(Interrupted)


def test_what_a_line_raises_comes_out_of_its_events(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path)

    async def work(session: Session) -> None:
        async for _event in session.run("/nonsense"):
            pass

    with pytest.raises(PiscesError):
        world.during(work)


def _line(text: str) -> Any:
    from pisces.session.pending import QueuedLine

    return QueuedLine(text)


def test_a_line_without_a_word_asks_no_model(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["never"])

    async def work(session: Session) -> Any:
        session.queue("  ")
        session.steer("")
        return await session.submit(" \n")

    assert world.during(work).end is None
    assert world.model.asked == []


def test_closing_a_session_ends_what_is_under_way(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "slow", {"number": -1}),)], SLOW_TOOL)

    async def run() -> bool:
        async with Session.open(world.places, lambda _request, _questions: True, **_options(world)) as session:
            task = asyncio.ensure_future(session.submit("wait"))
            await until(lambda: "tool_execution_start" in world.names())
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert_valid(session.transcript.messages)
        return task.cancelled()

    assert asyncio.run(run())


def _options(world: SessionWorld) -> Any:
    return {"model": world.model, "modules": world.options.modules, "readers": world.options.readers}


def test_a_tool_that_ignores_its_cancellation_does_not_hold_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "stubborn", {}),), "fine"], STUBBORN_TOOL)
    monkeypatch.setattr("pisces.agent.loop._END_SECONDS", 0.05)

    async def work(session: Session) -> Any:
        task = asyncio.ensure_future(session.submit("wait"))
        await until(lambda: "tool_execution_start" in world.names())
        session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert_valid(session.transcript.messages)
        return await session.submit("go on")

    assert world.during(work).end.text == "fine"
