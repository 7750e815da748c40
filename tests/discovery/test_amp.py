"""Amp: the nearest workspace settings before the user's; the user's skills before those of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.amp import HARNESS
from tests.discovery.world import World, skill, written


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_skills_of_the_user_come_before_those_of_the_project(world: World) -> None:
    for folder in (".config/agents", ".agents", ".config/amp", ".claude"):
        world.user(f"{folder}/skills/s/SKILL.md", skill("s"))
    for folder in (".agents", ".claude", "app/.agents"):
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
    world.cwd = world.repository / "app"
    assert [path.removesuffix("/skills/s/SKILL.md") for path in world.paths("skills", every=True)] == [
        "~/.config/agents",
        "~/.agents",
        "~/.config/amp",
        "app/.agents",
        ".agents",
        ".claude",
        "~/.claude",
    ]


def test_a_variable_moves_the_users_folder(world: World) -> None:
    world.env["XDG_CONFIG_HOME"] = str(world.home / "moved")
    world.user("moved/amp/settings.json", {})
    world.user(".config/amp/settings.json", {})
    assert world.paths("settings") == ["~/moved/amp/settings.json"]


def test_servers_come_from_the_nearest_settings_then_the_users_then_skills(world: World) -> None:
    world.project(".amp/settings.json", {"amp.mcpServers": {"far": {"command": "far"}}})
    world.project("app/.amp/settings.jsonc", '{"amp.mcpServers": {"a": {"command": "a"}}, /* ours */}')
    world.user(".config/amp/settings.json", {"amp.mcpServers": {"a": {"command": "no"}, "b": {"url": "https://b"}}})
    world.user(".config/amp/skills/s/SKILL.md", skill("s"))
    world.user(".config/amp/skills/s/mcp.json", {"c": {"command": "c", "includeTools": ["x"]}})
    world.cwd = world.repository / "app" / "deep"
    world.cwd.mkdir(parents=True)
    found = [(each.found.item.launch, each.found.source.level, each.state) for each in world.found("mcp-servers").all]
    assert found == [
        ("a", "project", "waiting"),
        ("no", "user", "active"),
        ("https://b", "user", "active"),
        ("c", "user", "active"),
    ]


def test_a_server_that_is_off_is_noted(world: World) -> None:
    world.project(".amp/settings.json", {"amp.mcpServers": {"a": {"command": "a", "disabled": True}}})
    assert world.names("mcp-servers") == []
    assert world.codes("mcp-servers") == ["mcp-server-off"]


def test_guidance_is_one_file_a_folder_up_to_home(tmp_path: Path) -> None:
    world = World(tmp_path, HARNESS)
    project = world.home / "code" / "shop"
    written(project / ".git" / "HEAD", "x")
    for path in ("AGENTS.md", "CLAUDE.md"):
        written(project / path, "x")
    written(world.home / "code" / "AGENT.md", "x")
    written(tmp_path / "AGENTS.md", "above home")
    world.user(".config/amp/AGENTS.md", "x")
    world.user(".config/AGENTS.md", "x")
    world.cwd = project
    assert world.paths("context-files") == [
        "~/.config/amp/AGENTS.md",
        "~/.config/AGENTS.md",
        "~/code/AGENT.md",
        "~/code/shop/AGENTS.md",
    ]


def test_outside_of_home_guidance_ends_at_the_repository(world: World) -> None:
    written(world.repository.parent / "AGENTS.md", "x")
    world.project("CLAUDE.md", "x")
    assert world.paths("context-files") == ["CLAUDE.md"]


def test_plugins_are_files_or_folders_with_an_index(world: World) -> None:
    world.project(".amp/plugins/guard.ts", "export default function (amp) {}")
    world.project(".amp/plugins/kit/index.js", "export default function (amp) {}")
    world.project(".amp/plugins/notes.md", "x")
    world.user(".config/amp/plugins/guard.ts", "export default function (amp) {}")
    assert world.names("modules") == ["guard", "kit"]
    assert world.paths("modules")[0] == ".amp/plugins/guard.ts"
