"""A subagent through the front door: `pisces -p`, a model on loopback, a file of the user."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.agent_world import AgentWorld, answer
from tests.models.recorder import Recorder


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AgentWorld]:
    with Recorder() as model:
        yield AgentWorld(tmp_path, monkeypatch, model)


def test_it_reports_and_what_it_used_is_counted(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    path = world.home / ".claude" / "agents" / "looker.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: looker\ndescription: looks\ntools: Read\n---\nYou look.\n", encoding="utf-8")
    world.write("a.txt", "hello\n")
    world.model.bodies = [
        answer(("agent", {"name": "looker", "prompt": "what is in a.txt?"})),
        answer(("read", {"path": "a.txt"})),
        answer("it says hello"),
        answer("The looker says hello."),
    ]
    assert world.run("-p", "@looker look", "--output-format", "json") == 0
    said = json.loads(capfd.readouterr().out)
    assert (said["result"], said["turns"]) == ("The looker says hello.", 2)
    assert (said["usage"]["input"], said["usage"]["output"]) == (40, 28)
    assert [each["name"] for each in world.asked[1]["tools"]] == ["read"]
    assert "by the subagent `looker`" in world.last_message(0)
    assert "it says hello" in world.last_message(3)
