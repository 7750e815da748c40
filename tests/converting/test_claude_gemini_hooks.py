"""Guards of an extension of Gemini CLI in a plugin of Claude Code: the program behind them, as it is asked there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.converting.test_round_trip import converted, planted

pytestmark = pytest.mark.skipif(not shutil.which("node") or os.name == "nt", reason="needs node and sh")
ASKED = {
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "PostToolUseFailure": "AfterTool",
    "Stop": "AfterAgent",
}
ASKED |= {"UserPromptSubmit": "BeforeAgent", "SessionStart": "SessionStart", "Notification": "Notification"}


def says(**fields: Any) -> str:
    return f"printf '%s' '{json.dumps(fields)}'"


DENY = says(decision="deny", reason="R")
# What a guard does, and what becomes of the call: the decision, and a part of the reason.
PROTOCOL: dict[str, tuple[dict[str, Any] | str, str, str]] = {
    "exit 2 with a reason": ("echo no >&2; exit 2", "deny", "no"),
    "exit 2 and text on stdout": ("echo no; exit 2", "deny", "no"),
    "exit 2 in silence": ("exit 2", "deny", ""),
    "exit 2 and an allow": (f"{says(decision='allow')}; exit 2", "deny", ""),
    "exit 3 with a reason": ("echo no >&2; exit 3", "deny", "no"),
    "a missing program": ("no-such-program", "deny", "no-such-program"),
    "a denial": (DENY, "deny", "R"),
    "a denial and exit 1": (f"{DENY}; exit 1", "deny", "R"),
    "a block": (says(decision="block", reason="B"), "deny", "B"),
    "a denial on stderr": (f"{DENY} >&2", "deny", "R"),
    "a denial as a text in JSON": (f"printf '%s' '{json.dumps(json.dumps({'decision': 'deny'}))}'", "deny", ""),
    "a denial behind a log line": (f"echo starting; {DENY}", "deny", "R"),
    "a stop": (says(**{"continue": False}, stopReason="S"), "deny", "S"),
    "a denial, then a timeout": ({"command": f"{DENY}; sleep 30", "timeout": 1000}, "deny", "R"),
    "a question": (says(decision="ask", reason="Sure?"), "ask", "Sure?"),
    "an allow": (says(decision="allow"), "", ""),
    "nothing": ("true", "", ""),
    "plain text": ("echo fine", "", ""),
    "exit 1": ("echo oops >&2; exit 1", "", ""),
    "a timeout": ({"command": "sleep 30", "timeout": 1000}, "", ""),
}


def answered(
    folder: Path, hook: dict[str, Any] | str, matcher: str | None = None, *, event: str = "PreToolUse", **given: Any
) -> Any:
    """What the program says; a denial where it ends with 2, as Claude Code takes that."""
    fields = {"type": "command", **({"command": hook} if isinstance(hook, str) else hook)}
    group = {**({"matcher": matcher} if matcher is not None else {}), "hooks": [fields]}
    servers = {"docs": {"command": "x"}}
    tree = {
        "gemini-extension.json": json.dumps({"name": "guard", "version": "1.0.0", "mcpServers": servers}).encode(),
        "hooks/hooks.json": json.dumps({"hooks": {ASKED[event]: [group]}}).encode(),
        "rules/secret": b"x",
    }
    out = folder / "out"
    converted(planted(folder / "source", tree), "claude", out, "gemini")
    (entry,) = json.loads((out / "hooks/hooks.json").read_text("utf-8"))["hooks"][event]
    done = subprocess.run(
        ["bash", "-c", entry["hooks"][0]["command"]],
        input=json.dumps({"hook_event_name": event, "session_id": "s", "cwd": str(folder), **given}),
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "CLAUDE_PLUGIN_ROOT": str(out)},
        timeout=120,
        check=False,
    )
    if done.returncode:
        denial = {"permissionDecision": "deny" if done.returncode == 2 else "error"}
        return {"hookSpecificOutput": {**denial, "permissionDecisionReason": done.stderr}}
    return json.loads(done.stdout) if done.stdout else {}


def decision(found: Any) -> str:
    said: str = found.get("hookSpecificOutput", {}).get("permissionDecision", "")
    return said


@pytest.mark.parametrize("name", PROTOCOL)
def test_every_row_of_the_protocol_ends_as_in_gemini_cli_or_is_stricter(name: str, tmp_path: Path) -> None:
    hook, wanted, part = PROTOCOL[name]
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "echo hi"}}
    found = answered(tmp_path, hook, "run_shell_command", **call)
    assert decision(found) == wanted
    assert part in found.get("hookSpecificOutput", {}).get("permissionDecisionReason", "")
    assert (found.get("continue") is False) == (name == "a stop")


BY_PATH = 'grep -q "\\"file_path\\":\\"[^\\"]*secret" && exit 2; exit 0'


@pytest.mark.parametrize(
    ("matcher", "tool", "given", "denied"),
    [
        ("write_file|replace", "Write", {"file_path": "/secret", "content": "x"}, True),
        ("write_file|replace", "Edit", {"file_path": "/secret", "old_string": "a", "new_string": "b"}, True),
        ("write_", "NotebookEdit", {"notebook_path": "/secret.ipynb", "new_source": "x"}, True),
        (None, "Read", {"file_path": "/secret"}, True),
        ("(", "Read", {"file_path": "/secret"}, True),
        ("write_file", "Read", {"file_path": "/secret"}, False),
        ("write_file", "Write", {"file_path": "/plain", "content": "secret"}, False),
    ],
)
def test_a_guard_about_files_sees_the_path(
    matcher: str | None, tool: str, given: Any, denied: bool, tmp_path: Path
) -> None:
    found = answered(tmp_path, BY_PATH, matcher, tool_name=tool, tool_input=given)
    assert decision(found) == ("deny" if denied else "")


@pytest.mark.parametrize("tool", ["mcp__plugin_guard_docs__find", "mcp__docs__find"])
def test_a_guard_about_a_server_holds(tool: str, tmp_path: Path) -> None:
    hook = 'grep -q "\\"server_name\\":\\"docs\\"" && exit 2; exit 0'
    assert decision(answered(tmp_path, hook, "^mcp_docs_find$", tool_name=tool, tool_input={})) == "deny"


def test_a_hook_finds_its_files_its_project_and_its_variables(tmp_path: Path) -> None:
    line = (
        '[ -f "${extensionPath}${/}rules/secret" ] && [ -d "$GEMINI_PROJECT_DIR" ] && [ "$OWN" = 1 ] && exit 2; exit 0'
    )
    found = answered(tmp_path, {"command": line, "env": {"OWN": 1}}, tool_name="Bash", tool_input={"command": "x"})
    assert decision(found) == "deny"


def test_a_changed_input_has_the_names_of_claude_code_and_grants_nothing(tmp_path: Path) -> None:
    hook = says(hookSpecificOutput={"tool_input": {"command": "b", "is_background": True}})
    given = {"command": "a", "run_in_background": False}
    found = answered(tmp_path, hook, tool_name="Bash", tool_input=given)
    wanted = {"hookEventName": "PreToolUse", "updatedInput": {"command": "b", "run_in_background": True}}
    assert found == {"hookSpecificOutput": wanted}


def test_a_change_that_claude_code_has_no_words_for_denies(tmp_path: Path) -> None:
    hook = says(hookSpecificOutput={"tool_input": {"command": "b", "dir_path": "/"}})
    assert decision(answered(tmp_path, hook, tool_name="Bash", tool_input={"command": "a"})) == "deny"


def test_other_events(tmp_path: Path) -> None:
    context = says(hookSpecificOutput={"additionalContext": "C"})
    prompt = answered(tmp_path / "a", DENY, event="UserPromptSubmit", prompt="x")
    assert prompt == {"decision": "block", "reason": "R"}
    assert answered(tmp_path / "b", DENY, event="Stop") == {"decision": "block", "reason": "R"}
    started = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "C"}}
    assert answered(tmp_path / "c", context, "startup", event="SessionStart", source="startup") == started
    assert answered(tmp_path / "d", context, "startup", event="SessionStart", source="resume") == {}
    after = 'grep -q "\\"llmContent\\":\\"OUT\\"" && { echo look >&2; exit 2; }; exit 0'
    shown: dict[str, Any] = {"tool_name": "Bash", "tool_input": {}, "tool_response": {"stdout": "OUT", "stderr": ""}}
    assert answered(tmp_path / "e", after, event="PostToolUse", **shown)["reason"] == "look"


@pytest.mark.parametrize("lost", ["run.mjs", "words.mjs", "hooks.json", "run.sh"])
def test_a_guard_whose_program_is_broken_denies(lost: str, tmp_path: Path) -> None:
    answered(tmp_path, "exit 0", tool_name="Bash", tool_input={"command": "x"})
    (tmp_path / "out/hooks/gemini-compat" / lost).unlink()
    (entry,) = json.loads((tmp_path / "out/hooks/hooks.json").read_text("utf-8"))["hooks"]["PreToolUse"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CLAUDE_PLUGIN_ROOT": str(tmp_path / "out")}
    line = ["bash", "-c", entry["hooks"][0]["command"]]
    assert subprocess.run(line, input=b"{}", env=env, capture_output=True, check=False, timeout=120).returncode == 2
