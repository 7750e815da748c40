"""Roo Code: one bad mode refuses all of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.harness import Run
from pisces.discovery.standing import refusals, standing
from pisces.harnesses.roo import HARNESS
from pisces.places import Places
from tests.discovery.stands import stands, states
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


GOOD = {"slug": "good", "name": "Good", "roleDefinition": "You are.", "groups": ["read"]}


def test_one_bad_mode_refuses_every_mode_of_the_file(world: World) -> None:
    world.project(".roomodes", {"customModes": [GOOD, {**GOOD, "slug": "no good"}]})
    (mode,) = stands(world, "subagents")
    assert (mode.found.item.name, mode.state) == ("good", "refused")
    assert mode.held is not None
    assert mode.held.path.endswith(".roomodes")
    assert "slug" in mode.reason


def test_modes_without_a_flaw_are_active(world: World) -> None:
    world.project(".roomodes", {"customModes": [GOOD]})
    assert states(world, "subagents") == {"good": "active"}


def test_a_server_that_is_disabled_is_listed_as_off(world: World) -> None:
    world.project(".roo/mcp.json", {"mcpServers": {"a": {"command": "x", "disabled": True}}})
    assert states(world, "mcp-servers") == {"a": "off"}


def test_what_is_refused_is_a_problem_of_the_program(world: World) -> None:
    world.project(".roomodes", {"customModes": [GOOD, 3]})
    places = Places(str(world.home), str(world.cwd), {})
    (problem,) = refusals(standing(HARNESS, capability_named("subagents"), places, Run()))
    assert (problem.code, problem.line) == ("harness-refuses", 11)
