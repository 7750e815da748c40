"""Factory's Droid: the root's folder before nearer ones before the user's; servers of the user first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.factory import HARNESS
from tests.discovery.world import World, skill

DROID = "---\nname: {0}\ndescription: Reviews\ntools: read-only\n---\nYou review."
HOOKS = {"PreToolUse": [{"matcher": "Execute", "hooks": [{"type": "command", "command": "guard.sh", "timeout": 5}]}]}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_commands_are_files_of_the_folder_itself_named_by_a_slug(world: World) -> None:
    world.project(".factory/commands/Code Review!.mdx", "---\ndescription: Reviews\n---\nReview $ARGUMENTS")
    world.project(".factory/commands/deploy", "#!/bin/sh\necho hi\n")
    world.project(".factory/commands/notes.txt", "x")
    world.project(".factory/commands/deep/no.md", "x")
    world.user(".factory/commands/code-review.md", "Mine")
    world.user(".factory/commands/own.md", "Mine")
    assert world.names("commands") == ["code-review", "deploy", "own"]
    review, deploy, _ = (each.item for each in world.found("commands").items)
    assert (review.description, review.dialect, review.executable) == ("Reviews", "factory", None)
    assert deploy.executable is not None
    assert deploy.executable.require_confirm


def test_skills_are_those_of_every_level_and_of_the_agent_folder(world: World) -> None:
    world.project(".factory/skills/s/SKILL.md", skill("s"))
    world.project("app/.factory/skills/s/SKILL.md", skill("s"))
    world.project("app/.factory/skills/old/skill.mdx", "---\ndescription: Older spelling\n---\nDo.")
    world.project("app/.agent/skills/third/SKILL.md", skill("third"))
    world.user(".factory/skills/s/SKILL.md", skill("s"))
    world.cwd = world.repository / "app"
    assert world.names("skills") == ["s", "old", "third"]
    assert world.paths("skills")[0] == ".factory/skills/s/SKILL.md"


def test_droids_need_a_name_and_lie_in_the_folder_itself(world: World) -> None:
    world.project(".factory/droids/r.md", DROID.format("reviewer"))
    world.project(".factory/droids/deep/no.md", DROID.format("no"))
    world.project(".factory/droids/x.md", "---\ndescription: nameless\n---\nBody")
    world.user(".factory/droids/r.md", DROID.format("reviewer"))
    assert world.names("subagents") == ["reviewer"]
    assert world.problem("subagents", "subagent-incomplete").about == "x"


def test_servers_of_the_user_win_and_nearer_folders_come_next(world: World) -> None:
    world.user(".factory/mcp.json", {"mcpServers": {"a": {"command": "user"}}})
    world.project(".factory/mcp.json", {"mcpServers": {"a": {"command": "no"}, "b": {"command": "root"}}})
    world.project(
        "app/.factory/mcp.json", {"mcpServers": {"b": {"command": "app"}, "c": {"url": "u", "disabled": True}}}
    )
    world.cwd = world.repository / "app"
    assert [(each.item.name, each.item.launch) for each in world.found("mcp-servers").items] == [
        ("a", "user"),
        ("b", "app"),
    ]
    assert world.codes("mcp-servers") == ["mcp-server-off"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("hooks.json", {"hooks": HOOKS}),
        ("hooks.json", HOOKS),
        ("hooks/hooks.json", {"hooks": HOOKS}),
        ("settings.json", {"hooks": HOOKS, "model": "x"}),
        ("settings.local.json", {"hooks": HOOKS}),
    ],
)
def test_hooks_are_found_in_every_place_that_droid_knows(world: World, file: str, content: object) -> None:
    world.project(f".factory/{file}", content)
    world.user(".factory/hooks.json", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}})
    hooks = [(each.item.event, each.item.command, each.source.level) for each in world.found("hooks").items]
    assert hooks == [("PreToolUse", "guard.sh", "project"), ("Stop", "mine", "user")]


def test_a_hooks_file_hides_the_hooks_in_the_settings_beside_it(world: World) -> None:
    world.project(".factory/hooks.json", {"hooks": HOOKS})
    world.project(".factory/settings.json", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "no"}]}]}})
    assert [each.item.command for each in world.found("hooks").items] == ["guard.sh"]


def test_settings_without_hooks_are_no_hooks_file(world: World) -> None:
    world.project(".factory/settings.json", {"model": "x"})
    assert not world.found("hooks").items
    assert world.codes("hooks") == []


def test_guidance_and_rules_of_all_levels_apply(world: World) -> None:
    world.user(".factory/AGENTS.md", "x")
    world.user(".factory/rules/style.md", "x")
    world.project("AGENTS.md", "x")
    world.project(".factory/rules/api.md", "x")
    world.project("app/CLAUDE.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == [
        "~/.factory/AGENTS.md",
        "~/.factory/rules/style.md",
        "AGENTS.md",
        ".factory/rules/api.md",
        "app/CLAUDE.md",
    ]


def test_installed_plugins_bring_their_parts_under_their_own_names(world: World) -> None:
    kit = world.user(".factory/plugins/cache/team/kit/abc/.factory-plugin/plugin.json", {"name": "kit"}).parent.parent
    world.user(".factory/plugins/cache/team/kit/abc/commands/fix.md", "Fix")
    world.user(".factory/plugins/cache/team/kit/abc/skills/s/SKILL.md", skill("s"))
    world.user(".factory/plugins/cache/team/kit/abc/droids/d.md", DROID.format("d"))
    world.user(".factory/plugins/cache/team/kit/abc/hooks/hooks.json", HOOKS)
    world.user(".factory/plugins/cache/team/kit/abc/mcp.json", {"mcpServers": {"m": {"command": "m"}}})
    records = {"kit@team": [{"scope": "user", "installPath": str(kit)}], "gone@team": [{"installPath": "/gone"}]}
    world.user(".factory/plugins/installed_plugins.json", {"schemaVersion": 1, "plugins": records})
    assert world.names("packages") == ["kit"]
    assert world.codes("packages") == ["factory-plugin-missing"]
    parts = [world.names(kind) for kind in ("commands", "skills", "subagents", "mcp-servers")]
    assert parts == [["fix"], ["s"], ["d"], ["m"]]
    assert [each.item.command for each in world.found("hooks").items] == ["guard.sh"]
    world.user(".factory/settings.json", {"enabledPlugins": {"kit@team": False}})
    assert world.names("packages") == []
    assert "factory-plugin-off" in world.codes("packages")
    assert world.names("commands") == []
