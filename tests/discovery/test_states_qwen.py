"""What Qwen Code does not load, as its source says: switches, approval, folder trust."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.found import Candidate
from pisces.discovery.harness import Run
from pisces.discovery.standing import standing
from pisces.discovery.state import ACTIVE, OFF, SHADOWED, UNTRUSTED, WAITING, State
from pisces.harnesses.qwen import HARNESS
from pisces.harnesses.qwen.server_switches import matches
from pisces.places import Places
from tests.discovery.world import World

SKILL = "---\nname: {0}\ndescription: d\n---\nbody"
HOOK = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "check"}]}]}}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, HARNESS)
    world.user(".qwen/skills/review/SKILL.md", SKILL.format("review"))
    return world


def candidates(world: World, kind: str) -> tuple[Candidate, ...]:
    places = Places(str(world.home), str(world.cwd), {})
    return standing(HARNESS, capability_named(kind), places, Run()).candidates


def states(world: World, kind: str) -> list[tuple[str, str]]:
    return [(getattr(each.found.item, "name", ""), each.state) for each in candidates(world, kind)]


def held(world: World, kind: str) -> State:
    return next(each.held for each in candidates(world, kind) if each.held)


@pytest.mark.parametrize(
    ("skills", "state"),
    [
        ({"disabled": ["REVIEW "]}, OFF),
        ({"defaultDisabled": ["review"]}, OFF),
        ({"defaultDisabled": ["review"], "enabled": ["Review"]}, ACTIVE),
        ({"disabled": ["review"], "enabled": ["review"]}, OFF),
        ({"disabledLevels": ["user"]}, OFF),
        ({"disabledLevels": ["project"]}, ACTIVE),
    ],
)
def test_lists_of_settings_switch_skills_off(world: World, skills: object, state: str) -> None:
    world.project(".qwen/settings.json", {"skills": skills})
    assert states(world, "skills") == [("review", state)]


def test_servers_of_a_project_wait_until_they_are_approved_as_they_are(world: World) -> None:
    config = {"command": "docs", "args": ["-é"]}
    world.project(".mcp.json", {"mcpServers": {"docs": {**config, "description": "seen or not"}}})
    world.user(".qwen/settings.json", {"mcpServers": {"docs": {"command": "mine"}, "own": {"command": "own"}}})
    assert states(world, "mcp-servers") == [("docs", WAITING), ("docs", SHADOWED), ("own", ACTIVE)]
    assert held(world, "mcp-servers").change == "`qwen mcp approve docs`"
    text = json.dumps(config, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    record = {"hash": hashlib.sha256(text.encode()).hexdigest(), "status": "approved"}
    world.user(".qwen/mcpApprovals.json", {str(world.cwd): {"docs": record}})
    assert states(world, "mcp-servers")[0] == ("docs", ACTIVE)
    world.user(".qwen/mcpApprovals.json", {str(world.cwd): {"docs": {**record, "status": "rejected"}}})
    assert states(world, "mcp-servers")[0] == ("docs", OFF)
    world.user(".qwen/mcpApprovals.json", {str(world.cwd): {"docs": {**record, "hash": "old"}}})
    assert states(world, "mcp-servers")[0] == ("docs", WAITING)


@pytest.mark.parametrize(
    ("mcp", "state"),
    [
        ({"excluded": ["do*"]}, OFF),
        ({"excluded": ["d"]}, ACTIVE),
        ({"allowed": ["d?cs"]}, ACTIVE),
        ({"allowed": []}, OFF),
    ],
)
def test_lists_of_servers_have_patterns(world: World, mcp: object, state: str) -> None:
    world.user(".qwen/settings.json", {"mcp": mcp, "mcpServers": {"docs": {"command": "docs"}}})
    assert states(world, "mcp-servers") == [("docs", state)]


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    assert not matches("a" * 2000, "*a" * 300 + "b")
    assert matches("a" * 2000, "*a" * 300 + "*")


def test_hooks_can_be_off_altogether(world: World) -> None:
    world.user(".qwen/settings.json", HOOK)
    assert [state for _, state in states(world, "hooks")] == [ACTIVE]
    world.project(".qwen/settings.json", {"disableAllHooks": True})
    assert [state for _, state in states(world, "hooks")] == [OFF]


@pytest.mark.parametrize(
    ("enabled", "rules", "state"),
    [
        (False, {"": "DO_NOT_TRUST"}, ACTIVE),
        (True, {}, ACTIVE),
        (True, {"": "DO_NOT_TRUST"}, UNTRUSTED),
        (True, {"": "TRUST_FOLDER", "/..": "DO_NOT_TRUST"}, ACTIVE),
        (True, {"/x": "TRUST_PARENT", "": "DO_NOT_TRUST"}, UNTRUSTED),
    ],
)
def test_the_deepest_rule_decides_on_trust_and_none_means_yes(
    world: World, enabled: bool, rules: dict[str, str], state: str
) -> None:
    world.project("QWEN.md", "context")
    world.project(".qwen/settings.json", HOOK)
    world.user(".qwen/settings.json", {"security": {"folderTrust": {"enabled": enabled}}})
    world.user(".qwen/trustedFolders.json", {str(world.cwd) + end: level for end, level in rules.items()})
    assert {each for _, each in states(world, "context-files")} == {state}
    assert {each for _, each in states(world, "hooks")} == {state}


def test_what_a_disabled_extension_brings_is_off_with_it(world: World) -> None:
    world.user(".qwen/extensions/kit/qwen-extension.json", {"name": "kit", "version": "1.0.0"})
    world.user(".qwen/extensions/kit/commands/go.toml", 'prompt = "go"')
    world.user(".qwen/extensions/kit/skills/api/SKILL.md", SKILL.format("api"))
    world.user(".qwen/extensions/extension-enablement.json", {"kit": {"overrides": [f"!{world.cwd}/*"]}})
    assert states(world, "packages") == [("kit", OFF)]
    assert states(world, "commands") == [("go", OFF)]
    assert states(world, "skills") == [("review", ACTIVE), ("api", OFF)]
    assert held(world, "skills").change == "`qwen extensions enable kit`"


def test_a_server_can_be_off_inside_its_extension(world: World) -> None:
    servers = {"docs": {"command": "docs"}, "maps": {"command": "maps"}}
    world.user(".qwen/extensions/kit/qwen-extension.json", {"name": "kit", "version": "1.0.0", "mcpServers": servers})
    world.user(".qwen/extensions/extension-preferences.json", {"disabledMcpServers": {"kit": ["maps"]}})
    assert states(world, "mcp-servers") == [("docs", ACTIVE), ("maps", OFF)]


def test_a_command_can_be_off(world: World) -> None:
    world.user(".qwen/commands/go.md", "Go")
    world.user(".qwen/settings.json", {"slashCommands": {"disabled": ["GO"]}})
    assert states(world, "commands") == [("go", OFF)]
