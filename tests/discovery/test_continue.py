"""Continue: the project before the user; rules and hooks of all places apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.by_name import export_of
from tests.discovery.world import World, skill

PROMPT = "---\nname: {0}\ndescription: Does it\ninvokable: true\n---\nDo it"
SERVERS = """
name: Ours
mcpServers:
  - name: a
    command: a-server
    args: [--stdio]
  - uses: somebody/hub-server
  - name: broken
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, export_of("pisces.harnesses", "continue", "HARNESS"))


def hooks(command: str) -> object:
    return {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]}}


def test_invokable_markdown_and_prompt_files_are_commands_and_the_rest_is_context(world: World) -> None:
    world.project(".continue/prompts/fix.md", PROMPT.format("mend"))
    world.project(".continue/prompts/deep/old.prompt", "Explain {{{ input }}}")
    world.project(".continue/prompts/style.md", "No header: a rule")
    world.project(".continue/rules/go.md", "---\nname: go\nglobs: '*.go'\n---\nUse gofmt.")
    world.user(".continue/rules/run.md", PROMPT.format("run"))
    assert world.names("commands") == ["run", "mend", "old"]
    assert world.paths("context-files") == [".continue/rules/go.md", ".continue/prompts/style.md"]


def test_of_the_instruction_files_here_only_the_first_counts(world: World) -> None:
    world.project("AGENTS.md", "x")
    for name in ("AGENT.md", "CLAUDE.md", "CODEX.md", ".continuerules", "rules.md"):
        world.project(f"app/{name}", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == ["app/AGENT.md", "app/.continuerules", "app/rules.md"]


def test_a_variable_moves_the_users_folder(world: World) -> None:
    world.env["CONTINUE_GLOBAL_DIR"] = str(world.home / "moved")
    world.user("moved/rules/a.md", "x")
    world.user(".continue/rules/b.md", "x")
    assert world.paths("context-files") == ["~/moved/rules/a.md"]


def test_skills_come_from_its_own_folder_then_claudes_then_the_users(world: World) -> None:
    world.user(".continue/skills/s/SKILL.md", skill("s"))
    world.project(".claude/skills/s/SKILL.md", skill("s"))
    world.project(".continue/skills/s/SKILL.md", skill("s"))
    assert world.paths("skills", every=True) == [
        ".continue/skills/s/SKILL.md",
        ".claude/skills/s/SKILL.md",
        "~/.continue/skills/s/SKILL.md",
    ]


def test_agents_come_before_checks(world: World) -> None:
    world.project(".continue/agents/security.md", "---\nname: security\n---\nLook for holes.")
    world.project(".continue/checks/style.md", "Look at style.")
    assert world.names("subagents") == ["security", "style"]


def test_servers_are_read_from_lists_objects_and_lone_files(world: World) -> None:
    world.project(".continue/mcpServers/ours.yaml", SERVERS)
    world.project(".continue/mcpServers/desk.json", '{"mcpServers": {"b": {"command": "b"}} /* copied */}')
    world.project(".continue/mcpServers/lone.json", {"url": "https://lone.example"})
    world.user(".continue/config.yaml", "mcpServers:\n  - name: c\n    url: https://c.example\n")
    found = [(each.item.name, each.item.launch) for each in world.found("mcp-servers").items]
    assert found == [
        ("b", "b"),
        ("lone", "https://lone.example"),
        ("a", "a-server --stdio"),
        ("c", "https://c.example"),
    ]
    flaw = world.problem("mcp-servers", "mcp-server-entry")
    assert (flaw.about, flaw.line) == ("broken", 8)


def test_hooks_of_its_own_settings_all_run_and_claudes_are_not_listed_twice(world: World) -> None:
    world.project(".continue/settings.local.json", hooks("1"))
    world.project(".continue/settings.json", hooks("2"))
    world.user(".continue/settings.json", hooks("3"))
    world.project(".claude/settings.json", hooks("Claude Code's"))
    assert [each.item.command for each in world.found("hooks").items] == ["1", "2", "3"]


def test_settings_are_its_own_files_alone(world: World) -> None:
    world.project(".continue/settings.json", {})
    world.project(".claude/settings.json", {})
    world.project(".continuerc.json", {})
    world.user(".continue/config.yaml", "name: x\n")
    world.user(".continue/permissions.yaml", "allow: []\n")
    assert world.paths("settings") == [
        ".continue/settings.json",
        ".continuerc.json",
        "~/.continue/config.yaml",
        "~/.continue/permissions.yaml",
    ]
