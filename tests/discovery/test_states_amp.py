"""Amp: servers of a workspace wait for approval, rules reject servers, settings switch skills of others off."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.amp import HARNESS
from tests.discovery.stands import stands, states, switch_line
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


USER = ".config/amp/settings.json"


def test_servers_of_a_workspace_wait_for_approval(world: World) -> None:
    world.project(".amp/settings.json", {"amp.mcpServers": {"p": {"command": "x"}}})
    world.user(USER, {"amp.mcpServers": {"u": {"command": "x"}}})
    assert states(world, "mcp-servers") == {"p": "waiting", "u": "active"}
    assert stands(world, "mcp-servers")[0].held.change == "`amp mcp approve p`"  # type: ignore[union-attr]


def test_the_first_rule_that_fits_decides_about_a_server(world: World) -> None:
    rules = [
        {"matches": {"command": "npx @good/*"}, "action": "allow"},
        {"matches": {"url": "https://bad.example/*"}, "action": "reject"},
        {"matches": {"command": "*", "args": ["* --all", "x"]}, "action": "reject"},
        {"matches": {"command": "npx"}, "action": "reject"},
    ]
    servers = {
        "good": {"command": "npx", "args": ["@good/one"]},
        "npx": {"command": "npx", "args": ["other"]},
        "args": {"command": "y", "args": ["--some", "--all"]},
        "url": {"url": "https://bad.example/mcp"},
        "free": {"url": "https://other.example"},
    }
    world.user(USER, {"amp.mcpServers": servers, "amp.mcpPermissions": rules})
    expected = {"good": "active", "npx": "off", "args": "off", "url": "off", "free": "active"}
    assert states(world, "mcp-servers") == expected


def test_skills_of_others_are_switched_off(world: World) -> None:
    world.user(".claude/skills/c/SKILL.md", skill("c"))
    world.user(".claude/skills/c/mcp.json", {"m": {"command": "x"}})
    world.user(".agents/skills/a/SKILL.md", skill("a"))
    world.user(".config/amp/skills/o/SKILL.md", skill("o"))
    world.project(".agents/skills/p/SKILL.md", skill("p"))
    world.user(USER, {"amp.skills.disableClaudeCodeSkills": True, "amp.skills.disableGlobalAgentsSkills": True})
    assert states(world, "skills") == {"a": "off", "o": "active", "p": "active", "c": "off"}
    assert states(world, "mcp-servers") == {"m": "off"}
    assert "disableClaudeCodeSkills" in switch_line(stands(world, "mcp-servers")[0])
