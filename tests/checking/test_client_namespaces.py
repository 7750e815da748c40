"""Folders of single clients in an Agent Plugin: shown, checked, and loaded by their client alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.planting import checked, codes
from tests.checking.test_acceptance import verdict
from tests.checking.test_one_harness import told
from tests.checking.trees import Tree, agent_plugin, agent_server

DENY = {"hooks": {"PreToolUse": [{"matcher": "terminal", "hooks": [{"type": "command", "command": "./deny.sh"}]}]}}
OPENHANDS: Tree = {
    "dev.openhands/hooks/hooks.json": json.dumps(DENY),
    "dev.openhands/commands/report.md": "Report",
    "dev.openhands/agents/helper.md": "---\nname: helper\n---\nHelp",
}
COPILOT: Tree = {
    "com.github.copilot/agents/helper.agent.md": "---\ndescription: Helps\n---\nHelp",
    "com.github.copilot/hooks/hooks.json": '{"version": 1, "hooks": {"preToolUse": [{"bash": "./deny.sh"}]}}',
    "com.github.copilot/rules/style.instructions.md": "Be kind",
}


def test_what_a_client_reads_in_its_folder_is_shown(tmp_path: Path) -> None:
    components = checked(tmp_path, agent_plugin(OPENHANDS)).targets[0].components
    assert [(each.kind, each.name) for each in components] == [
        ("commands", "/box:report"),
        ("subagents", "helper"),
        ("hooks", "PreToolUse"),
    ]


def test_a_folder_belongs_to_its_client_alone(tmp_path: Path) -> None:
    result = checked(tmp_path, agent_plugin({**OPENHANDS, **COPILOT}))
    assert verdict(result, "preToolUse", "copilot") == ""
    assert verdict(result, "PreToolUse", "copilot") == "`dev.openhands` is the folder of another client"
    assert verdict(result, "preToolUse", "codex").endswith("is the folder of another client")


def test_what_is_meant_for_others_is_no_loss(tmp_path: Path) -> None:
    assert told(tmp_path, agent_plugin({**OPENHANDS, **COPILOT}), "copilot") == (0, [])
    assert told(tmp_path, agent_plugin(OPENHANDS), "codex") == (0, [])


def test_a_broken_hook_in_a_clients_folder_is_found(tmp_path: Path) -> None:
    tree = agent_plugin({"dev.openhands/hooks/hooks.json": '{"hooks": {"PreToolUse": {}}}'})
    assert codes(checked(tmp_path, tree)) == ["claude-hook-shape"]


def test_unknown_clients_are_reported(tmp_path: Path) -> None:
    tree = agent_plugin({"org.example.agent/hooks/hooks.json": "{}"}, extensions={"org.example.other": {}})
    assert sorted(codes(checked(tmp_path, tree))) == ["agent-plugin-client", "agent-plugin-client-data"]


@pytest.mark.parametrize(
    ("headers", "fine"),
    [
        ({"X-Tenant": "public"}, True),
        ({"X Tenant": "public"}, False),
        ({"": "public"}, False),
        ({"X-Tenant:": "public"}, False),
        ({"X-Tenant": "a\nb"}, False),
        ({"X-Tenant": "a", "x-tenant": "b"}, False),
    ],
)
def test_headers_are_http_headers(headers: dict[str, str], fine: bool, tmp_path: Path) -> None:
    result = checked(tmp_path, agent_server(type="streamable-http", url="https://example.com/mcp", headers=headers))
    assert codes(result) == ([] if fine else ["agent-plugin-server"])
