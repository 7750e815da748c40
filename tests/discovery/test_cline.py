"""Cline: the user's skills and workflows win, agents of the project do; rules, hooks and plugins add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.cline import HARNESS
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_rules_of_all_places_apply(world: World) -> None:
    world.project("AGENTS.md", "x")
    world.project(".clinerules/01-style.md", "x")
    world.project(".clinerules/notes.txt", "x")
    world.project(".clinerules/data.json", "{}")
    world.project(".clinerules/deep/not.md", "x")
    world.project(".cline/rules/new.markdown", "x")
    world.user(".agents/AGENTS.md", "x")
    world.user(".cline/rules/own.md", "x")
    world.user("Documents/Cline/Rules/old.md", "x")
    assert world.paths("context-files") == [
        "AGENTS.md",
        ".clinerules/01-style.md",
        ".clinerules/notes.txt",
        ".cline/rules/new.markdown",
        "~/.agents/AGENTS.md",
        "~/.cline/rules/own.md",
        "~/Documents/Cline/Rules/old.md",
    ]


def test_the_rules_may_be_a_single_file(world: World) -> None:
    world.project(".clinerules", "Be brief.")
    assert world.paths("context-files") == [".clinerules"]
    assert [world.paths(kind) for kind in ("commands", "skills", "hooks")] == [[], [], []]


def test_workflows_are_commands_and_the_newer_folder_of_the_project_wins(world: World) -> None:
    world.project(".clinerules/workflows/ship.md", "old")
    world.project(".clinerules/workflows/notes.txt", "x")
    world.project(".cline/workflows/ship.md", "new")
    world.user(".cline/workflows/ship.md", "x")
    world.user("Documents/Cline/Workflows/review.md", "---\nname: look\n---\nLook at it.")
    assert list(zip(world.names("commands"), world.paths("commands"), strict=True)) == [
        ("ship", ".cline/workflows/ship.md"),
        ("look", "~/Documents/Cline/Workflows/review.md"),
        ("notes", ".clinerules/workflows/notes.txt"),
    ]


def test_a_skill_of_the_user_wins_over_one_of_the_project(world: World) -> None:
    for folder in (".agents", ".claude", ".cline", ".clinerules"):
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
    world.project(".clinerules/skills/plain/SKILL.md", "No header at all.")
    world.user(".cline/skills/s/SKILL.md", skill("s"))
    assert world.paths("skills") == ["~/.cline/skills/s/SKILL.md", ".clinerules/skills/plain/SKILL.md"]
    assert len(world.found("skills").all) == 6


def test_agents_are_yaml_files_with_a_prompt_below_the_header(world: World) -> None:
    agent = "---\nname: {0}\ndescription: Does it\n---\nYou are {0}."
    world.project(".cline/agents/r.yaml", agent.format("reviewer"))
    world.user(".cline/agents/r.yml", agent.format("reviewer"))
    world.user(".cline/agents/t.yml", agent.format("tester"))
    world.user(".cline/agents/not.md", agent.format("not"))
    assert world.paths("subagents") == [".cline/agents/r.yaml", "~/.cline/agents/t.yml"]
    assert world.found("subagents").items[0].item.prompt.strip() == "You are reviewer."


def test_hooks_are_scripts_named_for_their_event(world: World) -> None:
    world.project(".clinerules/hooks/PreToolUse", "#!/bin/sh")
    world.project(".cline/hooks/posttooluse.py", "x")
    world.project(".cline/hooks/PreToolUse.exe", "x")
    world.project(".cline/hooks/helper.sh", "x")
    world.user("Documents/Cline/Hooks/TaskStart.ps1", "x")
    found = [(each.item.event, world.shown(each.item.command)) for each in world.found("hooks").items]
    assert found == [
        ("TaskStart", "~/Documents/Cline/Hooks/TaskStart.ps1"),
        ("PreToolUse", ".clinerules/hooks/PreToolUse"),
        ("PostToolUse", ".cline/hooks/posttooluse.py"),
    ]


def test_servers_that_are_off_are_left_out_with_a_note(world: World) -> None:
    servers = {"docs": {"command": "docs"}, "old": {"command": "old", "disabled": True}}
    world.user(".cline/data/settings/cline_mcp_settings.json", {"mcpServers": servers})
    assert world.names("mcp-servers") == ["docs"]
    assert world.codes("mcp-servers") == ["mcp-server-off"]
    assert [each.source.level for each in world.found("mcp-servers").items] == ["user"]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CLINE_DIR", "~/moved"),
        ("CLINE_DATA_DIR", "~/moved/data"),
        ("CLINE_MCP_SETTINGS_PATH", "~/moved/data/settings/cline_mcp_settings.json"),
    ],
)
def test_variables_move_what_is_the_users(world: World, variable: str, value: str) -> None:
    world.env[variable] = value
    world.user(".cline/data/settings/cline_mcp_settings.json", {"mcpServers": {"here": {"command": "x"}}})
    world.user("moved/data/settings/cline_mcp_settings.json", {"mcpServers": {"there": {"command": "x"}}})
    assert world.names("mcp-servers") == ["there"]


def test_plugins_are_found_however_deep_and_declare_their_entries(world: World) -> None:
    world.project(".cline/plugins/loose.ts", "x")
    installed = ".cline/plugins/_installed/42/package/"
    world.user(
        installed + "package.json", {"name": "kit", "cline": {"plugins": [{"paths": ["./src/main.ts", "no.ts"]}]}}
    )
    world.user(installed + "src/main.ts", "x")
    world.user(installed + "src/other.ts", "x")
    world.user(".cline/plugins/bare/index.js", "x")
    world.user(".cline/plugins/bare/node_modules/dep/index.js", "x")
    assert sorted(world.paths("modules")) == sorted(
        [".cline/plugins/loose.ts", "~/.cline/plugins/bare/index.js", f"~/{installed}src/main.ts"]
    )


def test_settings_are_those_of_all_cline_programs(world: World) -> None:
    world.user(".cline/data/settings/global-settings.json", {"toolAutoApprove": True})
    assert world.paths("settings") == ["~/.cline/data/settings/global-settings.json"]
