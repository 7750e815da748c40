"""Antigravity: hooks by name, files with an error, plugins that are disabled, and when rules apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.antigravity import HARNESS
from tests.discovery.stands import reasons, stands, states, switch_line
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


STOP = {"Stop": [{"type": "command", "command": "h"}]}


def test_a_hook_name_that_is_off_is_listed_with_its_switch(world: World) -> None:
    other = {"Stop": [{"type": "command", "command": "on"}]}
    world.project(".agents/hooks.json", {"one": {"enabled": False, **STOP}, "two": other})
    assert states(world, "hooks") == {"h": "off", "on": "active"}
    assert switch_line(stands(world, "hooks")[0]) == '"enabled": false,'
    assert world.codes("hooks") == ["hook-off"]


def test_an_error_refuses_every_hook_of_the_file(world: World) -> None:
    world.project(".agents/hooks.json", {"one": STOP, "two": 3})
    assert states(world, "hooks") == {"h": "refused"}


def test_a_disabled_plugin_is_listed_with_all_that_it_brings(world: World) -> None:
    plugin = ".gemini/config/plugins/kit/"
    world.user(plugin + "plugin.json", {"name": "kit", "disabled": True})
    world.user(plugin + "mcp_config.json", {"mcpServers": {"m": {"command": "x"}}})
    world.user(plugin + "skills/s/SKILL.md", skill("s"))
    world.user(plugin + "hooks.json", {"one": STOP})
    kinds = ("packages", "mcp-servers", "skills", "hooks")
    assert [list(states(world, kind).values()) for kind in kinds] == [["off"]] * 4
    assert switch_line(stands(world, "packages")[0]) == '"disabled": true'
    assert world.codes("packages") == ["antigravity-plugin-off"]


def test_a_rule_says_when_it_applies(world: World) -> None:
    world.project(".agents/rules/a.md", "---\ntrigger: manual\n---\nText")
    world.project(".agents/rules/b.md", "Text")
    assert reasons(world, "context-files") == {"a.md": "only when you name it", "b.md": ""}
