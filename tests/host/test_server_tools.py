"""A tool of an MCP server may call itself `Bash`: nothing that is allowed to the program's own tools holds for it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, Places, ToolCall

ALLOWED = {"permissions": {"allow": ["Bash(make:*)", "Bash", "Read", "Read(./**)", "Edit(./**)", "Skill", "WebFetch"]}}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("Bash", {"command": "make x"}),
    ("Bash", {"command": "ls"}),
    ("run_shell_command", {"command": "make x"}),
    ("exec_command", {"cmd": "ls"}),
    ("Read", {"file_path": "a.txt"}),
    ("read_file", {"file_path": "a.txt"}),
    ("Write", {"file_path": "a.txt", "content": ""}),
    ("WebFetch", {"url": "http://127.0.0.1/"}),
    ("activate_skill", {"name": "x"}),
]


ALLOW = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
ANSWER = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}
HOOK = {"type": "command", "command": f"printf '%s' '{json.dumps(ALLOW)}'"}


def _decision(tmp_path: Path, tool: str, given: dict[str, Any], server: str, mode: str = "edits") -> str:
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    answering = {"type": "command", "command": f"printf '%s' '{json.dumps(ANSWER)}'"}
    hooks = {"PreToolUse": [{"hooks": [HOOK]}], "PermissionRequest": [{"hooks": [answering]}]}
    settings.write_text(json.dumps({**ALLOWED, "hooks": hooks}), "utf-8")
    (tmp_path / "work").mkdir()
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})

    async def judged() -> str:
        async with Host.open(places, approve=lambda *_: False, mode=mode) as host:
            return (await host.judge(ToolCall(tool, "1", given), server=server)).verdict.decision

    return asyncio.run(judged())


@pytest.mark.parametrize(("tool", "given"), CALLS)
def test_it_is_asked_about_whatever_its_name_allows_elsewhere(tool: str, given: dict[str, Any], tmp_path: Path) -> None:
    assert _decision(tmp_path, tool, given, "evil") == "deny"


def test_a_hook_may_allow_a_tool_of_a_server_by_its_full_name(tmp_path: Path) -> None:
    assert _decision(tmp_path, "mcp__good__read", {}, "good") == "allow"


@pytest.mark.parametrize(("tool", "given"), CALLS)
def test_the_programs_own_tool_is_allowed(tool: str, given: dict[str, Any], tmp_path: Path) -> None:
    assert _decision(tmp_path, tool, given, "") == "allow"


DENY = "echo NO >&2; exit 2"
GUARDS = [
    *[("claude", each) for each in ("mcp__srv__write_it", "mcp__srv__.*", "^mcp__")],
    *[("gemini", each) for each in ("mcp_srv_write_it", "mcp_srv_.*", "^mcp_")],
]
FILES = {"claude": (".claude/settings.json", "PreToolUse"), "gemini": (".gemini/settings.json", "BeforeTool")}


@pytest.mark.skipif(sys.platform == "win32", reason="hooks run by a shell here")
@pytest.mark.parametrize(("harness", "matcher"), GUARDS)
def test_a_guard_sees_it_however_the_program_names_it(harness: str, matcher: str, tmp_path: Path) -> None:
    name, event = FILES[harness]
    settings = tmp_path / "home" / name
    settings.parent.mkdir(parents=True)
    guard = {"matcher": matcher, "hooks": [{"type": "command", "command": DENY}]}
    settings.write_text(json.dumps({"hooks": {event: [guard]}}), "utf-8")
    (tmp_path / "work").mkdir()
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})

    async def decisions() -> dict[str, str]:
        async with Host.open(places, approve=lambda *_: True, mode="all") as host:
            names = ("mcp__srv__write_it", "mcp_srv_write_it", "mcp__srv_write_it", "srv__write_it", "write_it")
            calls = {each: host.judge(ToolCall(each, "1", {}), server="srv") for each in names}
            calls["elsewhere"] = host.judge(ToolCall("other__write_it", "1", {}), server="other")
            return {each: (await judged).verdict.decision for each, judged in calls.items()}

    found = asyncio.run(decisions())
    assert found.pop("elsewhere") == ("deny" if matcher.startswith("^") else "allow")
    assert set(found.values()) == {"deny"}, found


@pytest.mark.skipif(sys.platform == "win32", reason="hooks run by a shell here")
@pytest.mark.parametrize("matcher", ["mcp__evil__.*", "Bash"])
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
def test_a_tool_called_like_a_built_in_is_seen_by_guards_of_both_names(
    event: str, matcher: str, tmp_path: Path
) -> None:
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    no = {"hookSpecificOutput": {"hookEventName": event, "decision": {"behavior": "deny"}}}
    command = DENY if event == "PreToolUse" else f"echo '{json.dumps(no)}'"
    guard = {"matcher": matcher, "hooks": [{"type": "command", "command": command}]}
    settings.write_text(json.dumps({"hooks": {event: [guard]}}), "utf-8")
    (tmp_path / "work").mkdir()
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})

    async def decision() -> str:
        async with Host.open(places, approve=lambda *_: True, mode="ask") as host:
            return (await host.judge(ToolCall("Bash", "1", {"command": "x"}), server="evil")).verdict.decision

    assert asyncio.run(decision()) == "deny"


@pytest.mark.skipif(sys.platform == "win32", reason="hooks run by a shell here")
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
@pytest.mark.parametrize(
    ("server", "tool", "decision"),
    [
        ("git_hub", "git_hub__create", "allow"),
        ("plugin:git:hub", "plugin:git:hub__create", "allow"),
        ("plugin:git__hub", "plugin:git__hub__create", "deny"),
        ("git.hub", "git.hub__create", "deny"),
        ("git:hub", "git:hub__create", "deny"),
        ("mcp__git_hub", "mcp__git_hub__create", "deny"),
        ("git_hub__evil", "git_hub__evil__create", "deny"),
        ("git_hub_", "git_hub___create", "deny"),
        ("_git_hub", "_git_hub__create", "deny"),
    ],
)
def test_an_allow_for_one_server_is_none_for_another_that_reads_alike(
    event: str, server: str, tool: str, decision: str, tmp_path: Path
) -> None:
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    yes = ALLOW if event == "PreToolUse" else ANSWER
    hook = {
        "matcher": "mcp__git_hub__.*|_git_hub",
        "hooks": [{"type": "command", "command": f"echo '{json.dumps(yes)}'"}],
    }
    settings.write_text(json.dumps({"hooks": {event: [hook]}}), "utf-8")
    (tmp_path / "work").mkdir()
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})

    async def judged() -> str:
        async with Host.open(places, approve=lambda *_: False, mode="ask") as host:
            return (await host.judge(ToolCall(tool, "1", {}), server=server)).verdict.decision

    assert asyncio.run(judged()) == decision
