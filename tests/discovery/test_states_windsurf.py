"""Windsurf: what Devin does not take from other tools, and when rules apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.windsurf import HARNESS
from tests.discovery.stands import reasons, states
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_what_devin_does_not_take_from_others_is_off(world: World) -> None:
    for name in (".cursorrules", "CLAUDE.md", "AGENTS.md", ".windsurf/rules/own.md"):
        world.project(name, "x")
    world.user(".config/devin/config.json", {"read_config_from": {"cursor": False, "claude": False, "windsurf": False}})
    off = {".cursorrules": "off", "CLAUDE.md": "off", "AGENTS.md": "active", "own.md": "active"}
    assert states(world, "context-files") == off
    world.project(".devin/config.json", '{"read_config_from": {"cursor": true}} // ours')
    assert states(world, "context-files") == {**off, ".cursorrules": "active"}


def test_a_rule_says_when_it_applies(world: World) -> None:
    headers = {"a": "trigger: always_on", "b": "trigger: manual", "c": "trigger: model_decision"}
    for name, header in {**headers, "d": "trigger: glob\nglobs: src/**"}.items():
        world.project(f".windsurf/rules/{name}.md", f"---\n{header}\n---\nText")
    assert reasons(world, "context-files") == {
        "a.md": "",
        "b.md": "only when you name it",
        "c.md": "when the agent finds that it fits",
        "d.md": "only with files that fit `src/**`",
    }


def test_a_server_that_is_disabled_is_listed_as_off(world: World) -> None:
    world.user(".codeium/windsurf/mcp_config.json", {"mcpServers": {"a": {"command": "x", "disabled": True}}})
    assert states(world, "mcp-servers") == {"a": "off"}
