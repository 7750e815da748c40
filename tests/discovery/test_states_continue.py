"""Continue: one switch of any settings file turns all hooks off, and rules say when they apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.by_name import export_of
from tests.discovery.stands import reasons, states
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, export_of("pisces.harnesses", "continue", "HARNESS"))


HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "h"}]}]}}


@pytest.mark.parametrize("path", ["~/.claude/settings.json", ".claude/settings.local.json", ".continue/settings.json"])
def test_any_settings_file_turns_all_hooks_off(path: str, world: World) -> None:
    world.user(".continue/settings.json", HOOKS)
    assert states(world, "hooks") == {"h": "active"}
    switch = {"disableAllHooks": True}
    world.user(path[2:], switch) if path.startswith("~") else world.project(path, switch)
    assert states(world, "hooks") == {"h": "off"}


def test_a_rule_says_when_it_applies(world: World) -> None:
    headers = {"a": "alwaysApply: true", "b": "alwaysApply: false", "c": "globs: '**/*.ts'", "d": "name: d"}
    for name, header in {**headers, "e": "alwaysApply: false\ndescription: SQL"}.items():
        world.project(f".continue/rules/{name}.md", f"---\n{header}\n---\nText")
    assert reasons(world, "context-files") == {
        "a.md": "",
        "b.md": "only when you name it",
        "c.md": "only with files that fit `**/*.ts`",
        "d.md": "",
        "e.md": "when the agent finds that it fits",
    }
