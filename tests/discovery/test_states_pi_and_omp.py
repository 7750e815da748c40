"""The switches of pi 0.73.1 and oh-my-pi 18.2.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.harness import Harness, Run
from pisces.discovery.standing import standing
from pisces.formats.path_glob import path_glob_matches
from pisces.harnesses.omp import HARNESS as OMP
from pisces.harnesses.pi import HARNESS as PI
from pisces.places import Places
from tests.discovery.world import World, skill


def states(world: World, kind: str) -> dict[str, str]:
    places = Places(str(world.home), str(world.cwd), world.env)
    found = standing(world.harness, capability_named(kind), places, Run()).candidates
    return {each.found.item.name: each.state for each in found}


def made(tmp_path: Path, harness: Harness) -> World:
    world = World(tmp_path, harness)
    folder = ".pi/agent" if harness is PI else ".omp/agent"
    for name in ("one", "two"):
        world.user(f"{folder}/skills/{name}/SKILL.md", skill(name))
        world.project(f"{harness.project_dir}/skills/p-{name}/SKILL.md", skill(f"p-{name}"))
    return world


ALL = {"one": "active", "two": "active", "p-one": "active", "p-two": "active"}


@pytest.mark.parametrize(
    ("entries", "off"),
    [
        (["!one"], {"one"}),
        (["!skills/*"], {"one", "two"}),
        (["!**/two"], {"two"}),
        (["!*", "+skills/one"], {"two"}),
        (["+skills/one/SKILL.md", "-skills/one"], {"one"}),
        (["-one"], set()),
        (["one"], set()),
    ],
)
def test_settings_of_pi_leave_out_what_lies_beside_them(entries: list[str], off: set[str], tmp_path: Path) -> None:
    world = made(tmp_path, PI)
    world.user(".pi/agent/settings.json", {"skills": entries})
    assert states(world, "skills") == {**ALL, **dict.fromkeys(off, "off")}


def test_settings_of_the_project_decide_about_the_project_in_pi(tmp_path: Path) -> None:
    world = made(tmp_path, PI)
    world.project(".pi/settings.json", {"skills": ["!*"]})
    assert states(world, "skills") == {**ALL, "p-one": "off", "p-two": "off"}


@pytest.mark.parametrize(
    ("settings", "off"),
    [
        ("disabledExtensions: ['skill:one']", {"one"}),
        ("disabledProviders: [native]", set(ALL)),
        ("skills:\n  enabled: false", set(ALL)),
        ("skills:\n  enablePiUser: false", {"one", "two"}),
        ("skills:\n  enablePiProject: false", {"p-one", "p-two"}),
        ("skills:\n  ignoredSkills: ['p-*']", {"p-one", "p-two"}),
        ("skills:\n  includeSkills: [one, 'p-*']", {"two"}),
    ],
)
def test_switches_of_omp(settings: str, off: set[str], tmp_path: Path) -> None:
    world = made(tmp_path, OMP)
    world.user(".omp/agent/config.yml", settings)
    assert states(world, "skills") == {**ALL, **dict.fromkeys(off, "off")}


def test_settings_of_the_project_replace_those_of_the_user_in_omp(tmp_path: Path) -> None:
    world = made(tmp_path, OMP)
    world.user(".omp/agent/config.yml", "disabledExtensions: ['skill:one']")
    world.project(".omp/config.yml", "disabledExtensions: ['skill:two']")
    assert states(world, "skills") == {**ALL, "two": "off"}


def test_servers_of_omp_are_switched_by_name_and_by_level(tmp_path: Path) -> None:
    world = World(tmp_path, OMP)
    world.user(
        ".omp/agent/mcp.json", {"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}, "disabledServers": ["b"]}
    )
    world.project(".omp/mcp.json", {"mcpServers": {"c": {"command": "x"}}})
    assert states(world, "mcp-servers") == {"a": "active", "b": "off", "c": "active"}
    world.user(".omp/agent/config.yml", "mcp:\n  enableProjectConfig: false")
    assert states(world, "mcp-servers") == {"a": "active", "b": "off", "c": "off"}


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("a/*", "a/b", True),
        ("a/*", "a/b/c", False),
        ("a/**", "a/b/c", True),
        ("**/c", "a/b/c", True),
        ("**/c", "c", True),
        ("a/**/c", "a/c", True),
        ("*", "a/b", False),
        ("?", "a", True),
    ],
)
def test_globs_over_paths(pattern: str, path: str, fits: bool) -> None:
    assert path_glob_matches(pattern, path) is fits
