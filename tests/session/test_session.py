"""A session from a line to its end, with a model that follows a script."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pisces.agent.loop import DONE
from pisces.diagnostics import PiscesError
from pisces.models.choosing import chosen_model
from pisces.models.scripted import ScriptedModel
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import Answered, open_session
from pisces.shapes.message import CallPart
from pisces.ui.quiet_ui import QuietUi


async def nobody(_question: str, _answers: object) -> None:
    return None


def places_in(folder: Path) -> Places:
    (folder / "work").mkdir()
    return Places(str(folder), str(folder / "work"), {})


async def answered(places: Places, model: ScriptedModel | None, line: str) -> Answered:
    options = SessionOptions(lambda _request, _questions: False, nobody, QuietUi(print), model)
    async with open_session(places, options) as session:
        return await session.submit(line)


def test_a_tool_is_called_and_its_result_goes_back_to_the_model(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    Path(places.cwd, "a.txt").write_text("hello\n", encoding="utf-8")
    model = ScriptedModel([(CallPart("1", "read", {"path": "a.txt"}),), "It says hello."])
    end = asyncio.run(answered(places, model, "what is in a.txt?")).end
    assert end is not None
    assert (end.ended, end.text, end.turns) == (DONE, "It says hello.", 2)
    assert "hello" in str(model.asked[1].messages[-1])


def test_without_a_model_a_prompt_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as caught:
        asyncio.run(answered(places_in(tmp_path), None, "hello"))
    assert caught.value.diagnostic.code == "no-model"


def test_a_model_of_an_unknown_provider_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as caught:
        chosen_model("nobody/x", places_in(tmp_path))
    assert caught.value.diagnostic.code == "unknown-model"
