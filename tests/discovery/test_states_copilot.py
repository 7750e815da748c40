"""GitHub Copilot: folder trust, lists of what is disabled, and hooks that are off as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.copilot import HARNESS
from tests.discovery.stands import reasons, stands, states, switch_line
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


SERVER = {"mcpServers": {"docs": {"command": "x"}}}


def test_servers_and_hooks_of_a_repository_need_a_trusted_folder(world: World) -> None:
    world.project(".github/mcp.json", SERVER)
    world.project(".github/hooks/h.json", {"hooks": {"sessionEnd": [{"bash": "h"}]}})
    world.project(".github/skills/s/SKILL.md", skill("s"))
    world.user(".copilot/mcp-config.json", {"mcpServers": {"own": {"command": "x"}}})
    assert states(world, "mcp-servers") == {"docs": "untrusted", "own": "active"}
    assert states(world, "hooks") == {"h": "untrusted"}
    assert states(world, "skills") == {"s": "active"}
    world.user(".copilot/config.json", {"trustedFolders": [str(world.repository.parent)]})
    assert states(world, "mcp-servers") == {"docs": "active", "own": "active"}
    assert states(world, "hooks") == {"h": "active"}
    world.user(".copilot/config.json", {"trustedFolders": [f"{world.repository}-other", "", 3]})
    assert states(world, "mcp-servers") == {"docs": "untrusted", "own": "active"}


def test_servers_of_the_editor_wait_for_an_answer_that_only_the_editor_knows(world: World) -> None:
    world.project(".vscode/mcp.json", {"servers": {"docs": {"command": "x"}}})
    assert states(world, "mcp-servers") == {"docs": "waiting"}


def test_lists_of_what_is_disabled_add_up(world: World) -> None:
    for name in ("one", "two", "three"):
        world.user(f".copilot/skills/{name}/SKILL.md", skill(name))
    world.user(".copilot/mcp-config.json", SERVER)
    world.user(".copilot/settings.json", {"disabledSkills": ["one"], "disabledMcpServers": ["docs"]})
    world.project(".github/copilot/settings.json", {"disabledSkills": ["two"]})
    assert states(world, "skills") == {"one": "off", "two": "off", "three": "active"}
    (server,) = stands(world, "mcp-servers")
    assert (server.state, switch_line(server)) == ("off", '"docs"')


def test_the_nearest_file_switches_all_hooks(world: World) -> None:
    world.user(".copilot/hooks/h.json", {"hooks": {"sessionEnd": [{"bash": "h"}]}})
    world.user(".copilot/settings.json", {"disableAllHooks": True})
    assert states(world, "hooks") == {"h": "off"}
    world.project(".github/copilot/settings.json", {"disableAllHooks": False})
    assert states(world, "hooks") == {"h": "active"}


def test_a_disabled_subagent_is_off(world: World) -> None:
    world.user(".copilot/agents/a.agent.md", "---\ndescription: d\n---\n")
    world.user(".copilot/settings.json", {"subagents": {"disabledSubagents": ["a"]}})
    assert states(world, "subagents") == {"a": "off"}


def test_instructions_say_for_which_files_they_are(world: World) -> None:
    world.project(".github/instructions/ts.instructions.md", "---\napplyTo: '**/*.ts'\n---\n")
    world.project(".github/instructions/all.instructions.md", "---\napplyTo: '**'\n---\n")
    expected = {"ts.instructions.md": "only with files that fit `**/*.ts`", "all.instructions.md": ""}
    assert reasons(world, "context-files") == expected


def test_a_plugin_that_is_off_is_listed_with_all_that_it_brings(world: World) -> None:
    plugin = ".copilot/installed-plugins/market/kit/"
    world.user(plugin + "plugin.json", {"name": "kit", "skills": "skills"})
    world.user(plugin + "skills/s/SKILL.md", skill("s"))
    world.user(plugin + ".mcp.json", {"mcpServers": {"m": {"command": "x"}}})
    record = {"name": "kit", "marketplace": "market", "enabled": True}
    world.user(".copilot/config.json", {"installedPlugins": [record]})
    kinds = ("packages", "skills", "mcp-servers")
    assert [list(states(world, kind).values()) for kind in kinds] == [["active"]] * 3
    world.user(".copilot/config.json", {"installedPlugins": [{**record, "enabled": False}]})
    assert [list(states(world, kind).values()) for kind in kinds] == [["off"]] * 3
    assert switch_line(stands(world, "packages")[0]) == '"enabled": false'
    world.project(".github/copilot/settings.json", {"enabledPlugins": {"kit@market": True}})
    assert [list(states(world, kind).values()) for kind in kinds] == [["active"]] * 3
    world.project(".github/copilot/settings.local.json", {"enabledPlugins": {"kit@market": False}})
    assert [list(states(world, kind).values()) for kind in kinds] == [["off"]] * 3


def test_a_plugin_of_claude_code_is_read_as_such(world: World) -> None:
    kit = world.user("kit/.claude-plugin/plugin.json", {"name": "kit"}).parent.parent
    world.user("kit/agents/a.md", "---\nname: a\ndescription: d\n---\n")
    record = {"name": "kit", "marketplace": "m", "cache_path": str(kit)}
    world.user(".copilot/config.json", {"installedPlugins": [record, 3, {"name": "gone", "marketplace": "m"}]})
    assert states(world, "packages") == {"kit": "active"}
    assert states(world, "subagents") == {"kit:a": "active"}
