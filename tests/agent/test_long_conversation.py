"""A conversation that is far longer than what a model reads, and that nobody made shorter before it is resumed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.transcript import COMPACTION, Transcript, new_transcript, open_transcript, read_transcript
from pisces.agent.transcript_entry import entry_of
from pisces.models.model import ModelFacts
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelFailed
from pisces.places import Places
from pisces.session.session import Session
from pisces.shapes.event import Event
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import BY_MODEL, BY_USER, ChatMessage, TextPart

SMALL = ModelFacts("scripted-1", "scripted", "scripted", window=8_000)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "work").mkdir()
    return Places(str(tmp_path), str(tmp_path / "work"), {})


def long_session(places: Places, count: int, words: Callable[[int], str] = lambda _: "") -> Transcript:
    """`words` are the user's at a line; the model's where they are empty. Written at once."""
    made = new_transcript(places)
    made.append_message(ChatMessage(BY_USER, (TextPart("the very first wish"),)), {})
    with open(made.path, "ab") as file:
        parent = made.leaf
        for number in range(count):
            text = words(number)
            parts = [{"type": "text", "text": text or f"step {number} was done, with a result"}]
            message = {"role": BY_USER if text else BY_MODEL, "parts": parts}
            head: dict[str, Any] = {"type": "message", "id": f"{number:08x}", "parent": parent, "at": 1.5}
            file.write(json.dumps({**head, "message": message}).encode() + b"\n")
            parent = head["id"]
    made.close()
    return made


def allow(_request: object, _questions: object) -> bool:
    return True


def resumed(places: Places, model: ScriptedModel, work: Callable[[Session], Any]) -> tuple[Any, list[str]]:
    """What `work` returns, and what the user hears meanwhile."""
    events: list[Event] = []

    async def run() -> Any:
        transcript = open_transcript("last", places)
        approve = lambda _request, _questions: True  # noqa: E731
        async with Session.open(
            places, approve, model=model, transcript=transcript, readers=[events.append]
        ) as session:
            return await work(session)

    made = asyncio.run(run())
    return made, [each.message for each in events if isinstance(each, Notification)]


async def go_on(session: Session) -> Any:
    return await session.submit("go on")


def test_the_beginning_is_not_parsed_but_the_first_wish_and_the_last_turns_are_there(places: Places) -> None:
    made = long_session(places, 3_000)
    before = Path(made.path).read_bytes()
    model = ScriptedModel(["the notes", "done"], facts=SMALL)
    _, heard = resumed(places, model, go_on)
    summary, request = model.asked
    assert "step 2900" in summary.messages[0].text
    head = request.messages[0].text
    assert "<user_message>\nthe very first wish\n</user_message>" in head
    assert "the notes" in head
    assert request.messages[-1].text == "go on"
    assert request.messages[-2].text.startswith("step 2999")
    assert any("far longer than what the model can read" in each for each in heard)
    assert Path(made.path).read_bytes().startswith(before)


def test_without_a_summary_the_model_gets_the_last_part_and_the_user_hears_of_it(places: Places) -> None:
    long_session(places, 3_000)
    model = ScriptedModel([ModelFailed("no"), "done"], facts=SMALL)
    _, heard = resumed(places, model, go_on)
    request = model.asked[-1]
    assert request.messages[0].role == BY_USER
    assert "has no summary yet" in request.messages[0].text
    assert "the very first wish" in request.messages[0].text
    assert request.messages[-1].text == "go on"
    assert len(request.messages) < 1_000
    assert any("far longer" in each for each in heard)
    assert any("gave no summary" in each for each in heard)


def test_the_last_of_many_words_stay_and_the_others_are_counted(places: Places) -> None:
    long_session(places, 4_000, lambda number: f"wish {number}" if number % 2 else "")
    transcript = open_transcript("last", places)
    transcript.read_for(1_000)
    head = transcript.messages[0].text
    assert transcript.is_cut
    said = head.count("<user_message>")
    assert 2 < said < 1_000
    numbers = [int(each.split()[0]) for each in head.split("wish ")[1:]]
    assert numbers == list(range(numbers[0], numbers[-1] + 1, 2))
    read = sum(each.role == BY_USER for each in transcript.messages[1:])
    assert f"({2_001 - said - read} older messages" in head


def test_a_compaction_that_stands_before_what_is_read_still_counts(places: Places) -> None:
    made = long_session(places, 100)
    again = open_transcript(made.path, places)
    again.append(COMPACTION, {"summary": "the old notes", "first": again.leaf, "words": ["an old wish"]})
    for number in range(500):
        again.append_message(ChatMessage(BY_MODEL, (TextPart(f"later {number} " * 10),)), {})
    again.close()
    read = read_transcript(made.path)
    read.read_for(1_000)
    head = read.messages[0].text
    assert read.is_cut
    assert "the old notes" in head
    assert "an old wish" in head
    assert "the very first wish" not in head


def test_a_larger_window_reads_more_and_nothing_can_be_undone_that_was_not_done(places: Places) -> None:
    long_session(places, 1_000)
    model = ScriptedModel(facts=SMALL)

    async def work(session: Session) -> bool:
        session.transcript.read_for(1_000)
        assert len(session.transcript.messages) < 1_000
        assert session.transcript.is_cut
        undone = session.compactor.undo()
        session.transcript.read_for(1_000_000)
        assert len(session.transcript.messages) == 1_001
        return undone

    undone, _ = resumed(places, model, work)
    assert not undone


def test_a_fork_has_the_lines_of_its_branch_as_they_are(places: Places) -> None:
    made = long_session(places, 500)
    source = read_transcript(made.path)
    fork = source.fork()
    fork.append_message(ChatMessage(BY_USER, (TextPart("on"),)), {})
    fork.close()
    ours = [each.as_json() for each in read_transcript(fork.path).branch]
    theirs = [each.as_json() for each in source.branch]
    assert ours[2:-1] == theirs[2:]
    assert {**ours[1], "parent": ""} == {**theirs[1], "parent": ""}
    assert ours[1]["parent"] == ours[0]["id"]


def test_the_first_request_costs_less_than_reading_all_lines(places: Places) -> None:
    made = long_session(places, 30_000)
    start = time.process_time()
    lines = [entry_of(line) for line in Path(made.path).read_bytes().split(b"\n")]
    parsing = time.process_time() - start
    assert len(lines) > 30_000
    model = ScriptedModel(["the notes"], facts=SMALL)
    resumed(places, model, go_on)  # loads what is loaded once
    made.close()
    long_session(places, 30_000)
    start = time.process_time()
    resumed(places, ScriptedModel(["the notes"], facts=SMALL), go_on)
    assert time.process_time() - start < parsing
