"""Windsurf and Devin: `.devin` before `.windsurf`, project before user; rules and hooks of all levels apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.discovery.harness import Look
from pisces.discovery.options import Managed
from pisces.harnesses.windsurf import HARNESS
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The folder of the machine's administrator is left out: it is that of the machine that runs the tests."""

    def without_system(kind: str) -> tuple[Look, ...]:
        return tuple(look for look in HARNESS.looks[kind]() if not isinstance(look.options, Managed))

    looks = {kind: lambda kind=kind: without_system(kind) for kind in HARNESS.looks}
    return World(tmp_path, HARNESS.replace(looks=looks))


def test_rules_of_both_generations_and_all_levels_apply(world: World) -> None:
    world.user(".codeium/windsurf/memories/global_rules.md", "x")
    world.user(".codeium/windsurf/memories/1234.pb", "x")
    world.user(".config/devin/AGENTS.md", "x")
    world.user(".devin/rules/own.md", "x")
    world.project(".devin/rules/new.md", "---\ntrigger: always_on\n---\nx")
    world.project(".windsurf/rules/old.md", "x")
    world.project("app/.windsurf/rules/app.md", "x")
    world.project("app/.windsurfrules", "x")
    world.project("AGENTS.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == [
        "~/.codeium/windsurf/memories/global_rules.md",
        "~/.config/devin/AGENTS.md",
        "~/.devin/rules/own.md",
        "app/.windsurf/rules/app.md",
        ".devin/rules/new.md",
        ".windsurf/rules/old.md",
        "app/.windsurfrules",
        "AGENTS.md",
    ]


def test_rules_of_the_machine_are_looked_for_too() -> None:
    managed = [look.options for look in HARNESS.looks["context-files"]() if isinstance(look.options, Managed)]
    assert [options.inside for options in managed] == ["rules"]


def test_workflows_are_commands_from_here_up_and_then_the_users(world: World) -> None:
    world.project(".windsurf/workflows/ship.md", "---\ndescription: Ships\n---\nShip.")
    world.project("app/.windsurf/workflows/ship.md", "Ship the app.")
    world.user(".codeium/windsurf/global_workflows/own.md", "Mine.")
    world.cwd = world.repository / "app"
    assert world.paths("commands") == [
        "app/.windsurf/workflows/ship.md",
        "~/.codeium/windsurf/global_workflows/own.md",
    ]


def test_skills_of_the_project_win(world: World) -> None:
    for folder in (".devin", ".windsurf", ".agents"):
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
    for folder in (".config/devin", ".codeium/windsurf", ".agents"):
        world.user(f"{folder}/skills/u/SKILL.md", skill("u"))
    assert world.paths("skills") == [".devin/skills/s/SKILL.md", "~/.config/devin/skills/u/SKILL.md"]
    assert len(world.found("skills").all) == 6


def test_an_agent_is_a_folder_and_named_like_it(world: World) -> None:
    world.project(".devin/agents/review/AGENT.md", "---\nname: other\ndescription: Reviews\n---\nYou review.")
    world.project(".devin/agents/review/notes.md", "x")
    world.user(".config/devin/agents/test/AGENT.md", "You test.")
    assert world.names("subagents") == ["review", "test"]


def test_servers_of_devin_and_of_cascade(world: World) -> None:
    world.project(".devin/mcp_config.json", {"mcpServers": {"docs": {"serverUrl": "https://a.example"}}})
    world.project(".devin/config.json", {"mcpServers": {"docs": {"command": "old"}, "older": {"command": "x"}}})
    servers = {"own": {"command": "o"}, "off": {"command": "x", "disabled": True}}
    world.user(".codeium/windsurf/mcp_config.json", {"mcpServers": servers})
    found = [(each.item.name, each.item.launch) for each in world.found("mcp-servers").items]
    assert found == [("docs", "https://a.example"), ("older", "x"), ("own", "o")]
    assert world.codes("mcp-servers") == ["mcp-server-off"]


def test_hooks_of_the_user_run_before_those_of_the_workspace(world: World) -> None:
    world.user(".codeium/windsurf/hooks.json", {"hooks": {"pre_run_command": [{"command": "u", "show_output": True}]}})
    world.project(".windsurf/hooks.json", {"hooks": {"post_write_code": [{"powershell": "w"}]}})
    group = {"matcher": "exec", "hooks": [{"type": "command", "command": "d"}]}
    world.project(".devin/hooks.v1.json", {"PreToolUse": [group]})
    world.project(".devin/config.local.json", {"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "Done?"}]}]}})
    found = [(each.item.event, each.item.command, each.item.matcher) for each in world.found("hooks").items]
    assert found == [
        ("pre_run_command", "u", None),
        ("post_write_code", "w", None),
        ("PreToolUse", "d", "exec"),
        ("Stop", "Done?", None),
    ]


def test_settings_are_those_of_devin(world: World) -> None:
    world.project(".devin/config.json", '{\n  // ours\n  "permissions": {"allow": ["Exec(git)"]},\n}')
    world.user(".config/devin/config.json", {})
    assert world.paths("settings") == [".devin/config.json", "~/.config/devin/config.json"]
