"""Auggie: local before project before user settings; the user's commands first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.augment import HARNESS
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_commands_of_its_own_folders_come_before_claudes(world: World) -> None:
    world.user(".augment/commands/fix.md", "User")
    world.project(".augment/commands/fix.md", "Project")
    world.project(".claude/commands/fix.md", "Claude")
    world.project(".claude/commands/other.md", "Claude")
    assert world.paths("commands") == ["~/.augment/commands/fix.md", ".claude/commands/other.md"]


def test_skills_are_those_of_three_folders_here_and_at_home(world: World) -> None:
    folders = (".augment", ".claude", ".agents")
    for folder in folders:
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
        world.user(f"{folder}/skills/s/SKILL.md", skill("s"))
    found = [path.removesuffix("/skills/s/SKILL.md") for path in world.paths("skills", every=True)]
    assert found == [*folders, *(f"~/{folder}" for folder in folders)]


def test_servers_hooks_and_settings_come_from_the_same_files(world: World) -> None:
    hooks = {"PreToolUse": [{"matcher": "launch-process", "hooks": [{"type": "command", "command": "guard.sh"}]}]}
    world.project(".augment/settings.local.json", {"mcpServers": {"a": {"command": "local"}}})
    world.project(".augment/settings.json", {"hooks": hooks, "mcpServers": {"a": {"command": "no"}}})
    world.user(".augment/settings.json", {"mcpServers": {"b": {"url": "https://b", "disabled": True}}})
    assert [(each.item.name, each.item.launch) for each in world.found("mcp-servers").items] == [("a", "local")]
    assert world.codes("mcp-servers") == ["mcp-server-off"]
    assert [(each.item.command, each.source.level) for each in world.found("hooks").items] == [("guard.sh", "project")]
    assert world.paths("settings") == [
        ".augment/settings.local.json",
        ".augment/settings.json",
        "~/.augment/settings.json",
    ]


def test_rules_and_guidelines_all_count(world: World) -> None:
    for path in ("CLAUDE.md", "AGENTS.md", ".augment-guidelines", ".augment/rules/deep/a.md", ".augment/rules/b.mdx"):
        world.project(path, "x")
    world.user(".augment/rules/own.md", "x")
    assert world.paths("context-files") == [
        "CLAUDE.md",
        "AGENTS.md",
        ".augment-guidelines",
        ".augment/rules/b.mdx",
        ".augment/rules/deep/a.md",
        "~/.augment/rules/own.md",
    ]


def test_agents_of_the_project_come_first(world: World) -> None:
    world.project(".augment/agents/r.md", "---\nname: review\ndescription: Reviews\n---\nYou review.")
    world.user(".augment/agents/r.md", "---\nname: review\n---\nMine.")
    assert world.paths("subagents") == [".augment/agents/r.md"]
