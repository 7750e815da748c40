"""A session and its transcript: what is resumed, what is let go, and what is said when the disk refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.transcript import Transcript, open_transcript, read_transcript
from pisces.models.model import ModelFacts, Prices
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import Usage
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.event import Event
from pisces.ui.quiet_ui import QuietUi


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "work").mkdir()
    return Places(str(tmp_path), str(tmp_path / "work"), {})


async def nobody(_question: str, _answers: object) -> None:
    return None


def during(
    places: Places, model: ScriptedModel, work: Callable[[Session], Any], transcript: Transcript | None = None
) -> list[Event]:
    """The events of a session."""
    heard: list[Event] = []

    async def run() -> None:
        options = SessionOptions(
            lambda _request, _questions: False, nobody, QuietUi(print), model, (heard.append,), transcript
        )
        async with open_session(places, options) as session:
            await work(session)

    asyncio.run(run())
    return heard


def test_a_resumed_session_gives_the_model_what_was_said_before(places: Places) -> None:
    during(places, ScriptedModel(["I am called pisces."]), lambda session: session.submit("who are you?"))
    model = ScriptedModel(["I said so."])
    again = open_transcript("last", places)
    during(places, model, lambda session: session.submit("again?"), again)
    texts = [each.text for each in model.asked[0].messages]
    assert texts[:2] == ["who are you?", "I am called pisces."]
    assert texts[2].startswith("again?")
    assert len(read_transcript(again.path).messages) == 4


def test_a_session_that_has_ended_can_be_resumed_by_another_process(places: Places) -> None:
    sessions: list[Session] = []

    async def work(session: Session) -> None:
        sessions.append(session)
        await session.submit("hello")

    during(places, ScriptedModel(["hi"]), work)
    again = open_transcript("last", places)
    assert again.id == sessions[0].transcript.id, "its lock is free, although the session is still in memory"
    assert again.totals.messages == 2


def test_a_disk_that_refuses_is_said_once_and_the_conversation_goes_on(places: Places) -> None:
    Path(places.home, ".pisces").write_text("a file", encoding="utf-8")
    answers: list[Any] = []

    async def work(session: Session) -> None:
        for line in ("one", "two"):
            answers.append((await session.submit(line)).end)

    heard = during(places, ScriptedModel(["first", "second"]), work)
    assert [each.text for each in answers] == ["first", "second"]
    said = [each for each in heard if "goes on in memory" in str(getattr(each, "message", ""))]
    assert len(said) == 1


def test_what_was_spent_beside_the_conversation_is_in_its_cost(places: Places) -> None:
    facts = ModelFacts("m", "p", window=100_000, prices=Prices(1_000_000.0, 0.0))
    paths: list[str] = []

    async def work(session: Session) -> None:
        await session.submit("hello")
        session.spend_beside(Usage(input=3), ScriptedModel([], facts=facts))
        paths.append(session.transcript.path)
        assert session.transcript.cost == session.cost

    during(places, ScriptedModel(["hi"], facts=facts), work)
    assert read_transcript(paths[0]).totals.usage.input >= 3
