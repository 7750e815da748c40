"""Links, marks and records in Claude Code's own files, as version 2.1.325 was seen to take them when it was run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.discovery.test_states_claude import AGENT, RUNS, ClaudeWorld, world
from tests.discovery.world import written

__all__ = ["world"]  # the fixture
MARK = "\ufeff"
KIT = {"name": "kit"}


def _linked(path: Path, target: Path) -> None:
    """What lies at a path lies elsewhere now, and a link leads to it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    path.rename(target)
    path.symlink_to(target)


def _marked(path: Path) -> None:
    path.write_text(MARK + path.read_text("utf-8"), "utf-8")


@pytest.mark.parametrize("name", ["settings.json", "plugins/marketplaces/market/.claude-plugin/marketplace.json"])
def test_a_byte_order_mark_hides_nothing(name: str, world: ClaudeWorld) -> None:
    world.plugin(KIT)
    _marked(world.home / ".claude" / name)
    assert world.states("packages") == {"kit": "active"}


def test_neither_does_one_in_a_manifest_in_mcp_json_and_in_the_state_file(world: ClaudeWorld) -> None:
    _marked(world.plugin(KIT) / ".claude-plugin/plugin.json")
    world.trust(enabledMcpjsonServers=["near"])
    _marked(world.home / ".claude.json")
    world.project(".mcp.json", MARK + json.dumps({"mcpServers": {"near": {"command": "x"}}}))
    world.project(".claude/settings.json", MARK + json.dumps({"hooks": {"Stop": [{"hooks": [RUNS]}]}}))
    assert world.states("packages") == {"kit": "active"}
    assert world.states("mcp-servers") == {"near": "active"}
    assert [each.state for each in world.standing("hooks")] == ["active", "active"]


def test_marketplaces_that_cannot_be_read_leave_no_plugin(world: ClaudeWorld) -> None:
    world.plugin(KIT)
    known = world.home / ".claude/plugins/known_marketplaces.json"
    source = {"source": "directory", "path": str(known.parent / "marketplaces/market")}
    settings = world.home / ".claude/settings.json"
    declared = {"extraKnownMarketplaces": {"market": {"source": source}}}
    written(settings, {**json.loads(settings.read_text("utf-8")), **declared})
    _marked(known)
    assert world.states("packages") == {"kit": "refused"}
    known.unlink()
    assert world.states("packages") == {"kit": "refused"}  # its folder in the marketplace does not exist


def test_one_unusable_marketplace_leaves_the_copies_of_the_others(world: ClaudeWorld) -> None:
    world.plugin(KIT)
    known = world.home / ".claude/plugins/known_marketplaces.json"
    found = json.loads(known.read_text("utf-8"))
    written(known, {"market": {**found["market"], "lastUpdated": 1.5}})
    assert world.states("packages") == {"kit": "active"}
    written(known, {**json.loads(known.read_text("utf-8")), "other": {"source": {"source": 0}}})
    assert world.states("packages") == {"kit": "active"}


@pytest.mark.parametrize(
    "change", [{"scope": 0}, {"scope": "nobody"}, {"version": 1.5}, {"lastUpdated": True}, {"installPath": [3]}]
)
def test_one_record_of_a_wrong_shape_costs_every_installed_plugin(
    change: dict[str, object], world: ClaudeWorld
) -> None:
    world.plugin(KIT)
    records = world.home / ".claude/plugins/installed_plugins.json"
    found = json.loads(records.read_text("utf-8"))
    found["plugins"]["other@market"] = [{"scope": "user", "installPath": "/gone", **change}]
    written(records, found)
    assert "active" not in world.states("packages").values()
    assert world.problem("packages", "plugin-record").path == str(records)


def test_a_plugin_whose_copy_is_empty_does_not_load(world: ClaudeWorld) -> None:
    folder = world.plugin(KIT)
    folder.rename(folder.with_name("before"))
    folder.mkdir()
    assert world.states("packages") == {"kit": "refused"}


@pytest.mark.parametrize("name", [".claude-plugin", ".claude-plugin/plugin.json"])
def test_a_manifest_that_leads_out_of_the_plugin_costs_it_whole(name: str, world: ClaudeWorld) -> None:
    folder = world.plugin(KIT)
    _linked(folder / name, world.home / "elsewhere" / Path(name).name)
    assert world.states("packages") == {"kit": "refused"}
    assert world.states("skills") == {"kit:notes": "refused"}


@pytest.mark.parametrize("name", ["skills", "skills/notes", "skills/notes/SKILL.md"])
def test_a_skill_of_a_plugin_may_be_a_link_inside_it_only(name: str, world: ClaudeWorld) -> None:
    folder = world.plugin(KIT)
    _linked(folder / name, folder / "lib" / Path(name).name)
    assert world.states("skills") == {"kit:notes": "active"}
    os.rename(folder / "lib", world.home / "lib")
    (folder / name).unlink()
    (folder / name).symlink_to(world.home / "lib" / Path(name).name)
    assert world.states("skills") == {"kit:notes": "refused"}


@pytest.mark.parametrize(("kind", "name"), [("commands", "commands"), ("subagents", "agents")])
def test_links_among_commands_and_subagents_of_a_plugin_are_not_followed(
    kind: str, name: str, world: ClaudeWorld
) -> None:
    folder = world.plugin(KIT)
    file = written(folder / name / "fix.md", AGENT.format(name="fix"))
    _linked(folder / name, folder / "lib" / name)
    assert world.states(kind)["kit:fix" if kind == "subagents" else "fix"] == "active"
    _linked(file, folder / "lib" / "fix.md")
    assert world.states(kind)["kit:fix" if kind == "subagents" else "fix"] == "refused"


def test_a_rule_that_is_a_link_counts_below_the_current_directory_only(world: ClaudeWorld) -> None:
    world.project("CLAUDE.md", "ours")
    rule = world.project(".claude/rules/style.md", "rule")
    _linked(rule, world.repository / "docs/style.md")
    assert [each.state for each in world.standing("context-files")] == ["active", "active"]
    rule.unlink()
    rule.symlink_to(written(world.repository.parent / "style.md", "rule"))
    assert [each.state for each in world.standing("context-files")] == ["active", "refused"]


def test_a_context_file_without_text_is_off(world: ClaudeWorld) -> None:
    world.project("CLAUDE.md", "ours")
    world.project("CLAUDE.local.md", " \n")
    assert [each.state for each in world.standing("context-files")] == ["active", "off"]


@pytest.mark.parametrize("name", ["commands", "agents"])
def test_a_file_where_a_folder_belongs_brings_nothing(name: str, world: ClaudeWorld) -> None:
    written(world.plugin(KIT) / name, "x")
    world.project(f".claude/{name}", "x")
    kind = "subagents" if name == "agents" else name
    assert not [each for each in world.standing(kind) if each.found.item.name.endswith(name)]


@pytest.mark.parametrize("hooks", [[], "x", 3, [{}]])
def test_hooks_of_a_plugin_that_are_no_object_cost_it_whole(hooks: object, world: ClaudeWorld) -> None:
    written(world.plugin(KIT) / "hooks/hooks.json", {"hooks": hooks})
    assert world.states("packages") == {"kit": "refused"}


@pytest.mark.parametrize("matcher", [None, True, 3, [], {}])
def test_a_matcher_that_is_no_text_costs_its_group(matcher: object, world: ClaudeWorld) -> None:
    groups = [{"matcher": matcher, "hooks": [RUNS]}, {"hooks": [RUNS]}]
    world.user(".claude/settings.json", {"hooks": {"Stop": groups}})
    assert [each.found.item.group_index for each in world.standing("hooks")] == [1]


def test_blanks_behind_the_fences_of_a_header_do_not_matter(world: ClaudeWorld) -> None:
    world.project(".claude/agents/fix.md", AGENT.format(name="fix").replace("---\n", "--- \n"))
    assert world.states("subagents") == {"fix": "active"}


def test_of_a_key_that_stands_twice_in_a_header_the_last_counts(world: ClaudeWorld) -> None:
    world.project(".claude/agents/fix.md", "---\nname: one\ntools:\n  - Read\nname: two\ndescription: d\n---\nDo it.")
    assert world.states("subagents") == {"two": "active"}


def test_a_number_is_no_name_of_a_subagent(world: ClaudeWorld) -> None:
    world.project(".claude/agents/fix.md", AGENT.format(name="12"))
    world.project(".claude/agents/mend.md", AGENT.format(name='"13"').replace("Does it", "2026-11-18"))
    assert world.states("subagents") == {"12": "invalid", "13": "active"}
