"""What several harnesses spell differently is one attribute of the shape."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.shapes.command import Command
from pisces.shapes.hook import Hook
from pisces.shapes.mcp_server import McpServer
from pisces.shapes.skill import Skill
from pisces.shapes.subagent import Subagent

Fields = dict[str, Any]


def hook(fields: Fields) -> Hook:
    return Hook("Stop", None, "", "/x/hooks.json", "claude", fields, {}, ())


def skill(fields: Fields) -> Skill:
    return Skill("a", "", "/x/SKILL.md", fields)


def command(fields: Fields) -> Command:
    return Command("a", "a", "", "/x/a.md", "claude", fields)


def subagent(fields: Fields) -> Subagent:
    return Subagent("a", "", "/x/a.md", fields, "")


def server(fields: Fields) -> McpServer:
    return McpServer("a", fields, "/x/.mcp.json", ())


@pytest.mark.parametrize(
    ("item", "attribute", "read"),
    [
        (hook({"command_windows": "a.exe"}), "command_windows", "a.exe"),
        (hook({"failMode": "closed"}), "fail_mode", "closed"),
        (hook({"comment": "guards"}), "description", "guards"),
        (skill({"argument_hint": "FILE"}), "argument_hint", "FILE"),
        (skill({"argumentHint": "FILE"}), "argument_hint", "FILE"),
        (skill({"allowed_tools": "Read"}), "allowed_tools", ("Read",)),
        (command({"allowedTools": ["Read"]}), "allowed_tools", ("Read",)),
        (command({"globs": "a, b"}), "paths", ("a", "b")),
        (subagent({"maxSteps": 3}), "max_turns", 3),
        (subagent({"reasoningEffort": "high"}), "effort", "high"),
        (subagent({"model_reasoning_effort": "high"}), "effort", "high"),
        (subagent({"approvalMode": "plan"}), "permission_mode", "plan"),
        (subagent({"mcp-servers": ["docs"]}), "mcp_servers", {"docs": None}),
        (subagent({"mcpServers": "docs"}), "mcp_servers", {}),
        (server({"httpUrl": "https://x"}), "url", "https://x"),
        (server({"http_url": "https://x"}), "url", "https://x"),
        (server({"serverUrl": "https://x"}), "url", "https://x"),
        (server({"headers": {"A": "1"}}), "headers", {"A": "1"}),
        (server({"include_tools": ["a"]}), "include_tools", ("a",)),
        (server({"exclude_tools": ["a"]}), "exclude_tools", ("a",)),
    ],
)
def test_each_spelling_is_understood(item: object, attribute: str, read: object) -> None:
    assert getattr(item, attribute) == read
