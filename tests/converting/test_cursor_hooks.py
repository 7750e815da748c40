"""Guards of a plugin in Cursor: the program behind them, run as documented. Never run in Cursor itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.convert import ConvertRequest, convert
from tests.conformance.test_hook_shim import PROTOCOL, answer, inner
from tests.converting.test_convert import places_of, put
from tests.converting.test_round_trip import converted, planted

pytestmark = pytest.mark.skipif(not shutil.which("node") or os.name == "nt", reason="needs node and sh")
NAMES = {"PreToolUse": "preToolUse", "PostToolUse": "postToolUse", "UserPromptSubmit": "beforeSubmitPrompt"}
NAMES |= {"Stop": "stop", "SessionStart": "sessionStart", "SubagentStop": "subagentStop", "PreCompact": "preCompact"}
BY_PATH = 'grep -q "\\"file_path\\":\\"[^\\"]*secret" && { echo "not that file" >&2; exit 2; }; exit 0'
BY_TEXT = 'grep -q "\\"\\(content\\|new_string\\)\\":\\"[^\\"]*KEY" && exit 2; exit 0'
PATCH = "*** Begin Patch\n*** Update File: secret\n@@\n-a\n+b\n*** End Patch"


def planned(folder: Path, hook: dict[str, Any] | str, event: str = "PreToolUse", matcher: str = "*") -> dict[str, Any]:
    """The entry of a plugin with this hook, converted to `folder/out`."""
    fields = {"type": "command", **({"command": hook} if isinstance(hook, str) else hook)}
    tree = {
        ".claude-plugin/plugin.json": b'{"name": "guard", "version": "1.0.0"}',
        "hooks/hooks.json": json.dumps({"hooks": {event: [{"matcher": matcher, "hooks": [fields]}]}}).encode(),
    }
    converted(planted(folder / "source", tree), "cursor", folder / "out")
    text = (folder / "out/hooks/hooks.json").read_text("utf-8")
    assert "//" not in text  # Cursor takes it for a comment
    (entry,) = json.loads(text)["hooks"][NAMES[event]]
    found: dict[str, Any] = entry
    return found


def run(folder: Path, entry: dict[str, Any], **given: Any) -> subprocess.CompletedProcess[str]:
    work = folder / "project"
    work.mkdir(exist_ok=True)
    common = {"conversation_id": "s", "workspace_roots": [str(work)], "transcript_path": None}
    return subprocess.run(
        ["bash", "-c", entry["command"]],
        input=json.dumps({**common, **given}),
        capture_output=True,
        text=True,
        cwd=work,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "CURSOR_PLUGIN_ROOT": str(folder / "out")},
        timeout=120,
        check=False,
    )


def said(folder: Path, hook: dict[str, Any] | str, tool: str, given: Any, matcher: str = "*") -> Any:
    """The answer; a denial where the program ends with 2, as documented. Nothing at all would block everything."""
    done = run(folder, planned(folder, hook, matcher=matcher), tool_name=tool, tool_input=given)
    if done.returncode:
        return {"permission": "deny" if done.returncode == 2 else "error", "user_message": done.stderr}
    return json.loads(done.stdout)


def at(folder: Path, event: str, hook: str, **given: Any) -> Any:
    done = run(folder, planned(folder, hook, event), **given)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PROTOCOL)
def test_every_row_of_the_protocol_ends_as_in_claude_code_and_a_question_denies(name: str, tmp_path: Path) -> None:
    hook, wanted, part = PROTOCOL[name]
    found = said(tmp_path, hook, "Shell", {"command": "echo hi", "working_directory": "/a"}, "Bash")
    assert found["permission"] == ("deny" if wanted == "ask" else wanted)
    assert part in found.get("user_message", "")


def test_a_guard_blocks_where_it_fails_and_sees_its_tools_alone(tmp_path: Path) -> None:
    entry = planned(tmp_path, {"command": "exit 2", "timeout": 10}, matcher="Bash")
    assert entry["command"] == 'sh "${CURSOR_PLUGIN_ROOT}/hooks/claude-compat/run.sh" 1 guard || exit 2'
    assert (entry["matcher"], entry["failClosed"], entry["timeout"]) == ("^(?:Shell)$", True, 10)
    assert "matcher" not in planned(tmp_path / "b", "exit 2", matcher="Edit|Write")


@pytest.mark.parametrize("lost", ["run.mjs", "words.mjs", "hooks.json", "run.sh"])
def test_a_guard_whose_program_is_broken_denies(lost: str, tmp_path: Path) -> None:
    entry = planned(tmp_path, "exit 0")
    (tmp_path / "out/hooks/claude-compat" / lost).unlink()
    assert run(tmp_path, entry, tool_name="Shell", tool_input={"command": "ls"}).returncode == 2


@pytest.mark.parametrize(
    ("tool", "given", "denied"),
    [
        ("Write", {"file_path": "secret", "content": "x"}, True),
        ("Write", {"path": "/a/secret", "contents": "x"}, True),
        ("StrReplace", {"path": "secret", "old_string": "a", "new_string": "b"}, True),
        ("Write", {"file_path": "secret", "edits": [{"old_string": "a", "new_string": "b"}]}, True),
        ("ApplyPatch", PATCH, True),
        ("ApplyPatch", {"patch": PATCH}, True),
        ("Delete", {"path": "secret"}, True),
        ("ToolOfTomorrow", {"target_file": "secret", "contents": "b"}, True),
        ("", {"file_path": "secret", "content": "b"}, True),
        ("Write", {"nowhere": "x"}, True),
        ("Write", {"file_path": "plain", "path": "secret", "content": "x"}, True),
        ("Write", {"file_path": "plain"}, True),
        ("Write", {"file_path": "plain", "content": PATCH}, False),
        ("StrReplace", {"path": "plain", "old_string": "a", "new_string": "secret"}, False),
        ("Read", {"path": "secret"}, False),
        ("Shell", {"command": "cat secret"}, False),
    ],
)
def test_a_guard_about_files_sees_the_path(tool: str, given: Any, denied: bool, tmp_path: Path) -> None:
    found = said(tmp_path, BY_PATH, tool, given, "Edit|Write")
    assert (found["permission"] == "deny") == denied


@pytest.mark.parametrize("matcher", ["Edit", "Write", "Edit|Write", "MultiEdit|Write", "*"])
def test_a_guard_about_new_text_sees_it_by_whatever_name_it_asks(matcher: str, tmp_path: Path) -> None:
    assert said(tmp_path, BY_TEXT, "Write", {"path": "a", "contents": "my KEY"}, matcher)["permission"] == "deny"


def test_a_guard_of_reading_holds(tmp_path: Path) -> None:
    assert said(tmp_path, BY_PATH, "Read", {"path": "secret"}, "Read")["permission"] == "deny"


@pytest.mark.parametrize(
    ("tool", "given", "changed", "wanted"),
    [
        ("Write", {"path": "a", "contents": "x"}, {"file_path": "b", "content": "y"}, {"path": "b", "contents": "y"}),
        ("Shell", {"command": "a", "cwd": "/w"}, {"command": "b"}, {"command": "b", "cwd": "/w"}),
        ("MCP:push", '{"a": 1, "cwd": "/w"}', {"a": 2}, {"a": 2}),
    ],
)
def test_a_changed_input_has_the_names_of_cursor(
    tool: str, given: Any, changed: Any, wanted: Any, tmp_path: Path
) -> None:
    found = said(tmp_path, answer(**inner(permissionDecision="allow", updatedInput=changed)), tool, given)
    assert found == {"permission": "allow", "updated_input": wanted}


def test_a_change_that_cursor_has_no_words_for_denies(tmp_path: Path) -> None:
    changed = answer(**inner(updatedInput={"file_path": "a", "old_string": "", "new_string": "y"}))
    assert said(tmp_path, changed, "Write", {"path": "a", "contents": "x"}, "Edit")["permission"] == "deny"


@pytest.mark.parametrize("matcher", ["mcp__github__.*", "mcp__github__push", "mcp__(github|x)__push", "*", ".*"])
def test_a_guard_about_a_server_holds(matcher: str, tmp_path: Path) -> None:
    assert said(tmp_path, "exit 2", "MCP:push", {}, matcher)["permission"] == "deny"


@pytest.mark.parametrize("matcher", ["mcp__github__pull", "Bash"])
def test_a_guard_about_something_else_lets_a_tool_of_a_server_pass(matcher: str, tmp_path: Path) -> None:
    assert said(tmp_path, "exit 2", "MCP:push", {}, matcher) == {"permission": "allow"}


def test_a_prompt_is_stopped(tmp_path: Path) -> None:
    found = at(tmp_path, "UserPromptSubmit", "grep -q bad && { echo no >&2; exit 2; }; exit 0", prompt="bad")
    assert found == {"continue": False, "user_message": "no"}
    assert at(tmp_path / "b", "UserPromptSubmit", "echo hint", prompt="x") == {
        "continue": True,
        "additional_context": "hint",
    }


def test_a_turn_goes_on_unless_somebody_ended_it(tmp_path: Path) -> None:
    entry = planned(tmp_path, "echo more >&2; exit 2", "Stop")
    assert (entry["loop_limit"], "failClosed" in entry) == (9, False)
    done = run(tmp_path, entry, status="completed", loop_count=0)
    assert json.loads(done.stdout) == {"followup_message": "more"}
    assert json.loads(run(tmp_path, entry, status="aborted").stdout) == {}


def test_an_objection_after_a_tool_reaches_the_model(tmp_path: Path) -> None:
    given = {"tool_name": "Shell", "tool_input": {"command": "x"}, "tool_output": '{"output": "fail", "exitCode": 0}'}
    hook = 'grep -q "\\"stdout\\":\\"fail\\"" && { echo look >&2; exit 2; }; exit 0'
    assert at(tmp_path, "PostToolUse", hook, **given) == {"additional_context": "look"}


def test_context_of_a_new_session_is_not_longer_than_cursor_takes(tmp_path: Path) -> None:
    found = at(tmp_path, "SessionStart", "head -c 20000 /dev/zero | tr '\\0' x")
    assert found == {"additional_context": "x" * 10_000}


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "PermissionRequest"])
def test_a_guard_that_cannot_always_hold_is_an_error(event: str, tmp_path: Path) -> None:
    hooks = {"hooks": {event: [{"hooks": [{"type": "command", "command": "guard"}]}]}}
    tree = {".claude-plugin/plugin.json": '{"name": "g", "version": "1.0.0"}', "hooks/hooks.json": json.dumps(hooks)}
    made = convert(ConvertRequest(str(put(tmp_path / "plugin", tree)), "cursor"), places_of(tmp_path))
    assert "lost-guard" in [each.code for each in made.fates]


def test_a_guard_that_must_say_allow_is_reported(tmp_path: Path) -> None:
    hooks = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}]}}
    tree = {".claude-plugin/plugin.json": '{"name": "g", "version": "1.0.0"}', "hooks/hooks.json": json.dumps(hooks)}
    made = convert(ConvertRequest(str(put(tmp_path / "plugin", tree)), "cursor"), places_of(tmp_path))
    assert [each.severity for each in made.fates if each.code == "spared-question"] == ["warning"]
