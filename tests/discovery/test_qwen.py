"""Qwen Code: project before user before extensions; a clash renames an extension's command."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.qwen import HARNESS
from tests.discovery.world import World, skill

AGENT = "---\nname: {name}\ndescription: Does it\n---\nYou do it."


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def _extension(world: World, name: str, **fields: object) -> str:
    folder = f".qwen/extensions/{name}/"
    world.user(folder + "qwen-extension.json", {"name": name, "version": "1.0.0", **fields})
    return folder


def test_commands_are_markdown_and_toml_and_the_projects_win(world: World) -> None:
    world.project(".qwen/commands/git/commit.md", "---\ndescription: Commits\n---\nCommit")
    world.project(".qwen/commands/fix.toml", 'prompt = "Fix"')
    world.user(".qwen/commands/fix.md", "Fix")
    world.user(".qwen/commands/own.toml", 'prompt = "Own"')
    assert world.names("commands") == ["git:commit", "fix", "own"]
    assert world.paths("commands")[1] == ".qwen/commands/fix.toml"


def test_markdown_beats_toml_in_one_folder(world: World) -> None:
    world.project(".qwen/commands/fix.md", "Fix")
    world.project(".qwen/commands/fix.toml", 'prompt = "Fix"')
    assert world.paths("commands") == [".qwen/commands/fix.md"]


def test_a_clash_renames_the_extensions_command(world: World) -> None:
    world.project(".qwen/commands/fix.md", "Fix")
    world.user(_extension(world, "one") + "commands/fix.md", "Fix")
    world.user(_extension(world, "two") + "commands/new.md", "New")
    world.user(_extension(world, "three", displayName="one") + "commands/fix.toml", 'prompt = "Fix"')
    assert world.names("commands") == ["fix", "one.fix", "one.fix1", "new"]


def test_skills_and_agents_go_project_user_extension(world: World) -> None:
    folder = _extension(world, "kit")
    for name, place in (("a", ".qwen"), ("b", ".agents")):
        world.project(f"{place}/skills/{name}/SKILL.md", skill(name))
        world.user(f"{place}/skills/{name}/SKILL.md", skill(name))
        world.user(f"{place}/skills/u{name}/SKILL.md", skill(f"u{name}"))
    world.user(folder + "skills/a/SKILL.md", skill("a"))
    world.user(folder + "skills/k/SKILL.md", skill("k"))
    world.project(".qwen/agents/r.md", AGENT.format(name="r"))
    world.user(".qwen/agents/r.md", AGENT.format(name="r"))
    world.user(folder + "agents/k.md", AGENT.format(name="k"))
    assert world.names("skills") == ["a", "b", "ua", "ub", "k"]
    assert world.names("subagents") == ["r", "k"]


def test_mcp_json_stands_between_project_and_user_settings(world: World) -> None:
    world.project(".qwen/settings.json", '{"mcpServers": {"a": {"command": "workspace"}}} // yes')
    world.project(".mcp.json", {"mcpServers": {"a": {"command": "file"}, "b": {"command": "file"}}})
    world.user(".qwen/settings.json", {"mcpServers": {"b": {"command": "user"}, "c": {"httpUrl": "https://c.example"}}})
    _extension(world, "kit", mcpServers={"c": {"command": "kit"}, "d": {"command": "kit", "trust": True}})
    found = world.found("mcp-servers")
    order = [(each.found.item.name, each.found.item.launch) for each in found.all if each.state != "shadowed"]
    assert order[:3] == [("a", "workspace"), ("a", "file"), ("b", "file")], "they wait for approval"
    active = [(each.item.name, each.item.launch) for each in found.items]
    assert active == [("c", "https://c.example"), ("d", "kit")]


def test_a_disabled_extension_brings_nothing_and_says_so(world: World) -> None:
    world.user(_extension(world, "kit") + "skills/k/SKILL.md", skill("k"))
    world.user(".qwen/extensions/extension-enablement.json", {"kit": {"overrides": [f"!{world.repository}/*"]}})
    assert world.names("packages") == []
    assert world.names("skills") == []
    assert world.problem("packages", "qwen-extension-off").about == "kit"


def test_a_linked_extension_is_read_where_it_really_is(world: World) -> None:
    world.project("kit/qwen-extension.json", {"name": "kit", "version": "1.0.0"})
    world.project("kit/skills/k/SKILL.md", skill("k"))
    world.user(
        ".qwen/extensions/kit/.qwen-extension-install.json", {"type": "link", "source": str(world.repository / "kit")}
    )
    assert world.paths("skills") == ["kit/skills/k/SKILL.md"]


def test_a_broken_manifest_is_reported(world: World) -> None:
    world.user(".qwen/extensions/bad/qwen-extension.json", "{")
    _extension(world, "good")
    assert world.names("packages") == ["good"]
    assert world.problem("packages", "package-manifest").about == "bad"


def test_hooks_come_from_settings_and_extensions(world: World) -> None:
    def hooks(command: str) -> dict[str, object]:
        return {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}

    world.project(".qwen/settings.json", {"hooks": hooks("project")})
    _extension(world, "inline", hooks=hooks("inline"))
    world.user(_extension(world, "file") + "hooks/hooks.json", {"hooks": hooks("file")})
    found = [(each.item.command, each.item.dialect, each.package) for each in world.found("hooks").items]
    assert found == [("project", "qwen", ""), ("file", "qwen", "file"), ("inline", "qwen", "inline")]


def test_context_files_and_rules_of_all_places_count(world: World) -> None:
    for path in ("QWEN.md", "AGENTS.md", "app/QWEN.md", ".qwen/QWEN.local.md", ".qwen/rules/a.md"):
        world.project(path, "x")
    world.user(".qwen/QWEN.md", "x")
    world.user(_extension(world, "kit") + "QWEN.md", "x")
    world.user(_extension(world, "pack", contextFileName=["one.md", "two.md"]) + "two.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == [
        "~/.qwen/QWEN.md",
        "QWEN.md",
        "AGENTS.md",
        "app/QWEN.md",
        ".qwen/QWEN.local.md",
        ".qwen/rules/a.md",
        "~/.qwen/extensions/kit/QWEN.md",
        "~/.qwen/extensions/pack/two.md",
    ]


def test_a_variable_moves_the_users_folder(world: World) -> None:
    world.env["QWEN_HOME"] = "~/moved"
    world.user("moved/commands/own.md", "Own")
    world.user("moved/extensions/kit/qwen-extension.json", {"name": "kit"})
    assert world.names("commands") == ["own"]
    assert world.names("packages") == ["kit"]
