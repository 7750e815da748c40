"""What OpenCode 1.18.33 does with its switches, as it was seen to do when it was run."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.harness import Run
from pisces.discovery.standing import standing
from pisces.formats.wildcard import wildcard_matches
from pisces.harnesses.opencode import HARNESS
from pisces.places import Places
from tests.discovery.world import World, skill

LOCAL = {"type": "local", "command": ["x"]}
USER = ".config/opencode/opencode.json"
AGENT = "---\ndescription: Helps\nmode: subagent\n{}---\nHelp."


class OpenCodeWorld(World):
    def states(self, kind: str) -> list[tuple[str, str]]:
        places = Places(str(self.home), str(self.cwd), self.env)
        found = standing(HARNESS, capability_named(kind), places, Run()).candidates
        return [(each.found.item.name, each.state) for each in found]


@pytest.fixture
def world(tmp_path: Path) -> OpenCodeWorld:
    return OpenCodeWorld(tmp_path, HARNESS)


def test_a_nearer_file_switches_a_server_off_with_one_key(world: OpenCodeWorld) -> None:
    world.user(USER, {"mcp": {"both": LOCAL, "own": LOCAL}})
    world.project("opencode.json", {"mcp": {"both": {"enabled": False}}})
    assert world.states("mcp-servers") == [("both", "off"), ("both", "shadowed"), ("own", "active")]


def test_a_nearer_file_switches_a_server_on_again(world: OpenCodeWorld) -> None:
    world.user(USER, {"mcp": {"both": {**LOCAL, "enabled": False}}})
    world.project("opencode.json", {"mcp": {"both": {"enabled": True}}})
    assert world.states("mcp-servers") == [("both", "active"), ("both", "shadowed")]


def test_agents_are_disabled_in_their_header_or_in_any_file(world: OpenCodeWorld) -> None:
    world.project(".opencode/agent/header.md", AGENT.format("disable: true\n"))
    world.project(".opencode/agent/by-file.md", AGENT.format(""))
    world.project(".opencode/agent/on.md", AGENT.format(""))
    world.user(USER, {"agent": {"by-file": {"disable": True}, "entry": {"disable": True, "description": "x"}}})
    assert sorted(set(world.states("subagents"))) == [
        ("by-file", "off"),
        ("entry", "off"),
        ("header", "off"),
        ("on", "active"),
    ]


def test_a_denied_skill_is_off_and_the_last_pattern_decides(world: OpenCodeWorld) -> None:
    for name in ("team-a", "team-b", "own"):
        world.project(f".opencode/skills/{name}/SKILL.md", skill(name))
    world.user(USER, {"permission": {"skill": {"team-*": "deny", "team-b": "allow"}}})
    assert sorted(world.states("skills")) == [("own", "active"), ("team-a", "off"), ("team-b", "active")]


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("OPENCODE_DISABLE_CLAUDE_CODE", {"agents": "active", "claude": "off", "own": "active"}),
        ("OPENCODE_DISABLE_EXTERNAL_SKILLS", {"agents": "off", "claude": "off", "own": "active"}),
    ],
)
def test_variables_switch_skills_of_others_off(variable: str, expected: dict[str, str], world: OpenCodeWorld) -> None:
    for folder, name in ((".agents", "agents"), (".claude", "claude"), (".opencode", "own")):
        world.project(f"{folder}/skills/{name}/SKILL.md", skill(name))
    world.env[variable] = "1"
    assert dict(world.states("skills")) == expected


def test_a_broken_file_stops_the_program(world: OpenCodeWorld) -> None:
    world.project(".opencode/skills/s/SKILL.md", skill("s"))
    world.user(USER, "{")
    assert world.states("skills") == [("s", "refused")]


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*", "", True),
        ("a*c", "abbc", True),
        ("a*c", "abcd", False),
        ("?b", "ab", True),
        ("?", "", False),
        ("*a*b*", "xxaxxbxx", True),
        ("", "a", False),
        ("a**", "a", True),
    ],
)
def test_wildcards(pattern: str, text: str, fits: bool) -> None:
    assert wildcard_matches(pattern, text) is fits


def test_a_hostile_wildcard_ends(world: OpenCodeWorld) -> None:
    assert not wildcard_matches("*a" * 200 + "b", "a" * 2000)


@pytest.mark.parametrize(
    "wrong",
    [
        {"mcp": {"bad": {"type": "local", "command": "true"}}},
        {"mcp": {"bad": {"command": ["true"]}}},
        {"mcp": {"bad": {**LOCAL, "timeout": 0}}},
        {"command": {"bad": {"description": "no template"}}},
        {"agent": {"bad": {"mode": "sometimes"}}},
        {"agent": {"bad": {"color": "blue"}}},
        {"permission": {"webfetch": {"*": "ask"}}},
        {"permission": {"bash": {"*": "maybe"}}},
        {"instructions": "AGENTS.md"},
        {"lsp": {"x": {}}},
        [],
    ],
)
def test_a_value_that_it_does_not_take_stops_the_program(world: OpenCodeWorld, wrong: object) -> None:
    world.project(".opencode/agent/one.md", AGENT.format(""))
    world.user(USER, wrong)
    assert set(world.states("subagents")) >= {("one", "refused")}


@pytest.mark.parametrize("header", ["color: blue\n", "steps: 0\n", "model: 7\n"])
def test_a_header_that_it_does_not_take_stops_the_program(world: OpenCodeWorld, header: str) -> None:
    world.project(".opencode/agent/one.md", AGENT.format(""))
    world.project(".opencode/agent/two.md", AGENT.format(header))
    assert sorted(world.states("subagents")) == [("one", "refused"), ("two", "refused")]


def test_keys_that_it_does_not_know_are_passed_over(world: OpenCodeWorld) -> None:
    world.project(".opencode/agent/one.md", AGENT.format("whatever: 1\n"))
    world.user(USER, {"whatever": 1, "mcp": {"s": {**LOCAL, "whatever": 1}}})
    assert world.states("subagents") == [("one", "active")]


def test_a_switch_below_holds_for_a_server_that_says_nothing(world: OpenCodeWorld) -> None:
    world.user(USER, {"mcp": {"bare": {"enabled": False}, "other": {**LOCAL, "enabled": False}}})
    remote = {"type": "remote", "url": "http://localhost:1"}
    world.project("opencode.json", {"mcp": {"bare": LOCAL, "other": remote}})
    assert [each for each in world.states("mcp-servers") if each[1] != "shadowed"] == [
        ("bare", "off"),
        ("other", "off"),
    ]


@pytest.mark.parametrize(
    ("header", "state"),
    [
        ("name: n\ndescription: about: this", "active"),
        ("name: n\ndescription: d\ntools: ''", "active"),
        ("name: n\ndescription: d\nallowed-tools: a: b", "invalid"),
        ("name: n\ndescription: d\ntools: %x", "invalid"),
        ("name: n\ndescription: [a]", "invalid"),
        ("name: 12\ndescription: d", "invalid"),
    ],
)
def test_headers_of_skills_are_read_as_opencode_reads_them(header: str, state: str, world: OpenCodeWorld) -> None:
    world.project(".agents/skills/s/SKILL.md", f"---\n{header}\n---\nDo it.\n")
    assert [each for _, each in world.states("skills")] == [state]
