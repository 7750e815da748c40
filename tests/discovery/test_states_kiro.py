"""Kiro: hooks that are off, and when steering files apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.kiro import HARNESS
from tests.discovery.stands import reasons, stands, states, switch_line
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_a_hook_that_is_off_is_listed_with_its_switch(world: World) -> None:
    action = {"type": "command", "command": "h"}
    world.project(".kiro/hooks/a.json", {"hooks": [{"trigger": "Stop", "enabled": False, "action": action}]})
    old = {"when": {"type": "agentStop"}, "enabled": False, "then": {"type": "runCommand", "command": "old"}}
    world.project(".kiro/hooks/b.kiro.hook", old)
    assert states(world, "hooks") == {"h": "off", "old": "off"}
    assert {switch_line(each).rstrip(",") for each in stands(world, "hooks")} == {'"enabled": false'}
    assert world.codes("hooks") == ["hook-off", "hook-off"]


def test_steering_says_when_it_applies(world: World) -> None:
    headers = {"a": "inclusion: always", "b": "inclusion: manual", "c": "inclusion: auto"}
    for name, header in {**headers, "d": "inclusion: fileMatch\nfileMatchPattern: ['*.tsx']"}.items():
        world.project(f".kiro/steering/{name}.md", f"---\n{header}\n---\nText")
    assert reasons(world, "context-files") == {
        "a.md": "",
        "b.md": "only when you name it",
        "c.md": "when the agent finds that it fits",
        "d.md": "only with files that fit `*.tsx`",
    }
