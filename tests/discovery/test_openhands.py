"""OpenHands: here, then the repository's root, then the user; `.agents` before `.openhands`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.openhands import HARNESS
from tests.discovery.world import World, skill

MICROAGENT = "---\nname: git-help\ntriggers:\n- git\n---\nHow to use git."
HOOKS = {"pre_tool_use": [{"matcher": "terminal", "hooks": [{"command": "guard.sh", "timeout": 5}]}]}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_skills_come_from_here_and_the_root_and_nothing_between(world: World) -> None:
    for place in ("", "app/", "app/web/"):
        for folder in (".agents", ".openhands"):
            world.project(f"{place}{folder}/skills/s/SKILL.md", skill("s"))
    world.user(".agents/skills/s/SKILL.md", skill("s"))
    world.user(".openhands/skills/installed/s/SKILL.md", skill("s"))
    world.cwd = world.repository / "app" / "web"
    assert [path.removesuffix("/skills/s/SKILL.md") for path in world.paths("skills", every=True)] == [
        "app/web/.agents",
        "app/web/.openhands",
        ".agents",
        ".openhands",
        "~/.agents",
        "~/.openhands/skills/installed/s/SKILL.md".removesuffix("/skills/s/SKILL.md"),
    ]


def test_a_microagent_with_triggers_is_a_skill_and_one_without_is_context(world: World) -> None:
    world.project(".openhands/microagents/git.md", MICROAGENT)
    world.project(".openhands/microagents/deep/own.md", "---\ninputs: [{name: x}]\n---\nDo.")
    world.project(".openhands/microagents/repo.md", "Build with make.")
    world.project(".openhands/microagents/README.md", "x")
    world.project(".openhands/skills/s/SKILL.md", skill("s"))
    world.project(".openhands/skills/s/notes.md", "x")
    assert world.names("skills") == ["s", "git-help", "deep/own"]
    assert world.paths("context-files") == [".openhands/microagents/repo.md"]


def test_a_skill_named_unlike_its_folder_is_dropped_with_a_word(world: World) -> None:
    world.project(".agents/skills/review/SKILL.md", skill("Code Review"))
    world.project(".agents/skills/plain/skill.md", "No header at all")
    assert world.names("skills") == ["plain"]
    assert world.problem("skills", "openhands-skill-name").about == "Code Review"


def test_instruction_files_of_every_harness_count_and_the_nearer_of_a_kind_wins(world: World) -> None:
    world.project("AGENTS.md", "x")
    world.project("CLAUDE.md", "x")
    (world.repository / "GEMINI.md").symlink_to("CLAUDE.md")
    world.project("app/agent.md", "x")
    world.project("app/.cursorrules", "x")
    world.project("app/sub/AGENTS.md", "x")
    world.user(".openhands/SOUL.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == ["app/.cursorrules", "app/agent.md", "CLAUDE.md", "~/.openhands/SOUL.md"]


@pytest.mark.parametrize("file", [HOOKS, {"hooks": {"PreToolUse": HOOKS["pre_tool_use"]}}])
def test_hooks_are_read_in_both_spellings_and_the_projects_file_hides_the_users(world: World, file: object) -> None:
    world.project(".openhands/hooks.json", file)
    world.user(".openhands/hooks.json", {"stop": [{"hooks": [{"command": "user.sh"}]}]})
    (found,) = world.found("hooks").items
    assert (found.item.command, found.item.matcher, found.item.seconds) == ("guard.sh", "terminal", 5)
    assert (found.source.level, found.item.type) == ("project", "command")


def test_users_hooks_count_where_the_project_has_none(world: World) -> None:
    world.user(".openhands/hooks.json", {"stop": [{"hooks": [{"type": "agent", "system_prompt": "Judge"}]}]})
    (found,) = world.found("hooks").items
    assert (found.item.event, found.item.command, found.source.level) == ("stop", "Judge", "user")


@pytest.mark.parametrize("flaw", [{"BeforeTool": []}, {"stop": {}}, {"stop": [{"hooks": [{"type": "command"}]}]}])
def test_one_flaw_takes_every_hook_of_the_file_away(world: World, flaw: dict[str, object]) -> None:
    world.project(".openhands/hooks.json", {"hooks": {**HOOKS, **flaw}})
    assert not world.found("hooks").items
    assert world.codes("hooks") == ["openhands-hooks"]


def test_agents_come_from_both_folders_and_readmes_are_none(world: World) -> None:
    world.project(".agents/agents/a.md", "You are a.")
    world.project(".openhands/agents/b.md", "---\nname: reviewer\n---\nYou review.")
    world.project(".openhands/agents/README.md", "x")
    world.user(".openhands/agents/c.md", "---\nname: reviewer\n---\nYou too.")
    assert world.names("subagents") == ["a", "reviewer"]


def test_servers_come_from_the_users_file_and_from_skills(world: World) -> None:
    world.user(".openhands/mcp.json", {"mcpServers": {"a": {"command": "a"}, "off": {"url": "u", "enabled": False}}})
    world.project(".agents/skills/s/SKILL.md", skill("s"))
    world.project(".agents/skills/s/.mcp.json", {"mcpServers": {"b": {"command": "b"}}})
    assert world.names("mcp-servers") == ["a", "b"]
    assert world.codes("mcp-servers") == ["mcp-server-off"]


def test_every_folder_among_the_plugins_is_one_and_only_commands_carry_its_name(world: World) -> None:
    kit = ".openhands/plugins/kit"
    world.project(f"{kit}/.plugin/plugin.json", {"name": "tool-kit"})
    world.project(f"{kit}/commands/fix.md", "Fix $ARGUMENTS")
    world.project(f"{kit}/commands/README.md", "x")
    world.project(f"{kit}/skills/Odd/SKILL.md", skill("Other"))
    world.project(f"{kit}/agents/a.md", "You are a.")
    world.project(f"{kit}/hooks/hooks.json", {"hooks": {"Stop": [{"hooks": [{"command": "x.sh"}]}]}})
    world.project(f"{kit}/.mcp.json", {"mcpServers": {"m": {"command": "m"}}})
    world.project(".agents/plugins/bare/skills/b/SKILL.md", skill("b"))
    world.project(".agents/plugins/portable/plugin.json", {"name": "portable"})
    world.user(".openhands/plugins/installed/far/.claude-plugin/plugin.json", {"name": "far"})
    assert world.names("packages") == ["bare", "tool-kit", "far"]
    assert world.names("commands") == ["tool-kit:fix"]
    assert world.names("skills") == ["b", "Other"]
    assert (world.names("subagents"), world.names("mcp-servers")) == (["a"], ["m"])
    assert [each.item.command for each in world.found("hooks").items] == ["x.sh"]
