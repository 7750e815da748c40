"""A state belongs to one harness; pisces itself runs the union, in which off anywhere is off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.found import Found
from pisces.discovery.harness import Harness, Look, Run
from pisces.discovery.options import McpConfig
from pisces.discovery.presence import is_set_up, matters
from pisces.discovery.registry import Discovered, discover
from pisces.discovery.standing import standing, standing_in_pisces
from pisces.discovery.state import ACTIVE, OFF, SHADOWED, WAITING, Scene, State
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.state import StateOf


def states(scene: Scene) -> StateOf:
    """What this file says as the `states` of made-up harnesses: their label is the state of every server `held`."""

    def state_of(kind: str, found: Found) -> State | None:
        assert kind == "mcp-servers"
        held = found.item.name == "held"
        return State(scene.harness.label, f"{scene.harness.id} says so", "switch.json", 3) if held else None

    return state_of


def reader(name: str, state: str, priority: int = 50, switch: bool = True) -> Harness:
    """A harness that reads `servers.json` of the project and is set up where `~/.NAME` is there."""
    looks = (Look(McpConfig(), "cwd:servers.json"), Look(McpConfig(), "cwd:more.json"))
    folder = f"~/.{name}" if name != "convention" else "~"
    holds = __name__ if switch else ""
    return Harness(name, state, priority, {"mcp-servers": lambda: looks}, folder, f".{name}", states=holds)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "home" / ".one").mkdir(parents=True)
    (tmp_path / "home" / ".two").mkdir()
    (tmp_path / "work").mkdir()
    servers = {"mcpServers": {"held": {"command": "a"}, "free": {"command": "b"}}}
    (tmp_path / "work" / "servers.json").write_text(json.dumps(servers))
    return Places(str(tmp_path / "home"), str(tmp_path / "work"), {})


def seen(found: Discovered) -> list[tuple[str, str, str]]:
    return [(each.found.source.harness, each.found.item.name, each.state) for each in found.all]


def test_a_switch_of_a_harness_holds_its_item_back_and_names_the_file(places: Places) -> None:
    found = standing(reader("one", OFF), MCP_SERVERS, places, Run())
    held, free = found.candidates
    assert (held.state, held.reason, free.state) == (OFF, "one says so", ACTIVE)
    assert held.held is not None
    assert (held.held.path, held.held.line) == ("switch.json", 3)


def test_states_that_do_not_concern_pisces_are_left_out_and_the_files_are_read_once_for_both(places: Places) -> None:
    harness, run = reader("one", OFF).replace(private_states=("mcp-servers",)), Run()
    here = standing_in_pisces(harness, MCP_SERVERS, places, run)
    Path(places.cwd, "servers.json").unlink()
    there = standing(harness, MCP_SERVERS, places, run)
    assert [each.state for each in here.candidates] == [ACTIVE, ACTIVE]
    assert [each.state for each in there.candidates] == [OFF, ACTIVE]
    assert all(a.found is b.found for a, b in zip(here.candidates, there.candidates, strict=True))


def test_what_is_held_back_takes_no_name(places: Places) -> None:
    Path(places.cwd, "more.json").write_text(json.dumps({"mcpServers": {"free": {"command": "c"}}}))
    found = standing(reader("one", OFF), MCP_SERVERS, places, Run())
    assert [each.state for each in found.candidates] == [OFF, ACTIVE, SHADOWED]


def test_two_harnesses_do_not_compete(places: Places) -> None:
    run = Run()
    both = [standing(reader(name, OFF, switch=False), MCP_SERVERS, places, run) for name in ("one", "two")]
    assert [[each.state for each in found.candidates] for found in both] == [[ACTIVE, ACTIVE], [ACTIVE, ACTIVE]]


def test_off_in_one_harness_is_off_in_pisces(places: Places) -> None:
    both = [reader("one", OFF, 1), reader("two", ACTIVE, 9, switch=False)]
    found = discover(MCP_SERVERS, places, harnesses=both)
    assert ("two", "held", OFF) in seen(found)
    assert [each.item.name for each in found.items] == ["free"]
    assert found.all[0].reason == "off in off: one says so"


def test_off_is_followed_through_a_link(places: Places) -> None:
    Path(places.cwd, "real.json").write_text(Path(places.cwd, "servers.json").read_text())
    Path(places.cwd, "servers.json").unlink()
    Path(places.cwd, "servers.json").symlink_to("real.json")
    other = Harness("two", "Two", 9, {"mcp-servers": lambda: (Look(McpConfig(), "cwd:real.json"),)}, "~/.two")
    found = discover(MCP_SERVERS, places, harnesses=[reader("one", OFF, 1), other])
    assert [each.item.name for each in found.items] == ["free"]


def test_another_file_of_that_name_is_not_off(places: Places) -> None:
    Path(places.cwd, "other.json").write_text(Path(places.cwd, "servers.json").read_text())
    other = Harness("two", "Two", 9, {"mcp-servers": lambda: (Look(McpConfig(), "cwd:other.json"),)}, "~/.two")
    found = discover(MCP_SERVERS, places, harnesses=[reader("one", OFF, 1), other])
    assert {each.item.name for each in found.items} == {"held", "free"}


def test_waiting_in_one_harness_does_not_hold_another_that_is_set_up(places: Places) -> None:
    both = [reader("one", WAITING, 1), reader("two", ACTIVE, 9, switch=False)]
    assert {each.item.name for each in discover(MCP_SERVERS, places, harnesses=both).items} == {"held", "free"}


@pytest.mark.parametrize("other", ["absent", "convention"])
def test_what_waits_does_not_become_active_through_who_is_not_set_up(other: str, places: Places) -> None:
    both = [reader("one", WAITING, 1), reader(other, ACTIVE, 9, switch=False)]
    found = discover(MCP_SERVERS, places, harnesses=both)
    assert [each.item.name for each in found.items] == ["free"]
    assert (other, "held", WAITING) in seen(found)


def test_who_is_not_set_up_switches_nothing_off_for_others(places: Places) -> None:
    both = [reader("absent", OFF, 1), reader("two", ACTIVE, 9, switch=False)]
    assert {each.item.name for each in discover(MCP_SERVERS, places, harnesses=both).items} == {"held", "free"}


def test_a_folder_or_a_program_sets_a_harness_up(places: Places, tmp_path: Path) -> None:
    program = Harness("p", "P", 1, {}, "~/.p", ".p", programs=("p-cli",))
    assert not is_set_up(program, places)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "p-cli").touch()
    assert is_set_up(program, places.replace(env={"PATH": str(tmp_path / "bin")}))
    (tmp_path / "home" / ".p").mkdir()
    assert is_set_up(program, places)


def test_a_harness_matters_where_the_project_has_something_of_it(places: Places) -> None:
    harness = Harness("p", "P", 1, {}, "~/.p", ".p", context_names=("P.md",), own_files=("p.json",))
    nested = places.replace(cwd=str(Path(places.cwd, "deep", "er")))
    for name in (".p", "P.md", "p.json"):
        assert not matters(harness, nested)
        Path(places.cwd, name).touch()
        assert matters(harness, nested)
        Path(places.cwd, name).unlink()
