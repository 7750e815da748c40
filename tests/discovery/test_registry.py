"""The registry's rules: priority, first seen wins, losers are kept, one broken harness loses only its own results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.discovery.capabilities import CAPABILITIES, COMMANDS, MCP_SERVERS, PACKAGES, SKILLS, capability_named
from pisces.discovery.harness import Finder, Harness, Look, all_harnesses
from pisces.discovery.options import Manifests, MarkdownCommands
from pisces.discovery.registry import Discovered, Switches, discover
from pisces.discovery.state import ACTIVE, INVALID, OFF, SHADOWED
from pisces.discovery.switches import configured_switches
from pisces.files import MOST_FOLDERS
from pisces.places import Places


def harness(name: str, priority: int, *folders: str) -> Harness:
    looks = tuple(Look(Manifests("gemini-extension.json", "gemini"), f"cwd:{folder}") for folder in folders)
    return Harness(name, name.title(), priority, {"packages": lambda: looks})


def manifest(root: Path, folder: str, value: object) -> None:
    path = root / folder / "gemini-extension.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def places(root: Path) -> Places:
    return Places(str(root / "home"), str(root), {})


def states(found: Discovered) -> list[tuple[object, str, str]]:
    return [(each.found.item.name, each.found.source.harness, each.state) for each in found.all]


def test_a_folder_that_is_not_read_to_its_end_is_reported_once(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS):
        (tmp_path / f"notes/{number}").mkdir(parents=True)
    looks = (Look(MarkdownCommands(), "cwd:notes"),)
    reader = Harness("reader", "Reader", 1, {"commands": lambda: looks})
    told = discover(COMMANDS, places(tmp_path), harnesses=[reader]).diagnostics
    assert [(each.code, each.severity, each.path) for each in told] == [
        ("folders-left", "warning", str(tmp_path / "notes"))
    ]
    (tmp_path / "notes/0").rmdir()
    assert discover(COMMANDS, places(tmp_path), harnesses=[reader]).diagnostics == ()


def test_the_higher_priority_wins_and_the_loser_is_kept(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    manifest(tmp_path, "b/x", {"name": "x"})
    found = discover(PACKAGES, places(tmp_path), harnesses=[harness("low", 1, "a"), harness("high", 9, "b")])
    assert states(found) == [("x", "high", ACTIVE), ("x", "low", SHADOWED)]
    assert found.all[1].winner is found.items[0]
    assert found.all[1].reason == "High comes before Low"
    assert found.harnesses == ("high", "low")


def test_inside_a_harness_the_first_seen_wins(tmp_path: Path) -> None:
    manifest(tmp_path, "a/one", {"name": "x"})
    manifest(tmp_path, "b/two", {"name": "x"})
    found = discover(PACKAGES, places(tmp_path), harnesses=[harness("only", 1, "b", "a")])
    assert [Path(each.item.path).name for each in found.items] == ["two"]


def test_among_equals_the_earlier_harness_wins(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    manifest(tmp_path, "b/x", {"name": "x"})
    found = discover(PACKAGES, places(tmp_path), harnesses=[harness("first", 5, "a"), harness("second", 5, "b")])
    assert found.items[0].source.harness == "first"


@pytest.mark.parametrize(("one", "other"), [(42, "42"), (1, True), ([1], [1]), ({}, {})])
def test_names_are_compared_with_their_type(one: object, other: object, tmp_path: Path) -> None:
    manifest(tmp_path, "a/one", {"name": one})
    manifest(tmp_path, "a/two", {"name": other})
    found = discover(PACKAGES, places(tmp_path), harnesses=[harness("only", 1, "a")])
    assert SHADOWED not in {state for _, _, state in states(found)}


def test_an_invalid_item_still_holds_its_name(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": ""})
    manifest(tmp_path, "b/x", {"name": ""})
    found = discover(PACKAGES, places(tmp_path), harnesses=[harness("only", 1, "a", "b")])
    assert [state for _, _, state in states(found)] == [INVALID, SHADOWED]
    assert found.items == ()
    assert [each.code for each in found.diagnostics] == ["item-invalid"]


def test_a_harness_that_raises_loses_only_its_own_results(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    (tmp_path / "b").mkdir()
    broken = Harness("broken", "Broken", 9, {"packages": lambda: (Look(Finder("pisces.no_such_finder"), "cwd:a"),)})
    found = discover(PACKAGES, places(tmp_path), harnesses=[broken, harness("fine", 1, "a")])
    assert [each.item.name for each in found.items] == ["x"]
    assert [each.code for each in found.diagnostics] == ["provider-failed"]
    assert found.diagnostics[0].message.startswith("[Broken] Failed to load: ")


def test_a_harness_can_be_switched_off(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    both = [harness("one", 2, "a"), harness("two", 1, "a")]
    off = discover(PACKAGES, places(tmp_path), Switches(frozenset({"one"})), harnesses=both)
    only = discover(PACKAGES, places(tmp_path), Switches(only_harnesses=frozenset({"two"})), harnesses=both)
    assert states(off) == states(only) == [("x", "two", ACTIVE)]


def test_a_single_item_can_be_switched_off_and_claims_no_name(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    off = Switches(disabled_items=frozenset({"package:x"}))
    found = discover(PACKAGES, places(tmp_path), off, harnesses=[harness("only", 1, "a")])
    assert states(found) == [("x", "only", OFF)]
    assert found.items == ()


@pytest.mark.parametrize("ids", [{""}, {"skill:x"}, {"x"}, {"packages:x"}])
def test_an_id_of_another_kind_switches_nothing_off(ids: set[str], tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    found = discover(
        PACKAGES, places(tmp_path), Switches(frozenset(), frozenset(ids)), harnesses=[harness("a", 1, "a")]
    )
    assert states(found) == [("x", "a", ACTIVE)]


def test_sources_have_absolute_paths_and_levels(tmp_path: Path) -> None:
    manifest(tmp_path, "a/x", {"name": "x"})
    source = discover(PACKAGES, places(tmp_path), harnesses=[harness("only", 1, "a")]).items[0].source
    assert (source.path, source.level) == (str(tmp_path / "a" / "x" / "gemini-extension.json"), "project")
    assert (source.harness, source.label) == ("only", "Only")


def test_settings_of_the_user_and_the_project_switch_off_together(tmp_path: Path) -> None:
    user = tmp_path / "home" / ".pisces" / "agent" / "config.yml"
    user.parent.mkdir(parents=True)
    user.write_text("disabledProviders: [claude]\n")
    project = tmp_path / ".pisces" / "settings.json"
    project.parent.mkdir()
    project.write_text('{"disabledProviders": ["codex"], "disabledExtensions": ["skill:review"]}')
    switches, diagnostics = configured_switches(places(tmp_path))
    assert switches == Switches(frozenset({"claude", "codex"}), frozenset({"skill:review"}))
    assert diagnostics == []


def test_broken_settings_are_reported_and_switch_nothing_off(tmp_path: Path) -> None:
    project = tmp_path / ".pisces" / "settings.json"
    project.parent.mkdir()
    project.write_text('{"disabledProviders": ["codex"],}')
    switches, diagnostics = configured_switches(places(tmp_path))
    assert switches == Switches()
    assert [each.code for each in diagnostics] == ["settings-unreadable"]


def test_every_capability_answers_to_its_names() -> None:
    assert [capability_named(each.id) for each in CAPABILITIES] == list(CAPABILITIES)
    assert capability_named("extensions") is PACKAGES
    assert capability_named("Skill") is SKILLS
    with pytest.raises(PiscesError, match='Unknown capability: "spells"'):
        capability_named("spells")


def test_native_comes_first_and_gemini_has_its_priority() -> None:
    priorities = {each.id: each.priority for each in all_harnesses()}
    assert next(iter(priorities)) == "native"
    assert (priorities["native"], priorities["gemini"]) == (100, 60)


def test_what_only_an_open_question_holds_back_is_undecided(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "boat"
    (home / ".claude").mkdir(parents=True)
    project.mkdir()
    servers = {"asked": {"command": "node"}, "refused": {"command": "node"}}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    settings = {"disabledMcpjsonServers": ["refused"]}
    (home / ".claude" / "settings.json").write_text(json.dumps(settings), "utf-8")
    found = discover(MCP_SERVERS, Places(str(home), str(project)))
    assert found.items == ()
    assert [each.item.name for each in found.undecided] == ["asked"]
