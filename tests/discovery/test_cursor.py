"""Cursor: project before user, its own folders before those of others; rules, hooks and AGENTS.md add up."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pisces.harnesses.cursor import HARNESS
from tests.discovery.trusted import trusted_in_cursor
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, HARNESS)
    trusted_in_cursor(world)
    return world


def test_rules_are_mdc_files_here_and_above(world: World) -> None:
    world.project(".cursor/rules/style.mdc", "---\nalwaysApply: true\n---\n")
    world.project(".cursor/rules/deep/sql.mdc", "x")
    world.project("app/.cursor/rules/app.mdc", "x")
    world.project("AGENTS.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == [
        "app/.cursor/rules/app.mdc",
        ".cursor/rules/style.mdc",
        ".cursor/rules/deep/sql.mdc",
        "AGENTS.md",
    ]


def test_plain_markdown_among_rules_is_ignored_and_said(world: World) -> None:
    world.project(".cursor/rules/style.md", "x")
    assert world.paths("context-files") == []
    assert world.problem("context-files", "cursor-rule-not-mdc").hint == "rename it to end in `.mdc`"


def test_the_old_rules_file_still_counts(world: World) -> None:
    world.project(".cursorrules", "x")
    assert world.paths("context-files") == [".cursorrules"]


def test_commands_of_the_project_win(world: World) -> None:
    world.project(".cursor/commands/fix.md", "Fix it")
    world.user(".cursor/commands/fix.md", "Fix it")
    world.user(".cursor/commands/own.md", "Do it")
    assert world.paths("commands") == [".cursor/commands/fix.md", "~/.cursor/commands/own.md"]


def test_agents_of_other_tools_are_read_after_its_own(world: World) -> None:
    for folder in (".cursor", ".claude", ".codex"):
        world.project(f"{folder}/agents/r.md", f"---\nname: r\ndescription: {folder}\n---\n")
        world.user(f"{folder}/agents/u.md", f"---\nname: u\ndescription: {folder}\n---\n")
    found = [(each.item.name, each.item.description) for each in world.found("subagents").items]
    assert found == [("r", ".cursor"), ("u", ".cursor")]


def test_an_agent_may_be_named_by_its_file(world: World) -> None:
    world.project(".cursor/agents/verifier.md", "---\nmodel: inherit\n---\nYou verify.")
    assert world.names("subagents") == ["verifier"]


def test_skills_are_read_from_all_the_folders_that_cursor_knows(world: World) -> None:
    for folder in (".cursor", ".agents", ".claude", ".codex"):
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
        world.user(f"{folder}/skills/u/SKILL.md", skill("u"))
    assert world.paths("skills") == [".cursor/skills/s/SKILL.md", "~/.cursor/skills/u/SKILL.md"]
    assert len(world.found("skills").all) == 8


def test_servers_of_the_project_win(world: World) -> None:
    world.project(".cursor/mcp.json", {"mcpServers": {"docs": {"url": "https://a.example"}}})
    world.user(".cursor/mcp.json", {"mcpServers": {"docs": {"url": "https://b.example"}}})
    text = f'{{"path":"{world.cwd.resolve()}","server":{{"url":"https://a.example"}}}}'
    trusted_in_cursor(world, f"docs-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    assert [each.item.launch for each in world.found("mcp-servers").items] == ["https://a.example"]


def test_hooks_are_flat_and_the_projects_come_first(world: World) -> None:
    world.project(".cursor/hooks.json", {"version": 1, "hooks": {"stop": [{"command": "a"}]}})
    world.user(
        ".cursor/hooks.json",
        {"version": 1, "hooks": {"preToolUse": [{"command": "b", "matcher": "Shell", "timeout": 3}]}},
    )
    hooks = [each.item for each in world.found("hooks").items]
    assert [(hook.event, hook.command, hook.matcher) for hook in hooks] == [
        ("stop", "a", None),
        ("preToolUse", "b", "Shell"),
    ]
    assert {hook.dialect for hook in hooks} == {"cursor"}


def test_a_misspelt_event_and_a_broken_hook_are_reported(world: World) -> None:
    hooks = {"beforeShellExec": [{"command": "a"}], "stop": [{}, {"command": "b"}], "sessionEnd": {"command": "c"}}
    world.project(".cursor/hooks.json", {"version": 1, "hooks": hooks})
    assert [each.item.command for each in world.found("hooks").items] == ["b"]
    assert sorted(world.codes("hooks")) == ["flat-hook-event", "flat-hook-shape", "flat-hook-shape"]
    assert world.problem("hooks", "flat-hook-event").line == 4


def test_a_prompt_may_stand_for_a_command(world: World) -> None:
    world.project(".cursor/hooks.json", {"hooks": {"stop": [{"type": "prompt", "prompt": "Are you done?"}]}})
    assert [each.item.command for each in world.found("hooks").items] == ["Are you done?"]


def test_local_plugins_bring_all_their_parts(world: World) -> None:
    plugin = ".cursor/plugins/local/kit/"
    world.user(plugin + ".cursor-plugin/plugin.json", {"name": "kit", "skills": "abilities"})
    world.user(plugin + "abilities/s/SKILL.md", skill("s"))
    world.user(plugin + "rules/r.mdc", "x")
    world.user(plugin + "commands/c.md", "x")
    world.user(plugin + "agents/a.md", "---\nname: a\ndescription: Does it\n---\n")
    world.user(plugin + "hooks/hooks.json", {"hooks": {"stop": [{"command": "h"}]}})
    world.user(plugin + "mcp.json", {"mcpServers": {"m": {"command": "m"}}})
    names = {kind: world.names(kind) for kind in ("packages", "skills", "commands", "subagents", "mcp-servers")}
    assert names == {"packages": ["kit"], "skills": ["s"], "commands": ["c"], "subagents": ["a"], "mcp-servers": ["m"]}
    assert world.paths("context-files") == ["~/" + plugin + "rules/r.mdc"]
    assert [each.package for each in world.found("hooks").items] == ["kit"]
