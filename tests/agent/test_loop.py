"""The loop over a model that follows a script: what ends it, what is run, and what the model is told."""

from __future__ import annotations

import asyncio

import pytest

from pisces.agent.loop import COST, CUT, DONE, EMPTY, NOT_RUN, REFUSAL, REPEATED, TURNS, LoopLimits, run
from pisces.agent.repeats import WARNING
from pisces.models.model import ModelFacts, Prices
from pisces.models.scripted import FACTS, ScriptedModel
from pisces.models.wire import CALLS, LENGTH, PAUSED, REFUSED, ModelFailed
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart, ThinkingPart
from tests.agent.conversation import Breaking, Conversation, Ending, assert_valid, ended


def call(number: object, name: str = "look", **given: object) -> CallPart:
    return CallPart(f"c{number}", name, given)


def results_in(message: ChatMessage) -> list[ResultPart]:
    return [part for part in message.parts if isinstance(part, ResultPart)]


def test_calls_of_one_answer_run_at_the_same_time_and_keep_their_order() -> None:
    started: list[str] = []
    both = asyncio.Event()

    async def work(each: CallPart) -> str:
        started.append(each.id)
        if len(started) == 2:
            both.set()
        await asyncio.wait_for(both.wait(), 30)
        return each.id

    end, talk = ended([(call(1), call(2)), "fine"], work)
    assert (end.ended, end.text, end.turns) == (DONE, "fine", 2)
    assert [each.text for each in results_in(talk.messages[2])] == ["c1", "c2"]
    assert_valid(talk.messages)


def test_a_request_is_tried_again_after_what_passes() -> None:
    end, talk = ended([ModelFailed("busy", 429, 0.0, is_passing=True), "hello"])
    assert end.text == "hello"
    assert [each for each in talk.kinds() if "Retry" in each] == ["AutoRetryStart", "AutoRetryEnd"]


def test_a_refused_key_is_not_tried_again() -> None:
    model = ScriptedModel([ModelFailed("bad key", 401), "never"])
    with pytest.raises(ModelFailed, match="bad key"):
        asyncio.run(Conversation(model).run())
    assert len(model.asked) == 1


def test_a_provider_that_asks_for_too_long_a_pause_has_failed() -> None:
    model = ScriptedModel([ModelFailed("tomorrow", 429, 86_400.0, is_passing=True), "never"])
    with pytest.raises(ModelFailed, match="tomorrow"):
        asyncio.run(Conversation(model).run())
    assert len(model.asked) == 1


def test_calls_of_an_answer_that_was_cut_do_not_run() -> None:
    ran: list[str] = []

    async def work(each: CallPart) -> str:
        ran.append(each.id)
        return "ran"

    model = Ending({0: LENGTH}, [(call(1),), "in small steps"])
    talk = Conversation(model, work)
    end = asyncio.run(talk.run())
    assert (end.ended, ran) == (DONE, [])
    assert [each.text for each in results_in(talk.messages[2])] == [NOT_RUN]
    assert_valid(talk.messages)


def test_a_model_whose_calls_are_cut_again_and_again_is_ended() -> None:
    turns = [(call(number),) for number in range(9)]
    talk = Conversation(Ending(dict.fromkeys(range(9), LENGTH), turns))
    assert asyncio.run(talk.run()).ended == CUT
    assert_valid(talk.messages)


def test_a_text_that_was_cut_ends_the_run_and_says_so() -> None:
    end = asyncio.run(Conversation(Ending({0: LENGTH}, ["half of"])).run())
    assert (end.ended, end.text) == (CUT, "half of")
    assert end.why


def test_a_refusal_ends_the_run_and_its_calls_do_not_run() -> None:
    ran: list[str] = []

    async def work(each: CallPart) -> str:
        ran.append(each.id)
        return ""

    talk = Conversation(Ending({0: REFUSED}, [(call(1),)]), work)
    assert (asyncio.run(talk.run()).ended, ran) == (REFUSAL, [])
    assert_valid(talk.messages)


def test_an_answer_that_is_paused_for_ever_is_ended() -> None:
    model = Ending(dict.fromkeys(range(100), PAUSED), ["more"] * 100)
    end = asyncio.run(Conversation(model).run())
    assert end.ended == REPEATED
    assert "paused" in end.why


def test_calls_that_are_announced_and_not_there_are_an_empty_answer() -> None:
    end = asyncio.run(Conversation(Ending(dict.fromkeys(range(9), CALLS), [""] * 9)).run())
    assert end.ended == EMPTY


def test_an_empty_answer_is_asked_for_again() -> None:
    end, talk = ended(["", (ThinkingPart("hm"),), "now"])
    assert (end.ended, end.text) == (DONE, "now")
    assert_valid(talk.messages)


def test_a_model_that_says_nothing_ends_the_run_and_leaves_no_empty_message() -> None:
    end, talk = ended(["", " \n", "", ""])
    assert end.ended == EMPTY
    assert len(talk.messages) == 1


def test_a_model_that_repeats_a_call_is_warned_once_and_then_ended() -> None:
    model = ScriptedModel([(call(number, path="a"),) for number in range(100)])
    talk = Conversation(model)
    end = asyncio.run(talk.run())
    assert end.ended == REPEATED
    assert "same calls" in end.why
    assert len(model.asked) < 15
    assert [each.text for each in talk.messages].count(WARNING) == 1
    assert_valid(talk.messages)


def test_calls_that_take_turns_are_repeats_too() -> None:
    model = ScriptedModel([(call(number, path="ab"[number % 2]),) for number in range(100)])
    assert asyncio.run(Conversation(model).run()).ended == REPEATED


def test_a_call_whose_result_changes_may_be_made_often() -> None:
    seen = iter(range(100))

    async def work(_call: CallPart) -> str:
        return f"{next(seen)} of 100"

    end, _ = ended([*((call(number),) for number in range(18)), "ready"], work)
    assert (end.ended, end.text) == (DONE, "ready")


def test_other_work_between_two_equal_calls_is_no_repeat() -> None:
    turns = [(call(n, path="test" if n % 2 else f"edit {n}"),) for n in range(40)]
    end, _ = ended([*turns, "ready"])
    assert end.ended == DONE


def test_a_limit_of_requests_ends_the_run() -> None:
    model = ScriptedModel([(call(n, at=n),) for n in range(9)])
    end = asyncio.run(Conversation(model).run(LoopLimits(turns=3)))
    assert (end.ended, end.turns, len(model.asked)) == (TURNS, 3, 3)


def test_a_limit_of_the_cost_ends_the_run_before_the_next_request() -> None:
    facts = FACTS.replace(prices=Prices(1_000_000.0, 1_000_000.0))
    model = ScriptedModel([(call(n, at=n),) for n in range(9)], facts=facts)
    end = asyncio.run(Conversation(model).run(LoopLimits(cost=3.0)))
    assert end.ended == COST
    assert end.cost is not None
    assert end.cost >= 3.0
    assert len(model.asked) == 2


def test_a_limit_of_the_cost_without_prices_asks_no_model_and_says_why() -> None:
    model = ScriptedModel(["never"], facts=ModelFacts("m", "p"))
    end = asyncio.run(Conversation(model).run(LoopLimits(cost=1.0)))
    assert (end.ended, model.asked) == (COST, [])
    assert "`p/m`" in end.why


def test_what_the_user_typed_meanwhile_comes_after_the_results() -> None:
    talk = Conversation(ScriptedModel([(call(1),), "as you like"]))
    talk.steered.append(ChatMessage(BY_USER, (TextPart("rather in red"),)))
    asyncio.run(talk.run())
    assert [type(each.parts[0]).__name__ for each in talk.messages] == [
        *("TextPart", "CallPart", "ResultPart", "TextPart", "TextPart")
    ]
    assert talk.messages[3].text == "rather in red"


def test_what_is_typed_while_the_last_answer_streams_is_read_before_the_end() -> None:
    model = ScriptedModel(["first", "second"])
    talk = Conversation(model)
    talk.steered.append(ChatMessage(BY_USER, (TextPart("wait"),)))
    end = asyncio.run(talk.run())
    assert end.text == "second"
    assert [each.text for each in talk.messages] == ["go", "first", "wait", "second"]


def test_somebody_may_have_the_agent_go_on() -> None:
    talk = Conversation(ScriptedModel(["done?", "done!"]))
    talk.reasons.append("run the tests")
    assert asyncio.run(talk.run()).text == "done!"
    assert talk.messages[2].text == "run the tests"


def test_a_conversation_that_is_too_long_is_shortened_once() -> None:
    long = ModelFailed("prompt is too long: 210000 tokens > 200000 maximum", 400)
    shortened: list[str] = []

    async def shorten(failed: ModelFailed) -> bool:
        shortened.append(str(failed))
        return True

    async def answer(*turns: ModelFailed | str) -> str:
        talk = Conversation(ScriptedModel(turns))
        return (await run(talk.actions.replace(shortened=shorten))).text

    assert asyncio.run(answer(long, "short now")) == "short now"
    with pytest.raises(ModelFailed, match="too long"):
        asyncio.run(answer(long, long))
    assert len(shortened) == 2


def test_an_answer_that_fails_for_good_in_the_middle_leaves_what_was_said() -> None:
    model = Breaking("half of an answer", ModelFailed("gone", 400))
    talk = Conversation(model)
    with pytest.raises(ModelFailed, match="gone"):
        asyncio.run(talk.run())
    assert [each.text for each in talk.messages] == ["go", "half of an answer"]
    assert talk.answers[0].stop == "interrupted"


def test_an_answer_that_breaks_and_then_succeeds_is_stored_once() -> None:
    model = Breaking("half of", ModelFailed("cut", after=0.0, is_passing=True), "the whole")
    talk = Conversation(model)
    assert asyncio.run(talk.run()).text == "the whole"
    assert [each.text for each in talk.messages] == ["go", "the whole"]


def test_a_tool_that_raises_leaves_a_result_for_each_call() -> None:
    async def work(each: CallPart) -> str:
        if each.id == "c1":
            raise OSError("our own fault")
        return "fine"

    talk = Conversation(ScriptedModel([(call(1), call(2))]), work)
    with pytest.raises(OSError, match="our own fault"):
        asyncio.run(talk.run())
    assert_valid(talk.messages)
    assert [each.text for each in results_in(talk.messages[2])] == ["OSError: our own fault", "fine"]
    assert talk.messages[1].role == BY_MODEL
