"""Faults of modules, tools and clocks in a whole session: it goes on, and what happened is heard."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.transcript import read_transcript
from pisces.models.scripted import FACTS
from pisces.models.wire import ModelFailed
from pisces.shapes.events import EVENTS
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.message import CallPart, ResultPart
from tests.modules.js_session import bun
from tests.session.world import SessionWorld

READ = CallPart("1", "read", {"path": "a.txt"})
FAULTS = {
    "raises": "raise ValueError('it broke')",
    "recurses": "handle(event)",
    "returns another event": "return events.SessionStart()",
    "returns no event": "return {'blocked': 'perhaps'}",
    "exits": "raise SystemExit(3)",
}


def broken(event: str, body: str) -> str:
    return (
        "from pisces import events\n\n\ndef extension(pisces):\n"
        f"    @pisces.on(events.{event})\n    def handle(event):\n        {body}\n"
    )


def world_with(folder: Path, turns: list[Any], module: str = "", **options: Any) -> SessionWorld:
    world = SessionWorld(folder, turns, module, **options)
    (world.work / "a.txt").write_text("hello", encoding="utf-8")
    return world


@pytest.mark.parametrize("fault", list(FAULTS))
@pytest.mark.parametrize("event", [kind.__name__ for kind in EVENTS if kind is not ModuleFailed])
def test_a_module_that_breaks_in_any_event_leaves_a_session_that_goes_on(
    tmp_path: Path, event: str, fault: str
) -> None:
    """A guard that breaks blocks what it guards, and says so. Everything else goes on as if it were not there."""
    world = world_with(tmp_path, [(READ,), "one", "two"], broken(event, FAULTS[fault]))
    first, second = world.submit("what is in it?", "and now?")
    said = [each.submitted.blocked or (each.end.why if each.end else "") or each.end.text for each in (first, second)]
    if said != ["one", "two"]:
        failures = " ".join(each.message for each in world.of(ModuleFailed))
        results = [part for ask in world.model.asked for part in ask.messages[-1].parts]
        denied = [part.text for part in results if isinstance(part, ResultPart) and part.is_error]
        assert failures or denied or any("module" in text for text in said), said
    calls = [part for ask in world.model.asked for each in ask.messages for part in each.parts]
    for call in (part for part in calls if isinstance(part, CallPart)):
        assert any(isinstance(part, ResultPart) and part.id == call.id for part in calls)


HEARD_BY_SCRIPTS = """session_start input before_agent_start agent_start turn_start message_start message_update
message_end context tool_execution_start tool_execution_end tool_result turn_end agent_end session_shutdown""".split()


def script_world(folder: Path, turns: list[Any], text: str) -> SessionWorld:
    world = world_with(folder, turns)
    world.places = world.places.replace(env={**bun().env, **world.places.env})
    path = folder / "module.mjs"
    path.write_text(text, encoding="utf-8")
    world.options = world.options.replace(modules=(str(path),))
    return world


def test_a_script_that_throws_at_every_event_is_named_and_the_session_goes_on(tmp_path: Path) -> None:
    lines = [f"  pi.on('{name}', () => {{ throw new Error('broken') }});" for name in HEARD_BY_SCRIPTS]
    world = script_world(tmp_path, [(READ,), "fine"], "export default function (pi) {\n" + "\n".join(lines) + "\n}\n")
    (answered,) = world.submit("hi")
    assert answered.end.text == "fine"
    assert {"Input", "Context", "TurnEnd"} <= {each.event for each in world.of(ModuleFailed)}


def test_a_script_that_ends_its_process_is_said_and_the_session_goes_on(tmp_path: Path) -> None:
    text = "export default function (pi) { pi.on('turn_start', () => process.exit(7)); }\n"
    world = script_world(tmp_path, ["one", "two"], text)
    answers = world.submit("hi", "again")
    assert [each.end.text for each in answers] == ["one", "two"]
    assert world.of(ModuleFailed)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_tool_whose_process_is_killed_has_a_result(tmp_path: Path) -> None:
    world = world_with(tmp_path, [(CallPart("1", "shell", {"command": "echo begun; kill -9 $$"}),), "it was killed"])
    (answered,) = world.submit("run it")
    assert answered.end.text == "it was killed"
    (result,) = world.model.asked[-1].messages[-1].parts
    assert isinstance(result, ResultPart)
    assert result.is_error
    assert "begun" in result.text
    assert "SIGKILL" in result.text


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    monkeypatch.setattr(time, "time", lambda: chance.choice([0.0, 1e9, 4e9, -5.0]))
    busy = ModelFailed("busy", 429, after=0.0, is_passing=True)
    long = "words " * 2_000
    turns = [(READ,), busy, "one", long, long, "a summary", *(["more"] * 5)]
    world = world_with(tmp_path, turns, facts=FACTS.replace(window=8_000))
    answers = world.submit("first", "second", "third", "fourth")
    assert answers[0].end.text == "one"
    assert all(each.end.text for each in answers)
    monkeypatch.undo()
    (path,) = tmp_path.glob(".pisces/agent/sessions/*/*.jsonl")
    spoken = [each.text for each in read_transcript(str(path)).messages]
    assert "fourth" in spoken
