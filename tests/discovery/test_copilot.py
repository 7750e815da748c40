"""GitHub Copilot: nearer folders first, then the user's; instructions and hooks of all places add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.copilot import HARNESS
from tests.discovery.trusted import trusted_in_copilot
from tests.discovery.world import World, skill

AGENT = "---\nname: Shown Name\ndescription: Reviews\ntools: ['read']\n---\nYou review."


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, HARNESS)
    trusted_in_copilot(world)
    return world


def test_instructions_of_user_and_repository_all_count(world: World) -> None:
    world.user(".copilot/copilot-instructions.md", "x")
    world.user(".copilot/instructions/sql.instructions.md", "x")
    world.project(".github/copilot-instructions.md", "x")
    world.project(".github/instructions/web/react.instructions.md", "x")
    world.project(".github/instructions/readme.md", "x")
    world.project("AGENTS.md", "x")
    assert world.paths("context-files") == [
        "~/.copilot/copilot-instructions.md",
        "~/.copilot/instructions/sql.instructions.md",
        ".github/copilot-instructions.md",
        ".github/instructions/web/react.instructions.md",
        "AGENTS.md",
    ]


def test_a_variable_moves_the_users_folder(world: World) -> None:
    world.env["COPILOT_HOME"] = str(world.home / "moved")
    world.user("moved/copilot-instructions.md", "x")
    world.user(".copilot/copilot-instructions.md", "x")
    assert world.paths("context-files") == ["~/moved/copilot-instructions.md"]


def test_prompt_files_are_commands_named_by_header_or_file(world: World) -> None:
    world.project(".github/prompts/fix.prompt.md", "Fix it")
    world.project(".github/prompts/form.prompt.md", "---\nname: create-form\ndescription: Makes a form\n---\nMake it")
    world.project(".github/prompts/readme.md", "x")
    assert world.names("commands") == ["fix", "create-form"]


def test_agents_are_known_by_their_file_and_the_nearest_wins(world: World) -> None:
    world.project(".github/agents/reviewer.agent.md", AGENT)
    world.project("app/.github/agents/reviewer.md", AGENT)
    world.project(".claude/agents/other.md", AGENT)
    world.user(".copilot/agents/reviewer.agent.md", AGENT)
    world.user(".copilot/agents/own.agent.md", AGENT)
    world.cwd = world.repository / "app"
    assert world.names("subagents") == ["reviewer", "other", "own"]
    assert world.paths("subagents")[0] == "app/.github/agents/reviewer.md"


def test_an_agent_without_description_is_reported(world: World) -> None:
    world.project(".github/agents/r.agent.md", "---\nname: r\n---\n")
    assert world.names("subagents") == []
    assert world.problem("subagents", "subagent-incomplete").about == "r"


def test_chat_modes_still_count_last(world: World) -> None:
    world.project(".github/chatmodes/plan.chatmode.md", "---\ndescription: Plans\n---\n")
    world.project(".github/agents/plan.agent.md", AGENT)
    world.project(".github/chatmodes/old.chatmode.md", "You are old.")
    assert world.names("subagents") == ["plan", "old"]
    assert world.paths("subagents")[0] == ".github/agents/plan.agent.md"


def test_skills_are_found_in_the_documented_order(world: World) -> None:
    for folder in (".github", ".agents", ".claude"):
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
        world.project(f"app/{folder}/skills/s/SKILL.md", skill("s"))
    world.user(".copilot/skills/s/SKILL.md", skill("s"))
    world.user(".agents/skills/s/SKILL.md", skill("s"))
    world.cwd = world.repository / "app"
    assert [path.removesuffix("/skills/s/SKILL.md") for path in world.paths("skills", every=True)] == [
        "app/.github",
        "app/.agents",
        "app/.claude",
        ".github",
        ".agents",
        ".claude",
        "~/.copilot",
        "~/.agents",
    ]


def test_servers_come_from_the_project_then_the_editor_then_the_user(world: World) -> None:
    world.project(".mcp.json", {"mcpServers": {"a": {"command": "mcp-json"}}})
    world.project(".github/mcp.json", {"a": {"command": "github"}, "b": {"command": "github"}})
    world.project(".vscode/mcp.json", '{"servers": {"c": {"command": "editor"},}, /* yes */ "inputs": []}')
    world.user(
        ".copilot/mcp-config.json", {"mcpServers": {"c": {"command": "user"}, "d": {"url": "https://d.example"}}}
    )
    found = [(each.found.item.launch, each.state) for each in world.found("mcp-servers").all]
    assert found == [
        ("mcp-json", "active"),
        ("github", "shadowed"),
        ("github", "active"),
        ("editor", "waiting"),
        ("user", "active"),
        ("https://d.example", "active"),
    ]


def test_hooks_come_from_every_file_of_the_folders_and_from_settings(world: World) -> None:
    world.user(".copilot/hooks/sound.json", {"version": 1, "hooks": {"agentStop": [{"bash": "a", "timeoutSec": 5}]}})
    world.project(".github/hooks/one.json", {"hooks": {"PostToolUse": [{"type": "command", "command": "b"}]}})
    world.project(
        ".github/hooks/two.json",
        {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "c"}]}]}},
    )
    world.project(".github/copilot/settings.json", '{"hooks": {"sessionStart": [{"powershell": "d"}]} /* yes */}')
    hooks = [each.item for each in world.found("hooks").items]
    assert [(hook.event, hook.command, hook.matcher) for hook in hooks] == [
        ("agentStop", "a", None),
        ("PostToolUse", "b", None),
        ("PreToolUse", "c", "Bash"),
        ("sessionStart", "d", None),
    ]
    assert hooks[0].timeout == 5


def test_a_broken_hook_file_takes_no_other_down(world: World) -> None:
    world.project(".github/hooks/a.json", "{")
    world.project(".github/hooks/b.json", {"hooks": {"stop": [{"command": "x"}], "sessionEnd": [{"command": "y"}]}})
    assert [each.item.command for each in world.found("hooks").items] == ["y"]
    assert world.codes("hooks") == ["config-syntax", "flat-hook-event"]


def test_settings_of_the_checkout_come_first(world: World) -> None:
    world.user(".copilot/settings.json", "{} // mine")
    world.project(".github/copilot/settings.json", {})
    world.project(".github/copilot/settings.local.json", {})
    assert world.paths("settings") == [
        ".github/copilot/settings.local.json",
        ".github/copilot/settings.json",
        "~/.copilot/settings.json",
    ]
