"""An input that a hook gives a tool fits the tool, or the call is denied in the words of the hook's own program."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, Places, Tool, ToolCall, ToolRequest, Verdict

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="hooks run by a shell here")
SCHEMA = {
    "type": "object",
    "properties": {"file_path": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["file_path"],
    "additionalProperties": False,
}
BLAME = "The tool input from the model was valid; the hook's rewrite of it was not."
CLAUDE = "{0} hook for Read returned updatedInput that failed schema validation: Read failed due to the following {1}:"


def said(answer: Any) -> str:
    return f"printf '%s' '{json.dumps(answer)}'"


def claude(given: Any) -> dict[str, Any]:
    inner = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": given}
    return {".claude/settings.json": hooks("PreToolUse", said({"hookSpecificOutput": inner}))}


def claude_asked(given: Any) -> dict[str, Any]:
    decision = {"behavior": "allow", "updatedInput": given}
    inner = {"hookEventName": "PermissionRequest", "decision": decision}
    settings = hooks("PermissionRequest", said({"hookSpecificOutput": inner}))
    return {".claude/settings.json": {**settings, "permissions": {"ask": ["Read"]}}}


def gemini(given: Any) -> dict[str, Any]:
    return {".gemini/settings.json": hooks("BeforeTool", said({"hookSpecificOutput": {"tool_input": given}}))}


def hooks(event: str, command: str) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}}


def judged(tmp_path: Path, files: dict[str, Any], tool: str = "Read") -> tuple[Verdict, Any]:
    for name, content in files.items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), "utf-8")
    (tmp_path / "home" / "work").mkdir()
    places = Places(str(tmp_path / "home"), str(tmp_path / "home" / "work"), {"PATH": "/usr/bin:/bin"})
    reading = Tool(tool, "Reads", SCHEMA, lambda _given, _context: "")

    async def run() -> tuple[Verdict, Any]:
        async with Host.open(places, lambda *_: True, tools=[reading], is_audited=False) as host:
            found = await host.judge(ToolCall(tool, "1", {"file_path": "a"}))
            assert isinstance(found.request, ToolRequest)
            return found.verdict, found.request.call.input

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("given", "issues"),
    [
        ({"file_path": 5}, ["The parameter `file_path` type is expected as `string` but provided as `number`"]),
        ({"limit": 1}, ["The required parameter `file_path` is missing"]),
        ({"file_path": None}, ["The parameter `file_path` type is expected as `string` but provided as `null`"]),
        (
            {"limit": "x"},
            [
                "The required parameter `file_path` is missing",
                "The parameter `limit` type is expected as `number` but provided as `string`",
            ],
        ),
    ],
)
def test_claude_lists_every_issue(tmp_path: Path, given: Any, issues: list[str]) -> None:
    verdict, _ = judged(tmp_path, claude(given))
    start = CLAUDE.format("PreToolUse", "issue" if len(issues) == 1 else "issues")
    assert verdict.decision == "deny"
    assert verdict.why == "\n".join((start, *issues, BLAME))
    assert ".claude/settings.json:1" in verdict.who


def test_what_the_tool_does_not_take_is_left_out(tmp_path: Path) -> None:
    verdict, given = judged(tmp_path, claude({"file_path": "b", "other": 1}))
    assert (verdict.decision, dict(given)) == ("allow", {"file_path": "b"})


@pytest.mark.parametrize(("given", "decision"), [({"file_path": 5}, "deny"), ({"file_path": "b"}, "allow")])
def test_a_hook_that_answers_for_the_user_is_held_to_the_same(tmp_path: Path, given: Any, decision: str) -> None:
    verdict, _ = judged(tmp_path, claude_asked(given))
    assert verdict.decision == decision
    assert decision == "allow" or verdict.why.startswith(CLAUDE.format("PermissionRequest", "issue"))


@pytest.mark.parametrize(
    ("given", "issue"),
    [
        ({"file_path": 5}, "params/file_path must be string"),
        ({}, "params must have required property 'file_path'"),
        ({"limit": 0, "file_path": "b"}, "params/limit must be >= 1"),
        ({"limit": "x"}, "params must have required property 'file_path'"),
    ],
)
def test_gemini_names_the_first_issue(tmp_path: Path, given: Any, issue: str) -> None:
    verdict, _ = judged(tmp_path, gemini(given), "read_file")
    assert verdict.decision == "deny"
    assert verdict.why == f"Tool parameter modification by hook failed validation: {issue}"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": ".claude/settings.json", "content": "{}"}),
        ("Write", {"file_path": "sub/.bashrc", "content": ""}),
        ("Bash", {"command": "touch a && echo x > .git/hooks/pre-commit"}),
        ("write_file", {"file_path": ".mcp.json", "content": "{}"}),
    ],
)
def test_an_allow_of_a_hook_does_not_reach_files_that_programs_obey(
    tmp_path: Path, tool: str, given: dict[str, Any]
) -> None:
    inner = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(hooks("PreToolUse", said({"hookSpecificOutput": inner}))), "utf-8")
    (tmp_path / "work").mkdir()
    places = Places(str(tmp_path), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})
    asked: list[object] = []

    def refuse(*question: object) -> bool:
        asked.append(question)
        return False

    async def run(call: ToolCall) -> str:
        async with Host.open(places, refuse, is_audited=False) as host:
            return (await host.judge(call)).verdict.decision

    assert asyncio.run(run(ToolCall("Write", "1", {"file_path": "a", "content": ""}))) == "allow"
    assert not asked
    assert asyncio.run(run(ToolCall(tool, "1", given))) == "deny"
    assert asked
