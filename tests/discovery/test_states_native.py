"""pisces itself: the line of its own settings that switches an item off."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.discovery.capabilities import SKILLS
from pisces.discovery.found import Candidate
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches
from pisces.harnesses.native import HARNESS
from pisces.places import Places
from tests.discovery.stands import switch_line
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, HARNESS)
    world.user(".pisces/agent/skills/s/SKILL.md", skill("s"))
    return world


def only(world: World, disabled: frozenset[str] = frozenset()) -> Candidate:
    places = Places(str(world.home), str(world.cwd), world.env)
    switches, _ = configured_switches(places)
    switches = switches.replace(disabled_items=switches.disabled_items | disabled)
    (found,) = discover(SKILLS, places, switches, harnesses=[HARNESS]).all
    return found


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("user", "disabledExtensions:\n  - skill:other\n  - skill:s\n", "- skill:s"),
        ("project", '{\n "disabledExtensions": [\n  "skill:s" // ours\n ]\n}', '"skill:s" // ours'),
    ],
)
def test_the_line_that_switches_an_item_off_is_named(path: str, text: str, line: str, world: World) -> None:
    world.user(".pisces/agent/config.yml", text) if path == "user" else world.project(".pisces/settings.json", text)
    found = only(world)
    assert (found.state, found.reason) == ("off", "switched off as skill:s")
    assert switch_line(found) == line


def test_an_option_has_no_line(world: World) -> None:
    found = only(world, frozenset({"skill:s"}))
    assert found.held is not None
    assert (found.held.path, found.held.change) == ("", "leave out `--disable`")


def test_nothing_is_off_without_a_switch(world: World) -> None:
    assert only(world).state == "active"
