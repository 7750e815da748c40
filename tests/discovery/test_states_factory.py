"""Droid: plugins and hooks that are off, and what the organization allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.factory import HARNESS
from tests.discovery.stands import stands, states, switch_line
from tests.discovery.world import World, skill, written


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "h"}]}]}}


@pytest.fixture
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("pisces.harnesses.factory.states.MANAGED_FOLDER", str(tmp_path / "etc"))
    monkeypatch.setattr("pisces.harnesses.factory.finders.plugins.MANAGED_FOLDER", str(tmp_path / "etc"))
    return tmp_path / "etc" / "settings.json"


def plugin(world: World) -> None:
    folder = world.home / "kit"
    world.user("kit/.factory-plugin/plugin.json", {"name": "kit"})
    world.user("kit/skills/s/SKILL.md", skill("s"))
    world.user("kit/hooks/hooks.json", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "k"}]}]}})
    record = {"plugins": {"kit@market": [{"installPath": str(folder)}]}}
    world.user(".factory/plugins/installed_plugins.json", record)


def test_a_plugin_that_is_off_is_listed_with_all_that_it_brings(world: World) -> None:
    plugin(world)
    world.user(".factory/settings.json", {"enabledPlugins": {"kit@market": False}})
    assert [states(world, kind) for kind in ("packages", "skills", "hooks")] == [
        {"kit": "off"},
        {"s": "off"},
        {"k": "off"},
    ]
    assert switch_line(stands(world, "packages")[0]) == '"kit@market": false'
    assert world.codes("packages") == ["factory-plugin-off"]


def test_the_organization_has_the_first_word_on_a_plugin(world: World, managed: Path) -> None:
    plugin(world)
    written(managed, {"enabledPlugins": {"kit@market": False}})
    world.user(".factory/settings.json", {"enabledPlugins": {"kit@market": True}})
    assert states(world, "packages") == {"kit": "off"}


def test_one_switch_turns_all_hooks_off(world: World) -> None:
    world.project(".factory/hooks.json", HOOKS)
    world.user(".factory/settings.json", {"hooksDisabled": True})
    assert states(world, "hooks") == {"h": "off"}
    world.project(".factory/settings.json", {"hooksDisabled": False})
    assert states(world, "hooks") == {"h": "active"}


def test_an_organization_may_allow_its_own_hooks_only(world: World, managed: Path) -> None:
    plugin(world)
    world.user(".factory/hooks.json", HOOKS)
    written(managed, {"allowManagedHooksOnly": True})
    assert states(world, "hooks") == {"h": "off", "k": "off"}
    written(managed, {"allowManagedHooksOnly": True, "enabledPlugins": {"kit@market": True}})
    assert states(world, "hooks") == {"h": "off", "k": "active"}


def test_an_organization_lists_the_servers_that_may_run(world: World, managed: Path) -> None:
    servers = {
        "host": {"url": "https://mcp.linear.app/mcp"},
        "other": {"url": "https://evil.example/mcp.linear.app"},
        "npx": {"command": "npx", "args": ["-y", "x"]},
        "npxx": {"command": "npxx"},
    }
    world.user(".factory/mcp.json", {"mcpServers": servers})
    written(managed, {"mcpPolicy": {"enabled": True, "allowlist": ["mcp.linear.app", "npx -y"]}})
    expected = {"host": "active", "other": "off", "npx": "active", "npxx": "off"}
    assert states(world, "mcp-servers") == expected
    written(managed, {"mcpPolicy": {"allowlist": []}})
    assert set(states(world, "mcp-servers").values()) == {"active"}
