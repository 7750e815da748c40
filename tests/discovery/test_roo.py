"""Roo Code: project before user, a mode's own things before those of all modes; rules add up, old files stand in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.roo import HARNESS
from tests.discovery.world import World, skill

MODES = """\
customModes:
  - slug: docs
    name: Docs
    roleDefinition: You write.
    whenToUse: For documents
    groups:
      - read
      - - edit
        - fileRegex: \\.md$
"""
STORAGE = ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_rules_of_the_user_and_the_project_apply_and_those_of_modes_come_first(world: World) -> None:
    world.user(".roo/rules/own.md", "x")
    world.project(".roo/rules/Zebra.txt", "x")
    world.project(".roo/rules/deep/ant", "x")
    world.project(".roo/rules/old.bak", "x")
    world.project(".roo/rules-code/style.md", "x")
    world.project(".roorules", "x")
    world.project(".clinerules-ask", "x")
    world.project("AGENT.md", "x")
    world.project("AGENTS.local.md", "x")
    found = [(each.source.level, world.shown(each.item.path)) for each in world.found("context-files").items]
    assert found == [
        ("project", ".roo/rules-code/style.md"),
        ("project", ".clinerules-ask"),
        ("user", "~/.roo/rules/own.md"),
        ("project", ".roo/rules/deep/ant"),
        ("project", ".roo/rules/Zebra.txt"),
        ("project", "AGENT.md"),
        ("project", "AGENTS.local.md"),
    ]


def test_the_first_old_file_with_text_stands_in_for_a_folder_of_rules(world: World) -> None:
    world.project(".roorules", "")
    world.project(".clinerules", "x")
    world.project("AGENTS.md", "x")
    world.project("AGENT.md", "x")
    assert world.paths("context-files") == [".clinerules", "AGENTS.md"]


def test_a_folder_of_cline_is_not_a_rule(world: World) -> None:
    world.project(".clinerules/style.md", "x")
    assert world.paths("context-files") == []


def test_skills_of_roo_win_over_shared_ones_and_those_of_a_mode_over_those_of_all(world: World) -> None:
    for folder in (".roo/skills", ".roo/skills-code", ".agents/skills"):
        world.project(f"{folder}/s/SKILL.md", skill("s"))
        world.user(f"{folder}/u/SKILL.md", skill("u"))
    assert world.paths("skills") == [".roo/skills-code/s/SKILL.md", "~/.roo/skills-code/u/SKILL.md"]
    assert len(world.found("skills").all) == 6


def test_a_skill_with_another_name_than_its_folder_is_dropped_and_said(world: World) -> None:
    world.project(".roo/skills/review/SKILL.md", skill("code-review"))
    world.project(".roo/skillset/s/SKILL.md", skill("s"))
    assert world.names("skills") == []
    assert world.problem("skills", "roo-skill").line == 2


def test_modes_are_agents_and_the_projects_win(world: World) -> None:
    world.project(".roomodes", MODES)
    world.user(STORAGE + "custom_modes.yaml", MODES + MODES.replace("customModes:\n", "").replace("docs", "own"))
    found = [(each.item.name, each.source.level, each.item.tools) for each in world.found("subagents").items]
    assert found == [("docs", "project", ("read", "edit")), ("own", "user", ("read", "edit"))]
    assert world.found("subagents").items[0].item.description == "For documents"


def test_modes_of_a_project_may_be_json(world: World) -> None:
    mode = {"slug": "a", "name": "A", "roleDefinition": "You are.", "groups": []}
    world.project(".roomodes", {"customModes": [mode]})
    assert world.names("subagents") == ["a"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slug": "my_mode"}, "a slug may have letters, digits and dashes only, not `my_mode`"),
        ({"groups": None}, "a mode needs a list `groups`"),
        ({"slug": "good"}, "there are two modes `good`"),
        ({"roleDefinition": ""}, "a mode needs a text `roleDefinition`"),
    ],
)
def test_one_bad_mode_drops_the_whole_file(world: World, change: dict[str, object], message: str) -> None:
    good = {"slug": "good", "name": "Good", "roleDefinition": "You are.", "groups": ["read"]}
    world.project(".roomodes", {"customModes": [good, {**good, "slug": "other", **change}]})
    assert world.names("subagents") == []
    assert world.problem("subagents", "roo-mode").message == message


def test_servers_of_the_project_win_over_those_in_the_editors_storage(world: World) -> None:
    world.project(
        ".roo/mcp.json", {"mcpServers": {"docs": {"command": "a"}, "off": {"command": "b", "disabled": True}}}
    )
    world.user(STORAGE + "mcp_settings.json", {"mcpServers": {"docs": {"command": "c"}}})
    world.user(".vscode-mock/global-storage/settings/mcp_settings.json", {"mcpServers": {"cli": {"command": "d"}}})
    assert [(each.item.name, each.item.launch) for each in world.found("mcp-servers").items] == [
        ("docs", "a"),
        ("cli", "d"),
    ]


def test_commands_of_the_project_win_and_subfolders_do_not_count(world: World) -> None:
    world.project(".roo/commands/ship.md", "---\ndescription: Ships\nargument-hint: <tag>\n---\nShip.")
    world.project(".roo/commands/deep/not.md", "x")
    world.user(".roo/commands/ship.md", "x")
    world.user(".roo/commands/own.md", "x")
    assert world.paths("commands") == [".roo/commands/ship.md", "~/.roo/commands/own.md"]
