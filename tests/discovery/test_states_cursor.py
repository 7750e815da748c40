"""Cursor: servers of a project wait for approval, its hooks for trust, and rules say when they apply."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pisces.harnesses.cursor import HARNESS
from tests.discovery.stands import reasons, stands, states
from tests.discovery.trusted import trusted_in_cursor
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


SERVER = {"mcpServers": {"docs": {"url": "https://a.example"}}}
HOOK = {"hooks": {"stop": [{"command": "h"}]}}


def test_servers_of_a_project_wait_until_this_very_entry_is_approved_here(world: World) -> None:
    world.project(".cursor/mcp.json", SERVER)
    world.user(".cursor/mcp.json", {"mcpServers": {"own": {"command": "x"}}})
    assert states(world, "mcp-servers") == {"docs": "waiting", "own": "active"}
    text = f'{{"path":"{world.cwd.resolve()}","server":{{"url":"https://a.example"}}}}'
    trusted_in_cursor(world, f"docs-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    assert states(world, "mcp-servers") == {"docs": "active", "own": "active"}
    world.project(".cursor/mcp.json", {"mcpServers": {"docs": {"url": "https://b.example"}}})
    (waiting, _) = stands(world, "mcp-servers")
    assert (waiting.state, waiting.held and waiting.held.change) == ("waiting", "`agent mcp enable docs`")


def test_hooks_of_a_project_run_only_in_a_trusted_workspace(world: World) -> None:
    world.project(".cursor/hooks.json", HOOK)
    world.user(".cursor/hooks.json", {"hooks": {"stop": [{"command": "own"}]}})
    assert states(world, "hooks") == {"h": "untrusted", "own": "active"}
    trusted_in_cursor(world)
    assert states(world, "hooks") == {"h": "active", "own": "active"}


def test_a_rule_says_when_it_applies(world: World) -> None:
    headers = {
        "always": "alwaysApply: true",
        "files": "globs: '*.ts, *.tsx'",
        "fits": "description: SQL",
        "named": "x: 1",
    }
    for name, header in headers.items():
        world.project(f".cursor/rules/{name}.mdc", f"---\n{header}\n---\nText")
    assert reasons(world, "context-files") == {
        "always.mdc": "",
        "files.mdc": "only with files that fit `*.ts`, `*.tsx`",
        "fits.mdc": "when the agent finds that it fits",
        "named.mdc": "only when you name it",
    }


def test_a_skill_that_the_agent_must_not_take_is_active_when_it_is_named(world: World) -> None:
    world.project(".cursor/skills/s/SKILL.md", "---\nname: s\ndescription: d\ndisable-model-invocation: true\n---\n")
    assert (states(world, "skills"), reasons(world, "skills")) == ({"s": "active"}, {"s": "only when you name it"})
