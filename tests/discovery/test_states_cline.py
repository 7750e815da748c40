"""Cline: switches in the header of skills, workflows and rules, and plugins that are disabled by their path."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.cline import HARNESS
from tests.discovery.stands import reasons, stands, states, switch_line
from tests.discovery.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


HEADER = "---\nname: {}\ndescription: d\n{}\n---\nText"


@pytest.mark.parametrize(
    ("header", "state"),
    [
        ("disabled: true", "off"),
        ("enabled: false", "off"),
        ("disabled: false\nenabled: false", "active"),
        ("disabled: 1", "active"),
        ("x: 1", "active"),
    ],
)
def test_a_header_switches_skills_workflows_and_rules(header: str, state: str, world: World) -> None:
    world.project(".cline/skills/s/SKILL.md", HEADER.format("s", header))
    world.project(".cline/workflows/w.md", HEADER.format("w", header))
    world.project(".cline/rules/r.md", HEADER.format("r", header))
    assert states(world, "skills") == {"s": state}
    assert states(world, "commands") == {"w": state}
    assert states(world, "context-files") == {"r.md": state}


def test_the_line_of_the_header_is_named(world: World) -> None:
    world.project(".cline/skills/s/SKILL.md", HEADER.format("s", "disabled: true"))
    assert switch_line(stands(world, "skills")[0]) == "disabled: true"


def test_a_rule_for_no_path_never_applies(world: World) -> None:
    world.project(".cline/rules/never.md", "---\npaths: []\n---\nText")
    world.project(".cline/rules/some.md", "---\npaths: [src/**]\n---\nText")
    assert states(world, "context-files") == {"never.md": "off", "some.md": "active"}
    assert reasons(world, "context-files")["some.md"] == "only with files that fit `src/**`"


def test_plugins_are_disabled_by_their_path(world: World) -> None:
    off = world.user(".cline/plugins/off.ts", "x")
    world.user(".cline/plugins/on.ts", "x")
    world.user(".cline/data/settings/global-settings.json", {"disabledPlugins": [str(off)]})
    assert states(world, "modules") == {"off": "off", "on": "active"}
