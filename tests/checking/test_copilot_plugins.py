"""Plugins of the Copilot CLI and files that are Copilot's by their names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.checking.planting import checked, codes
from tests.checking.test_acceptance import verdict
from tests.checking.trees import SKILL, Tree, agent_plugin, copilot

AGENT = "---\ndescription: Reviews\ntools: ['codebase']\n---\nReview.\n"
HOOKS = json.dumps({"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "./guard.sh"}]}})
PARTS: Tree = {
    "agents/reviewer.agent.md": AGENT,
    "skills/review/SKILL.md": SKILL,
    "commands/fix.md": "Fix it",
    "hooks.json": HOOKS,
    ".mcp.json": '{"mcpServers": {"docs": {"command": "docs"}}}',
}


@pytest.mark.parametrize("manifest", [".plugin/plugin.json", "plugin.json", ".github/plugin/plugin.json"])
def test_a_plugin_is_known_by_each_of_its_manifests(manifest: str, tmp_path: Path) -> None:
    result = checked(tmp_path, copilot(PARTS, manifest))
    (target,) = result.targets
    assert "copilot-plugin" in target.formats
    assert codes(result) == []
    kinds = [(each.kind, each.name) for each in result.targets[0].components]
    assert kinds == [
        ("commands", "/box:fix"),
        ("skills", "review"),
        ("subagents", "reviewer"),
        ("hooks", "preToolUse"),
        ("mcp-servers", "docs"),
    ]
    assert all(verdict(result, name, "copilot") == "" for _, name in kinds)


def test_components_lie_where_the_manifest_says(tmp_path: Path) -> None:
    files: Tree = {"tools/reviewer.agent.md": AGENT, "more/hooks.json": HOOKS, "agents/other.agent.md": AGENT}
    result = checked(tmp_path, copilot(files, agents="tools/", hooks="more/hooks.json"))
    assert [each.name for each in result.targets[0].components] == ["reviewer", "preToolUse"]


def test_a_root_manifest_with_skills_only_is_copilots_where_it_names_them(tmp_path: Path) -> None:
    result = checked(tmp_path, copilot({"skills/review/SKILL.md": SKILL}, "plugin.json", skills="./skills/"))
    assert [target.formats for target in result.targets] == [("copilot-plugin",)]
    assert codes(result) == []


def test_a_root_manifest_with_the_schema_stays_an_agent_plugin(tmp_path: Path) -> None:
    result = checked(tmp_path, agent_plugin({"skills/review/SKILL.md": SKILL, "agents/a.agent.md": AGENT}))
    assert [target.formats for target in result.targets] == [("agent-plugin",)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("agents/reviewer.agent.md", "subagents"),
        ("anywhere/fix.prompt.md", "commands"),
        ("instructions/style.instructions.md", "context-files"),
        ("modes/plan.chatmode.md", "subagents"),
    ],
)
def test_a_file_is_copilots_by_its_name_wherever_it_lies(name: str, kind: str, tmp_path: Path) -> None:
    result = checked(tmp_path, {name: AGENT}, name)
    assert [each.kind for each in result.targets[0].components] == [kind]
    assert codes(result) == []


def test_an_agent_without_a_description_is_a_warning(tmp_path: Path) -> None:
    result = checked(tmp_path, {"reviewer.agent.md": "---\nname: Reviewer\n---\nReview"}, "reviewer.agent.md")
    assert [(each.code, each.severity) for each in result.diagnostics] == [("copilot-agent-description", "warning")]


@pytest.mark.parametrize(
    ("fields", "fine"),
    [
        ({"owner": {"name": "me"}, "plugins": [{"name": "box", "source": "plugins/box"}]}, True),
        ({"plugins": []}, False),
        ({"owner": {"name": "me"}, "plugins": [{"name": "box", "source": "plugins/missing"}]}, False),
        ({"owner": {"name": "me"}, "plugins": [{"name": "box", "source": "plugins/box"}] * 2}, False),
    ],
)
def test_marketplaces(fields: dict[str, Any], fine: bool, tmp_path: Path) -> None:
    tree = {f"plugins/box/{name}": text for name, text in copilot(PARTS).items()}
    tree[".github/plugin/marketplace.json"] = json.dumps({"name": "market", **fields})
    assert ("copilot-marketplace" not in codes(checked(tmp_path, tree))) is fine
