"""Kiro: project before user; hooks of three generations, agents in Markdown and JSON, steering of all levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.kiro import HARNESS
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_steering_of_both_levels_and_agents_md_apply(world: World) -> None:
    world.user(".kiro/steering/own.md", "x")
    world.project(".kiro/steering/tech.md", "---\ninclusion: fileMatch\nfileMatchPattern: '*.py'\n---\nx")
    world.project(".kiro/steering/deep/api.md", "x")
    world.project(".kiro/specs/login/design.md", "x")
    world.project("AGENTS.md", "x")
    assert world.paths("context-files") == [
        "~/.kiro/steering/own.md",
        ".kiro/steering/tech.md",
        ".kiro/steering/deep/api.md",
        "AGENTS.md",
    ]


def test_agents_are_markdown_or_json_and_the_projects_win(world: World) -> None:
    world.project(".kiro/agents/review.md", "---\nname: reviewer\ntools: [read]\n---\nYou review.")
    world.project(".kiro/agents/aws.json", {"description": "Knows AWS", "prompt": "You know.", "tools": ["read"]})
    world.user(".kiro/agents/aws.json", {"prompt": "You do not."})
    found = [(each.item.name, each.source.level, each.item.prompt.strip()) for each in world.found("subagents").items]
    assert found == [("reviewer", "project", "You review."), ("aws", "project", "You know.")]


def test_an_agent_in_json_without_tools_has_none(world: World) -> None:
    world.project(".kiro/agents/mute.json", {"name": "quiet"})
    (agent,) = world.found("subagents").items
    assert (agent.item.name, agent.item.tools) == ("quiet", ())


def test_hooks_of_all_generations_are_found(world: World) -> None:
    lint = {"name": "lint", "trigger": "PostFileSave", "matcher": r"\.ts$", "timeout": 30}
    lint["action"] = {"type": "command", "command": "npm run lint"}
    world.project(".kiro/hooks/all.json", {"version": "v1", "hooks": [lint]})
    older = {"name": "ask", "when": {"type": "fileEdited", "patterns": ["*.md"]}}
    world.project(".kiro/hooks/docs.kiro.hook", {**older, "then": {"type": "askAgent", "prompt": "Check it"}})
    world.project(".kiro/agents/a.json", {"hooks": {"agentSpawn": [{"command": "git status"}]}})
    found = [(each.item.event, each.item.command, each.item.type) for each in world.found("hooks").items]
    assert found == [
        ("PostFileSave", "npm run lint", "command"),
        ("fileEdited", "Check it", "prompt"),
        ("agentSpawn", "git status", "command"),
    ]
    assert [each.item.seconds for each in world.found("hooks").items] == [30, None, None]


def test_hooks_that_are_off_misspelt_or_broken_are_said(world: World) -> None:
    runs = {"type": "command", "command": "true"}
    hooks = [
        {"name": "off", "trigger": "Stop", "action": runs, "enabled": False},
        {"name": "typo", "trigger": "AfterStop", "action": runs},
        {"name": "empty", "trigger": "Stop", "action": {"type": "command"}},
        "not an object",
    ]
    world.project(".kiro/hooks/all.json", {"version": "v1", "hooks": hooks})
    assert world.found("hooks").items == ()
    assert world.codes("hooks") == ["hook-off", "kiro-hook-event", "kiro-hook-shape", "kiro-hook-shape"]
    assert world.problem("hooks", "kiro-hook-event").line == 13


def test_servers_prompts_and_skills_of_the_project_win(world: World) -> None:
    servers = {"docs": {"command": "d"}, "off": {"url": "x", "disabled": True}}
    for place in (world.project, world.user):
        place(".kiro/settings/mcp.json", {"mcpServers": servers})
        place(".kiro/prompts/ship.md", "Ship.")
        place(".kiro/skills/s/SKILL.md", skill("s"))
    assert world.paths("mcp-servers") == [".kiro/settings/mcp.json"]
    assert world.paths("commands") == [".kiro/prompts/ship.md"]
    assert world.paths("skills") == [".kiro/skills/s/SKILL.md"]


def test_settings_and_permissions_are_the_users(world: World) -> None:
    world.user(".kiro/settings/cli.json", {"chat.defaultAgent": "aws"})
    world.user(".kiro/settings/permissions.yaml", "allow:\n  - read\n")
    assert world.paths("settings") == ["~/.kiro/settings/cli.json", "~/.kiro/settings/permissions.yaml"]
