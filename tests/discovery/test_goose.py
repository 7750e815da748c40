"""Goose: the project before the user; recipes, then its own folders, Claude Code's and `.agents`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.goose import HARNESS
from tests.discovery.world import World, skill

RECIPE = "version: 1.0.0\ntitle: Review\ndescription: Reviews it\ninstructions: Review the change.\n"
CONFIG = """
GOOSE_MODE: smart_approve
extensions:
  developer: {type: builtin, name: developer, enabled: true}
  docs:
    type: stdio
    enabled: true
    cmd: docs-server
    args: [--stdio]
    envs: {LEVEL: info}
  far: {type: streamable_http, enabled: true, uri: "https://far.example"}
  off: {type: stdio, enabled: false, cmd: off-server}
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_recipes_come_before_agents_and_other_yaml_is_nothing(world: World) -> None:
    world.project("review.yaml", RECIPE)
    world.project("compose.yaml", "services: {}\n")
    world.project("broken.json", "{")
    world.project(".goose/recipes/plan.yaml", RECIPE)
    world.user(".config/goose/recipes/plan.yaml", RECIPE)
    world.project(".goose/agents/a.md", "---\nname: helper\n---\nHelp.")
    world.project(".claude/agents/b.md", "---\ndescription: nameless\n---\n")
    assert world.names("subagents") == ["review", "plan", "helper"]
    assert world.paths("subagents")[1] == ".goose/recipes/plan.yaml"
    assert world.codes("subagents") == ["subagent-incomplete"]


def test_skills_are_found_in_the_programs_order(world: World) -> None:
    for folder in (".goose", ".claude", ".agents"):
        world.project(f"{folder}/skills/deep/s/SKILL.md", skill("s"))
    for folder in (".agents", ".config/goose", ".claude", ".config/agents"):
        world.user(f"{folder}/skills/s/SKILL.md", skill("s"))
    assert [path.partition("/skills/")[0] for path in world.paths("skills", every=True)] == [
        ".goose",
        ".claude",
        ".agents",
        "~/.agents",
        "~/.config/goose",
        "~/.claude",
        "~/.config/agents",
    ]


def test_servers_are_extensions_with_a_program_or_an_address(world: World) -> None:
    world.user(".config/goose/config.yaml", CONFIG)
    found = [each.item for each in world.found("mcp-servers").items]
    assert [(item.name, item.launch) for item in found] == [
        ("docs", "docs-server --stdio"),
        ("far", "https://far.example"),
    ]
    assert (found[0].env, found[0].fields["cmd"]) == ({"LEVEL": "info"}, "docs-server")
    assert world.problem("mcp-servers", "mcp-server-off").about == "off"


def test_hints_of_the_user_and_of_every_folder_from_the_root_count(world: World) -> None:
    world.user(".config/goose/.goosehints", "x")
    world.project(".goosehints", "x")
    world.project("AGENTS.md", "x")
    world.project("app/.goosehints", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == [
        "~/.config/goose/.goosehints",
        ".goosehints",
        "AGENTS.md",
        "app/.goosehints",
    ]


def test_a_variable_moves_the_users_folder(world: World) -> None:
    world.env["GOOSE_PATH_ROOT"] = str(world.home / "moved")
    world.user("moved/config/config.yaml", "x: 1\n")
    world.user(".config/goose/config.yaml", "x: 1\n")
    assert world.paths("settings") == ["~/moved/config/config.yaml"]
