"""OpenAI Codex: the nearest configuration wins, plugins come last, agents are TOML."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pisces.discovery.capabilities import SKILLS
from pisces.discovery.registry import discover
from pisces.harnesses.codex import HARNESS
from pisces.places import Places
from tests.discovery.world import World, skill, written

AGENT = 'name = "{name}"\ndescription = "Reviews"\ndeveloper_instructions = "You review."\n'
SERVER = '[mcp_servers.{name}]\ncommand = "{command}"\n'


class CodexWorld(World):
    """A world in which Codex trusts the repository, whatever else the user's config.toml says."""

    def user(self, path: str, text: str | object = "") -> Path:
        if path == ".codex/config.toml":
            text = f'{text}\n[projects."{self.repository}"]\ntrust_level = "trusted"\n'
        return super().user(path, text)


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = CodexWorld(tmp_path, HARNESS)
    made.user(".codex/config.toml")
    return made


def test_servers_of_the_nearest_folder_win(world: World) -> None:
    world.user(
        ".codex/config.toml", SERVER.format(name="docs", command="user") + SERVER.format(name="own", command="x")
    )
    world.project(".codex/config.toml", SERVER.format(name="docs", command="root"))
    world.project("app/.codex/config.toml", SERVER.format(name="docs", command="app"))
    world.cwd = world.repository / "app"
    assert [each.item.launch for each in world.found("mcp-servers").items] == ["app", "x"]


def test_a_server_can_be_switched_off(world: World) -> None:
    world.user(".codex/config.toml", SERVER.format(name="docs", command="x") + "enabled = false\n")
    assert world.names("mcp-servers") == []
    assert world.problem("mcp-servers", "mcp-server-off").line == 1


def test_codex_home_moves_the_users_folder(world: World) -> None:
    world.env["CODEX_HOME"] = str(world.home / "moved")
    world.user("moved/config.toml", SERVER.format(name="docs", command="x"))
    world.user(".codex/config.toml", SERVER.format(name="old", command="x"))
    assert world.names("mcp-servers") == ["docs"]


def test_skills_come_from_codex_and_agents_folders_at_any_depth(world: World) -> None:
    world.project(".codex/skills/a/SKILL.md", skill("a"))
    world.project(".agents/skills/group/b/SKILL.md", skill("b"))
    world.user(".codex/skills/c/SKILL.md", skill("c"))
    world.user(".agents/skills/d/SKILL.md", "---\ndescription: Named by its folder\n---\n")
    world.user(".codex/skills/.system/e/SKILL.md", skill("e"))
    assert world.names("skills") == ["a", "b", "c", "d", "e"]


def test_a_skill_needs_a_description(world: World) -> None:
    world.project(".agents/skills/a/SKILL.md", "---\nname: a\n---\n")
    assert world.names("skills") == []
    assert world.problem("skills", "skill-incomplete").about == "a"


def test_agents_are_toml_files_and_the_projects_win(world: World) -> None:
    world.user(".codex/agents/r.toml", AGENT.format(name="reviewer"))
    world.project(".codex/agents/deep/r.toml", AGENT.format(name="reviewer") + 'model = "gpt-5"\n')
    world.project(".codex/agents/notes.md", "not an agent")
    (found,) = world.found("subagents").items
    assert (found.item.name, found.item.model, found.source.level) == ("reviewer", "gpt-5", "project")


@pytest.mark.parametrize("field", ["name", "description", "developer_instructions"])
def test_an_agent_without_a_needed_text_is_reported(world: World, field: str) -> None:
    lines = [line for line in AGENT.format(name="r").splitlines() if not line.startswith(field)]
    world.project(".codex/agents/r.toml", "\n".join(lines))
    assert world.names("subagents") == []
    problem = world.problem("subagents", "codex-agent-incomplete")
    assert field in problem.message
    assert problem.about == "r"


def test_two_agents_of_one_name_in_a_folder_are_reported(world: World) -> None:
    world.project(".codex/agents/a.toml", AGENT.format(name="r"))
    world.project(".codex/agents/b.toml", "# second\n" + AGENT.format(name="r"))
    assert world.paths("subagents") == [".codex/agents/a.toml"]
    assert world.problem("subagents", "codex-agent-twice").line == 2


def test_a_broken_agent_takes_no_other_down(world: World) -> None:
    world.project(".codex/agents/a.toml", "name = ")
    world.project(".codex/agents/b.toml", AGENT.format(name="b"))
    assert world.names("subagents") == ["b"]
    assert world.problem("subagents", "config-syntax").about == "a"


def test_hooks_stand_in_json_and_in_toml_and_all_run(world: World) -> None:
    world.user(".codex/config.toml", '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "done"\n')
    group = {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard", "timeout": 5}]}
    world.project(".codex/hooks.json", {"hooks": {"PreToolUse": [group], "Notification": []}})
    hooks = [each.found.item for each in world.found("hooks").all]
    assert [(hook.event, hook.command, hook.dialect) for hook in hooks] == [
        ("Stop", "done", "codex"),
        ("PreToolUse", "guard", "codex"),
    ]
    assert "Notification" in world.problem("hooks", "claude-hook-event").message


def test_an_override_replaces_agents_md_in_its_folder(world: World) -> None:
    for path in ("AGENTS.md", "app/AGENTS.md", "app/AGENTS.override.md"):
        world.project(path, "x")
    world.user(".codex/AGENTS.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == ["~/.codex/AGENTS.md", "AGENTS.md", "app/AGENTS.override.md"]


def test_outside_a_repository_only_the_current_folder_counts(world: World) -> None:
    shutil.rmtree(world.repository / ".git")
    world.project("AGENTS.md", "x")
    world.project(".codex/config.toml", SERVER.format(name="docs", command="x"))
    world.project("app/AGENTS.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == ["app/AGENTS.md"]
    assert world.names("mcp-servers") == []


def test_prompts_are_the_users_commands(world: World) -> None:
    world.user(".codex/prompts/fix.md", "---\ndescription: Fixes it\nargument-hint: FILE\n---\nFix $1")
    world.user(".codex/prompts/sub/no.md", "x")
    world.project(".codex/prompts/no.md", "x")
    assert world.names("commands") == ["prompts:fix"]


def _installed(world: World, plugin: str, version: str) -> Path:
    folder = world.home / ".codex/plugins/cache/team" / plugin / version
    written(folder / ".codex-plugin/plugin.json", {"name": plugin, "version": version})
    written(folder / "skills/s/SKILL.md", skill("s"))
    written(folder / ".mcp.json", {"mcpServers": {f"{plugin}-server": {"command": version}}})
    written(folder / "hooks/hooks.json", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": plugin}]}]}})
    return folder


def test_enabled_plugins_bring_their_newest_version(world: World) -> None:
    world.user(".codex/config.toml", '[plugins."review@team"]\nenabled = true\n')
    for version in ("1.9.0", "1.10.0-beta", "1.10.0"):
        _installed(world, "review", version)
    assert [each.item.version for each in world.found("packages").items] == ["1.10.0"]
    assert world.names("skills") == ["review:s"]
    assert [each.item.launch for each in world.found("mcp-servers").items] == ["1.10.0"]
    assert [each.found.item.command for each in world.found("hooks").all] == ["review"]


def test_plugins_that_are_off_or_missing_are_reported(world: World) -> None:
    world.user(".codex/config.toml", '[plugins."off@team"]\nenabled = false\n[plugins."gone@team"]\nenabled = true\n')
    _installed(world, "off", "local")
    assert world.names("packages") == []
    assert [(each.found.item.name, each.state) for each in world.found("packages").all] == [("off", "off")]
    assert [(each.found.item.name, each.state) for each in world.found("skills").all] == [("off:s", "off")]
    assert world.problem("packages", "codex-plugin-off").about == "off"
    assert world.problem("packages", "codex-plugin-missing").line == 3


def test_settings_are_the_whole_file_nearest_first(world: World) -> None:
    world.user(".codex/config.toml", 'model = "a"')
    world.project(".codex/config.toml", 'model = "b"')
    assert [each.item.values["model"] for each in world.found("settings").items] == ["b", "a"]


def test_skills_below_a_plugins_manifest_have_its_name_before_theirs(world: World) -> None:
    world.project(".agents/skills/a/SKILL.md", skill("a"))
    world.project(".codex/skills/group/b/SKILL.md", skill("b"))
    world.user(".agents/skills/c/SKILL.md", skill("c"))
    world.project(".cursor-plugin/plugin.json", {"name": "third"})
    assert sorted(world.names("skills")) == ["c", "third:a", "third:b"]
    world.project(".claude-plugin/plugin.json", {"name": "second"})
    world.project(".codex/skills/group/.codex-plugin/plugin.json", {"name": "nearest"})
    assert sorted(world.names("skills")) == ["c", "nearest:b", "second:a"]


@pytest.mark.parametrize(
    ("manifest", "name"),
    [("{broken", "above:a"), ({"name": 3}, "above:a"), ([], "above:a"), ({}, "shop:a"), ({"name": " "}, "shop:a")],
)
def test_a_manifest_without_a_usable_name(world: World, manifest: object, name: str) -> None:
    written(world.repository.parent / ".codex-plugin" / "plugin.json", {"name": "above"})
    world.project(".claude-plugin/plugin.json", {"name": "not asked"})
    world.project(".codex-plugin/plugin.json", manifest)
    world.project(".agents/skills/a/SKILL.md", skill("a"))
    assert world.names("skills") == [name]


def test_the_real_place_of_a_linked_skill_gives_its_namespace(world: World, tmp_path: Path) -> None:
    world.project(".codex-plugin/plugin.json", {"name": "here"})
    written(tmp_path / "elsewhere" / "a" / "SKILL.md", skill("a"))
    world.project("parts/b/SKILL.md", skill("b"))
    folder = world.repository / ".agents" / "skills"
    folder.mkdir(parents=True)
    (folder / "a").symlink_to(tmp_path / "elsewhere" / "a")
    (folder / "b").symlink_to(world.repository / "parts" / "b")
    assert sorted(world.names("skills")) == ["a", "here:b"]


def test_pisces_has_a_skill_once_whatever_codex_calls_it(world: World) -> None:
    world.project(".codex-plugin/plugin.json", {"name": "mine"})
    world.project(".agents/skills/a/SKILL.md", skill("a"))
    found = discover(SKILLS, Places(str(world.home), str(world.cwd), {}))
    assert len(found.items) == 1
    assert SKILLS.item_id(found.items[0].item) == "skill:a"


def test_agents_declared_in_the_configuration_need_no_name_in_their_file(world: World) -> None:
    world.project(".codex/agents/reader.toml", 'model = "gpt-5"\n')
    world.project(".codex/agents/own.toml", 'description = "Mine"\nname = "renamed"\n')
    declared = """
[agents]
max_threads = 6
[agents.explorer]
description = "Reads"
config_file = "agents/reader.toml"
[agents.other]
config_file = "agents/own.toml"
[agents.bare]
description = "Has no file"
[agents.blank]
[agents.lost]
description = "Lost"
config_file = "agents/missing.toml"
"""
    world.project(".codex/config.toml", declared)
    found = {each.item.name: each.item.description for each in world.found("subagents").items}
    assert found == {"explorer": "Reads", "renamed": "Mine", "bare": "Has no file"}
    problems = [each.about for each in world.found("subagents").diagnostics]
    assert problems == ["blank", "lost"]


def test_a_declared_agent_takes_its_name_before_a_file(world: World) -> None:
    world.project(".codex/config.toml", '[agents.reviewer]\ndescription = "Declared"\n')
    world.project(".codex/agents/r.toml", AGENT.format(name="reviewer"))
    assert [(each.found.item.description, each.state) for each in world.found("subagents").all] == [
        ("Declared", "active"),
        ("Reviews", "shadowed"),
    ]


def test_declared_agents_need_no_folder_of_agents(world: World) -> None:
    world.project(".codex/config.toml", '[agents.reviewer]\ndescription = "Declared"\n')
    assert world.names("subagents") == ["reviewer"]
    (agent,) = world.found("subagents").items
    assert agent.item.keys == ("agents", "reviewer")
