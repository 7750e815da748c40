"""What a hook of Claude Code gets from us is what Claude Code gives it, field by field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pisces.harnesses.claude.hooks import DIALECT
from pisces.shapes import events as ours
from pisces.shapes.request import TOOL
from pisces.shapes.session_facts import SessionFacts
from tests.conformance.corpus import corpus_folder
from tests.gates.hooks.making import FACTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.shapes.event import Event

FILE = corpus_folder() / "hook-payloads.jsonl"
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the corpus is not here")
COST = ("context_tokens", "prompt_cache_warm", "cache_ttl", "estimated_cache_write_usd", "pricing")

EVENTS: dict[str, Callable[[dict[str, Any]], Event]] = {
    "SessionStart": lambda got: ours.SessionStart(got["source"]),
    "InstructionsLoaded": lambda got: ours.InstructionsLoaded(
        got["file_path"], got["memory_type"].lower(), got["load_reason"]
    ),
    "UserPromptSubmit": lambda got: ours.Input(got["prompt"]),
    "UserPromptExpansion": lambda got: ours.PromptExpansion(
        got["command_name"], got["command_args"], source="project", prompt=got["prompt"]
    ),
    "PreToolUse": lambda got: ours.ToolCall(got["tool_name"], got["tool_use_id"], got["tool_input"]),
    "PermissionRequest": lambda got: ours.PermissionAsked(
        TOOL, got["tool_name"], got["tool_input"], suggestions=got["permission_suggestions"]
    ),
    "PostToolUse": lambda got: ours.ToolResult(
        got["tool_name"],
        got["tool_use_id"],
        got["tool_input"],
        (),
        got["tool_response"],
        duration_ms=got["duration_ms"],
        server=got.get("mcp_server", {}).get("name", ""),
    ),
    "PostToolUseFailure": lambda got: ours.ToolResult(
        got["tool_name"],
        got["tool_use_id"],
        got["tool_input"],
        ({"type": "text", "text": got["error"]},),
        is_error=True,
        duration_ms=got["duration_ms"],
    ),
    "PostToolBatch": lambda got: ours.ToolBatch(
        [
            {
                "tool": call["tool_name"],
                "call_id": call["tool_use_id"],
                "input": call["tool_input"],
                "result": call["tool_response"],
            }
            for call in got["tool_calls"]
        ]
    ),
    "CwdChanged": lambda got: ours.CwdChanged(got["old_cwd"], got["new_cwd"]),
    "SubagentStart": lambda got: ours.SubagentStart(got["agent_id"], got["agent_type"]),
    "SubagentStop": lambda got: ours.SubagentStop(got["agent_id"], got["agent_type"], got["last_assistant_message"]),
    "MessageDisplay": lambda got: ours.MessageEnd(
        {"id": got["message_id"], "index": got["index"], "text": got["delta"]}
    ),
    "Stop": lambda got: ours.SessionStop(last_message=got["last_assistant_message"]),
    "SessionEnd": lambda _: ours.SessionShutdown(),
    "PreCompact": lambda got: ours.SessionBeforeCompact(trigger=got["trigger"]),
    "PostCompact": lambda got: ours.SessionCompact(trigger=got["trigger"], summary=got["compact_summary"]),
    "PreModelSwitch": lambda got: ours.BeforeModelSwitch(
        got["to_model"],
        got["from_model"],
        got["source"],
        got["requested_model"],
        {key: got[key] for key in COST},
    ),
}


def rows() -> list[dict[str, Any]]:
    text = FILE.read_text().replace("@WORK@", "/work").replace("@HOME@", "/home/me") if FILE.is_file() else ""
    found = [json.loads(line) for line in text.splitlines()]
    return [row for row in found if row["dialect"] == "claude"]


def facts_of(got: dict[str, Any]) -> SessionFacts:
    return SessionFacts(
        got["cwd"],
        "/work",
        "/home/me",
        id=got["session_id"],
        transcript=got["transcript_path"],
        model=got.get("model", "claude-opus-5-5"),
        effort="medium",
        prompt_id=got.get("prompt_id", ""),
        turn_id=got.get("turn_id", ""),
        agent=got.get("agent_type", ""),
        agent_id=got.get("agent_id", ""),
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['event']}-{row['stdin'].get('tool_name', '')}")
def test_a_recorded_payload_is_what_our_hook_gets(row: dict[str, Any]) -> None:
    got = row["stdin"]
    event = EVENTS[row["event"]](got)
    assert DIALECT.names(event) == (row["event"],)
    made = DIALECT.payload(row["event"], event, facts_of(got))
    assert json.loads(json.dumps(made)) == got
    assert list(made) == list(got), "and in the same order"


def test_every_variable_that_concerns_hooks_is_there_and_no_secret() -> None:
    row = next(each for each in rows() if each["event"] == "SessionStart")
    assert {"CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID", "CLAUDE_ENV_FILE"} <= set(row["env_added"])


def test_the_transcript_has_the_place_that_scripts_expect() -> None:
    facts = SessionFacts("/a b/c", "/a b/c", "/home/me", id="1")
    made = DIALECT.payload("SessionStart", ours.SessionStart(), facts)
    assert made["transcript_path"] == "/home/me/.claude/projects/-a-b-c/1.jsonl"


@pytest.mark.parametrize("path", ["k.txt", "./x/../k.txt", "/work//k.txt", " k.txt", "~/../../work/k.txt"])
@pytest.mark.parametrize("tool", ["Read", "Write", "read_file"])
def test_a_file_is_named_by_its_whole_path(tool: str, path: str) -> None:
    """As Claude Code 2.1.325 does it: a guard that looks for a folder must not miss another spelling."""
    facts = SessionFacts("/work", "/work", "/home/me")
    payload = DIALECT.payload("PreToolUse", ours.ToolCall(tool, "1", {"file_path": path}), facts)
    assert payload["tool_input"]["file_path"] == "/work/k.txt"


def test_a_call_of_a_servers_tool_names_the_server() -> None:
    """As Claude Code 2.1.325 sends it before the tool runs."""
    payload = DIALECT.payload("PreToolUse", ours.ToolCall("mcp__srv__write_it", "1", {"text": "a"}), FACTS)
    assert payload["mcp_server"] == {"name": "srv", "source": "dynamic"}
    assert "mcp_server" not in DIALECT.payload("PreToolUse", ours.ToolCall("Bash", "1", {"command": "ls"}), FACTS)
