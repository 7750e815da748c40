"""OpenHands: what its record disables, flawed hooks, and the hooks file that hides the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.harnesses.openhands import HARNESS
from tests.discovery.stands import stands, states, switch_line
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


HOOK = {"hooks": {"Stop": [{"hooks": [{"command": "p"}]}]}}
OWN = {"hooks": {"Stop": [{"hooks": [{"command": "u"}]}]}}


@pytest.mark.parametrize("key", ["extensions", "skills"])
def test_the_record_disables_an_installed_skill(key: str, world: World) -> None:
    for name in ("off", "on"):
        world.user(f".openhands/skills/installed/{name}/SKILL.md", skill(name))
    world.user(
        ".openhands/skills/installed/.installed.json", {key: {"off": {"enabled": False}, "on": {"enabled": True}}}
    )
    assert states(world, "skills") == {"off": "off", "on": "active"}
    assert switch_line(stands(world, "skills")[0]) == '"enabled": false'


def test_a_disabled_plugin_is_listed_with_all_that_it_brings(world: World) -> None:
    plugin = ".openhands/plugins/installed/kit/"
    world.user(plugin + ".plugin/plugin.json", {"name": "kit"})
    world.user(plugin + "skills/s/SKILL.md", skill("s"))
    world.user(plugin + "hooks/hooks.json", HOOK)
    world.user(".openhands/plugins/installed/.installed.json", {"extensions": {"kit": {"enabled": False}}})
    assert [states(world, kind) for kind in ("packages", "skills", "hooks")] == [
        {"kit": "off"},
        {"s": "off"},
        {"p": "off"},
    ]


def test_the_projects_hooks_file_hides_the_users(world: World) -> None:
    world.user(".openhands/hooks.json", OWN)
    assert states(world, "hooks") == {"u": "active"}
    world.project(".openhands/hooks.json", HOOK)
    assert states(world, "hooks") == {"p": "active", "u": "shadowed"}


def test_one_flaw_refuses_every_hook_of_the_file(world: World) -> None:
    world.project(".openhands/hooks.json", {"hooks": {**HOOK["hooks"], "Never": []}})
    (hook,) = stands(world, "hooks")
    assert (hook.state, switch_line(hook)) == ("refused", '"Never": []')
