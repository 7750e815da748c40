"""Augment: when rules apply, and servers that are off."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.augment import HARNESS
from tests.discovery.stands import reasons, states
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_a_rule_of_the_workspace_says_when_it_applies(world: World) -> None:
    for name in ("always_apply", "manual", "agent_requested"):
        world.project(f".augment/rules/{name}.md", f"---\ntype: {name}\n---\nText")
    world.user(".augment/rules/own.md", "---\ntype: manual\n---\nText")
    assert reasons(world, "context-files") == {
        "always_apply.md": "",
        "manual.md": "only when you name it",
        "agent_requested.md": "when the agent finds that it fits",
        "own.md": "",
    }


def test_a_server_that_is_disabled_is_listed_as_off(world: World) -> None:
    world.project(".augment/settings.json", {"mcpServers": {"a": {"command": "x", "disabled": True}}})
    assert states(world, "mcp-servers") == {"a": "off"}
