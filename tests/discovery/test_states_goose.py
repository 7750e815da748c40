"""Goose: extensions that are not enabled."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.goose import HARNESS
from tests.discovery.stands import stands, states, switch_line
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def test_a_server_that_is_off_is_listed_with_its_switch(world: World) -> None:
    entries = "a: {type: stdio, cmd: x, enabled: false}", "b: {type: sse, uri: https://b, enabled: true}"
    world.user(".config/goose/config.yaml", "extensions:\n  " + "\n  ".join(entries))
    assert states(world, "mcp-servers") == {"a": "off", "b": "active"}
    assert switch_line(stands(world, "mcp-servers")[0]).startswith("a:")
    assert world.codes("mcp-servers") == ["mcp-server-off"]


def test_an_entry_that_does_not_say_whether_it_is_enabled_is_skipped(world: World) -> None:
    world.user(".config/goose/config.yaml", "extensions:\n  a: {type: stdio, cmd: x}")
    assert states(world, "mcp-servers") == {}
    assert world.codes("mcp-servers") == ["mcp-server-entry"]
