"""Antigravity: project before user before plugins; a hooks file with an error is dropped whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.antigravity import HARNESS
from tests.discovery.world import World, skill

AGENT = "---\nname: {0}\ndescription: Does {0}\n---\nYou do {0}."
RUNS = {"type": "command", "command": "guard"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_rules_of_a_project_may_lie_in_four_folders(world: World) -> None:
    world.user(".gemini/GEMINI.md", "x")
    for root in (".agents", ".agent", "_agents", "_agent"):
        world.project(f"{root}/rules/style.md", "x")
    world.project("AGENTS.md", "x")
    world.project("GEMINI.md", "x")
    assert world.paths("context-files") == [
        "~/.gemini/GEMINI.md",
        ".agents/rules/style.md",
        ".agent/rules/style.md",
        "_agents/rules/style.md",
        "_agent/rules/style.md",
        "AGENTS.md",
        "GEMINI.md",
    ]


def test_workflows_are_commands_and_the_projects_win(world: World) -> None:
    world.project(".agents/workflows/ship.md", "---\ndescription: Ships\n---\nShip.")
    world.user(".gemini/antigravity-cli/global_workflows/ship.md", "x")
    world.user(".gemini/antigravity/global_workflows/own.md", "x")
    assert world.paths("commands") == [".agents/workflows/ship.md", "~/.gemini/antigravity/global_workflows/own.md"]


def test_agents_are_files_or_folders(world: World) -> None:
    world.project(".agents/agents/a.md", AGENT.format("a"))
    world.project(".agents/agents/b/agent.md", AGENT.format("b"))
    world.user(".gemini/config/agents/c.md", AGENT.format("c"))
    assert world.names("subagents") == ["a", "b", "c"]


def test_hooks_have_names_with_groups_for_tools_and_handlers_for_the_rest(world: World) -> None:
    guard = {"PreToolUse": [{"matcher": "run_command", "hooks": [RUNS]}], "Stop": [{"command": "bye"}], "enabled": True}
    world.project(".agents/hooks.json", {"guard": guard, "old": {"enabled": False, "Stop": [RUNS]}})
    found = [(each.item.event, each.item.matcher, each.item.command) for each in world.found("hooks").items]
    assert found == [("PreToolUse", "run_command", "guard"), ("Stop", None, "bye")]
    assert world.codes("hooks") == ["hook-off"]


def test_one_error_drops_the_whole_hooks_file(world: World) -> None:
    world.project(".agents/hooks.json", {"guard": {"Stop": [RUNS]}, "PreToolUse": [RUNS]})
    world.user(".gemini/config/hooks.json", {"mine": {"Stop": [{"command": "m"}]}})
    assert [each.item.command for each in world.found("hooks").items] == ["m"]
    assert world.codes("hooks") == ["flat-hook-shape"]


def test_an_empty_file_of_servers_is_no_error(world: World) -> None:
    world.user(".gemini/config/mcp_config.json", "")
    world.project(".agents/mcp_config.json", {"mcpServers": {"docs": {"serverUrl": "https://a.example/mcp"}}})
    assert [(each.item.name, each.item.launch) for each in world.found("mcp-servers").items] == [
        ("docs", "https://a.example/mcp")
    ]
    assert world.codes("mcp-servers") == []


def test_plugins_bring_their_parts_after_what_is_written_by_hand(world: World) -> None:
    kit = ".gemini/antigravity-cli/plugins/kit/"
    world.user(kit + "plugin.json", {"name": "kit"})
    world.user(kit + "skills/s/SKILL.md", skill("s"))
    world.user(kit + "agents/a.md", AGENT.format("a"))
    world.user(kit + "hooks.json", {"kit": {"Stop": [RUNS]}})
    world.user(kit + "mcp_config.json", {"mcpServers": {"m": {"command": "m"}}})
    world.project(".agents/skills/s/SKILL.md", skill("s"))
    names = {kind: world.names(kind) for kind in ("packages", "skills", "subagents", "mcp-servers")}
    assert names == {"packages": ["kit"], "skills": ["s"], "subagents": ["a"], "mcp-servers": ["m"]}
    assert world.paths("skills") == [".agents/skills/s/SKILL.md"]
    assert [each.package for each in world.found("hooks").items] == ["kit"]


def test_a_plugin_that_is_off_or_broken_brings_nothing(world: World) -> None:
    for name, manifest in (("off", {"name": "off", "disabled": True}), ("broken", "{")):
        world.user(f".gemini/antigravity-cli/plugins/{name}/plugin.json", manifest)
        world.user(f".gemini/antigravity-cli/plugins/{name}/skills/{name}/SKILL.md", skill(name))
    assert world.names("packages") == []
    assert world.names("skills") == []
    assert world.codes("packages") == ["package-manifest", "antigravity-plugin-off"]


def test_settings_are_those_of_the_command_line(world: World) -> None:
    world.user(".gemini/antigravity-cli/settings.json", {"toolPermission": "always"})
    assert world.paths("settings") == ["~/.gemini/antigravity-cli/settings.json"]
