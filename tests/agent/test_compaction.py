"""A session whose conversation is made shorter: when, by whom, and what the model and the user get."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.compaction import NOTHING_OLD, Compacted, used_tokens
from pisces.agent.compaction_prompt import summary_ask
from pisces.diagnostics import PiscesError
from pisces.models.model import ModelFacts
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelFailed
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.event import Event
from pisces.shapes.events.compaction import AutoCompactionEnd, AutoCompactionStart, SessionCompact
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import BY_USER, CallPart, ChatMessage, TextPart
from pisces.ui.quiet_ui import QuietUi

SMALL = ModelFacts("scripted-1", "scripted", "scripted", window=8_000)
LONG = "long " * 1_200  # 1,500 tokens


async def nobody(_question: str, _answers: object) -> None:
    return None


def places_in(folder: Path) -> Places:
    (folder / "work").mkdir()
    return Places(str(folder), str(folder / "work"), {})


class Heard:
    """All events of a session, and a session that is worked with while it is open."""

    def __init__(
        self, folder: Path, turns: Sequence[Any], facts: ModelFacts = SMALL, modules: Sequence[str] = ()
    ) -> None:
        self.events: list[Event] = []
        self.model = ScriptedModel(turns, facts=facts)
        self._places, self._modules = places_in(folder), modules

    def during(self, work: Callable[[Session], Any]) -> Any:
        options = SessionOptions(
            lambda _request, _questions: True,
            nobody,
            QuietUi(print),
            self.model,
            readers=[self.events.append],
            modules=self._modules,
        )

        async def run() -> Any:
            async with open_session(self._places, options) as session:
                return await work(session)

        return asyncio.run(run())

    def of(self, kind: type[Event]) -> list[Any]:
        return [each for each in self.events if isinstance(each, kind)]

    @property
    def summaries(self) -> list[str]:
        """The requests for a summary."""
        return [each.messages[0].text for each in self.model.asked if "You write the notes" in each.system]


def text_of(messages: Sequence[ChatMessage]) -> str:
    return "\n".join(str(each) for each in messages)


def test_a_full_window_is_announced_then_summarised_and_the_work_goes_on(tmp_path: Path) -> None:
    lines = [f"wish {number}: {LONG}" for number in range(5)]
    answers = [*["fine"] * 4, "## Goal: wishes", "the last answer"]
    heard = Heard(tmp_path, answers)

    async def work(session: Session) -> str:
        for each in lines:
            end = (await session.submit(each)).end
        assert end is not None
        return end.text

    assert heard.during(work) == "the last answer"
    assert len(heard.summaries) == 1
    started = heard.events.index(heard.of(AutoCompactionStart)[0])
    assert started < heard.events.index(heard.of(SessionCompact)[0])
    assert heard.of(AutoCompactionEnd)[0].aborted is False
    said = [each.message for each in heard.of(Notification) if each.kind == "compaction"]
    assert said[0].endswith("Your own words and the last turns stay")
    assert "tokens now" in said[1]
    last = heard.model.asked[-1].messages
    assert "## Goal: wishes" in last[0].text
    assert "wish 4: " in text_of(last)
    assert len(last) < 9


def test_short_conversations_are_left_alone(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["a", "b", "c"])

    async def work(session: Session) -> None:
        for each in ("one", "two", "three"):
            await session.submit(each)

    heard.during(work)
    assert not heard.of(AutoCompactionStart)


def test_old_results_are_shortened_before_anything_is_summarised(tmp_path: Path) -> None:
    calls = [(CallPart(str(number), "read", {"path": "big.txt", "limit": 600 + number}),) for number in range(9)]
    heard = Heard(tmp_path, [*calls, "done"], SMALL.replace(window=20_000))

    async def work(session: Session) -> str:
        Path(session.places.cwd, "big.txt").write_text("line of text\n" * 600, encoding="utf-8")
        end = (await session.submit("read it often")).end
        assert end is not None
        return end.text

    assert heard.during(work) == "done"
    assert heard.summaries == []
    last = text_of(heard.model.asked[-1].messages)
    assert "taken out of the conversation. All of it: " in last
    path = Path(last.split("All of it: ")[1].split("]")[0])
    assert path.read_text(encoding="utf-8").count("line of text") == 600
    assert path.stat().st_mode & 0o077 == 0


def compact_after(lines: Sequence[str], instructions: str = "") -> Callable[[Session], Any]:
    async def work(session: Session) -> Compacted:
        for each in lines:
            await session.submit(each)
        return await session.compact(instructions)

    return work


def test_the_user_asks_for_it_and_says_what_matters(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, "the notes"], ModelFacts("x"))
    made = heard.during(compact_after(["first", "second"], "keep the names"))
    assert made.entry
    assert made.summary == "the notes"
    assert made.after < made.before
    assert "keep the names" in heard.summaries[0]


def test_nothing_is_lost_where_the_model_gives_no_summary(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, ModelFailed("no key", 401)], ModelFacts("x"))

    async def work(session: Session) -> tuple[Compacted, Any, Any]:
        await session.submit("first")
        await session.submit("second")
        before = session.transcript.messages
        return await session.compact(), before, session.transcript.messages

    made, before, after = heard.during(work)
    assert made.problem == "the model gave no summary: no key"
    assert before == after


@pytest.mark.parametrize("answer", [(), (CallPart("1", "read", {"path": "x"}),)])
def test_an_answer_that_is_no_text_is_no_summary(tmp_path: Path, answer: Any) -> None:
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, *[answer] * 4], ModelFacts("x"))
    assert "no whole summary" in heard.during(compact_after(["first", "second"])).problem


def test_a_short_conversation_says_that_there_is_nothing_to_shorten(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine"], ModelFacts("x"))
    assert heard.during(compact_after(["first"])).problem == NOTHING_OLD


def test_without_a_model_it_says_so(tmp_path: Path) -> None:
    heard = Heard(tmp_path, [])
    heard.model = None  # type: ignore[assignment]
    with pytest.raises(PiscesError) as caught:
        heard.during(compact_after([]))
    assert caught.value.diagnostic.code == "no-model"


def test_it_can_be_undone(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, "the notes", "later"], ModelFacts("x"))

    async def work(session: Session) -> tuple[Any, Any, bool, bool]:
        await session.submit("first")
        await session.submit("second")
        before = session.transcript.messages
        await session.compact()
        await session.submit("third")
        undone = session.compactor.undo()
        return before, session.transcript.messages, undone, session.compactor.undo()

    before, after, undone, again = heard.during(work)
    assert after[: len(before)] == before
    assert [each.text for each in after[len(before) :]] == ["third", "later"]
    assert (undone, again) == (True, False)


MODULE = """
from pisces.events import SessionBeforeCompact

def extension(api):
    @api.on(SessionBeforeCompact)
    def before(event):
        return event.{answer}
"""


def module_in(folder: Path, answer: str) -> str:
    path = folder / "module.py"
    path.write_text(MODULE.replace("{answer}", answer), encoding="utf-8")
    return str(path)


def test_a_module_may_cancel_it(tmp_path: Path) -> None:
    module = module_in(tmp_path, "cancel('not now')")
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000], ModelFacts("x"), [module])
    made = heard.during(compact_after(["first", "second"]))
    assert (made.entry, made.problem) == ("", "not now")
    assert heard.summaries == []


def test_a_module_may_bring_the_summary(tmp_path: Path) -> None:
    module = module_in(tmp_path, "replace(compaction={'summary': 'its own words'})")
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000], ModelFacts("x"), [module])
    made = heard.during(compact_after(["first", "second"]))
    assert made.summary == "its own words"
    assert heard.of(SessionCompact)[0].from_module
    assert heard.summaries == []


READS = """
import json
from pisces.events import SessionBeforeCompact, SessionCompacting

def extension(api):
    @api.on(SessionBeforeCompact)
    def before(event):
        roles = [each["role"] for each in event.preparation["messagesToSummarize"]]
        return event.replace(instructions=f"roles: {roles}")

    @api.on(SessionCompacting)
    def compacting(event):
        return event.replace(context=[event.messages[0]["role"] + " began"])
"""


def test_a_module_reads_what_is_summarised_and_says_what_matters(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(READS, encoding="utf-8")
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, "the notes"], ModelFacts("x"), [str(path)])
    assert heard.during(compact_after(["first", "second"])).summary == "the notes"
    assert "roles: ['user', 'assistant', 'user']" in heard.summaries[0]
    assert "user began" in heard.summaries[0]


def with_hook(folder: Path, event: str, script: str) -> None:
    """In the user's settings of Claude Code."""
    path = folder / ".claude" / "hook.py"
    path.parent.mkdir()
    path.write_text(script, encoding="utf-8")
    hooks = {event: [{"hooks": [{"type": "command", "command": f"{sys.executable} {path}"}]}]}
    (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")


def test_a_hook_may_block_it(tmp_path: Path) -> None:
    script = "import json, sys; sys.stderr.write(json.load(sys.stdin)['trigger'] + ': not now'); sys.exit(2)"
    with_hook(tmp_path, "PreCompact", script)
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000], ModelFacts("x"))
    made = heard.during(compact_after(["first", "second"]))
    assert not made.entry
    assert "manual: not now" in made.problem


def test_what_a_hook_says_after_it_goes_with_the_next_message(tmp_path: Path) -> None:
    script = (
        "import json, sys; source = json.load(sys.stdin)['source']; print('mind this' if source == 'compact' else '')"
    )
    with_hook(tmp_path, "SessionStart", script)
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, "the notes", "later"], ModelFacts("x"))

    async def work(session: Session) -> None:
        await compact_after(["first", "second"])(session)
        await session.submit("third")

    heard.during(work)
    assert "mind this" in heard.model.asked[-1].messages[-1].text


def test_a_failure_is_not_tried_again_with_every_request(tmp_path: Path) -> None:
    def answer(ask: Any) -> Any:
        return ModelFailed("no", 400) if "You write the notes" in ask.system else "fine"

    heard = Heard(tmp_path, [answer] * 30)

    async def work(session: Session) -> None:
        for _ in range(5):
            await session.submit(LONG)
        for _ in range(4):
            await session.submit("short")

    heard.during(work)
    assert len(heard.summaries) == 1
    assert [each.aborted for each in heard.of(AutoCompactionEnd)] == [True]


def test_a_request_that_is_too_long_is_sent_once_more_after_a_compaction(tmp_path: Path) -> None:
    too_long = ModelFailed("prompt is too long: 9 tokens > 8 maximum", 400)
    heard = Heard(tmp_path, ["fine " * 20_000, too_long, "the notes", "done"], ModelFacts("x"))

    async def work(session: Session) -> str:
        await session.submit("first")
        end = (await session.submit("second")).end
        assert end is not None
        return end.text

    assert heard.during(work) == "done"
    assert [each.cause for each in heard.of(AutoCompactionStart)] == ["overflow"]
    assert "the notes" in heard.model.asked[-1].messages[0].text
    assert heard.model.asked[-1].messages[-1].text == "second"


def test_a_request_that_stays_too_long_fails_with_what_the_provider_said(tmp_path: Path) -> None:
    too_long = ModelFailed("prompt is too long: 9 tokens > 8 maximum", 400)
    heard = Heard(tmp_path, ["fine " * 20_000, too_long, "the notes", too_long], ModelFacts("x"))

    async def work(session: Session) -> None:
        await session.submit("first")
        with pytest.raises(ModelFailed, match="prompt is too long"):
            await session.submit("second")

    heard.during(work)
    assert len(heard.summaries) == 1


def test_a_cancelled_summary_leaves_the_conversation_as_it_was(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, "notes " * 1_000], ModelFacts("x"))

    async def work(session: Session) -> tuple[Any, Any]:
        await session.submit("first")
        await session.submit("second")
        before = session.transcript.messages
        heard.model._pace = 0.001
        task = asyncio.ensure_future(session.compact())
        while not heard.summaries:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return before, session.transcript.messages

    before, after = heard.during(work)
    assert before == after


def test_what_a_summary_costs_is_counted(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine " * 2_000, "fine " * 2_000, "the notes"], ModelFacts("x"))

    async def work(session: Session) -> int:
        await compact_after(["first", "second"])(session)
        return session.usage_by_model[0].requests

    assert heard.during(work) == 3


def test_tokens_are_those_that_the_last_answer_counted_and_an_estimate_of_the_rest(tmp_path: Path) -> None:
    heard = Heard(tmp_path, ["fine"])

    async def work(session: Session) -> tuple[int, int]:
        await session.submit("hello")
        counted = used_tokens(session.transcript)
        session.transcript.append_message(ChatMessage(BY_USER, (TextPart("x" * 4_000),)), {})
        return counted, used_tokens(session.transcript)

    counted, more = heard.during(work)
    usage = heard.model.asked[0]
    assert counted >= len(usage.system) // 4
    assert 1_000 <= more - counted <= 1_020


def test_a_summary_is_asked_for_within_the_window_however_long_the_conversation_is() -> None:
    messages = [ChatMessage(BY_USER, (TextPart(f"{number} " + "x" * 500),)) for number in range(500)]
    ask = summary_ask(messages, "", (), 10_000)
    assert len(ask.messages[0].text) < 20_000
    assert "[user] 0 " in ask.messages[0].text
    assert "[user] 499 " in ask.messages[0].text
    assert "parts are left out here" in ask.messages[0].text
