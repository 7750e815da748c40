"""Hooks of a plugin keep their meaning in Gemini CLI: converted, and judged by the real program.

Rows of the tables in docs/concepts/hook-shim.md. `OPEN` is a hook that fails without refusing, as Claude Code has it.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.converted_hooks import HookCase, converted, needs_gemini, shell_call, verdicts

pytestmark = needs_gemini

OWN = "PreToolUse"


def answer(**fields: Any) -> str:
    """A line that prints an answer."""
    return f"printf '%s' '{json.dumps(fields)}'"


def inner(event: str = OWN, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


DENY = answer(**inner(permissionDecision="deny", permissionDecisionReason="R"))
REWRITE = inner(permissionDecision="allow", updatedInput={"command": "echo safe"})

# What a guard does, and what becomes of the call: the decision, and a part of the reason.
PROTOCOL: dict[str, tuple[dict[str, Any] | str, str, str]] = {
    "exit 2 with a reason": ("echo no >&2; exit 2", "deny", "no"),
    "exit 2 in silence": ("exit 2", "deny", "No stderr output"),
    "exit 2 and text on stdout": ("echo no; exit 2", "deny", ""),
    "exit 2 and an allow": (f"{answer(**inner(permissionDecision='allow'))}; exit 2", "deny", ""),
    "exit 2 and a denial": (f"{DENY}; exit 2", "deny", "R"),
    "a denial": (DENY, "deny", "R"),
    "a denial and exit 1": (f"{DENY}; exit 1", "deny", "R"),
    "a denial and exit 3": (f"{DENY}; exit 3", "deny", "R"),
    "the old block": (answer(decision="block", reason="B"), "deny", "B"),
    "the old block without a reason": (answer(decision="block"), "deny", "Blocked by hook"),
    "a denial behind a byte order mark": (f"printf '\\357\\273\\277'; {DENY}", "deny", "R"),
    "a denial behind a log line": (f"echo starting; {DENY}", "deny", "R"),
    "a denial before a log line": (f"{DENY}; echo; echo done", "deny", "R"),
    "a denial with an unknown field": (answer(**inner(permissionDecision="deny", zzz=1)), "deny", ""),
    "a denial with a field of a wrong kind": (
        answer(**{"continue": "yes"}, **inner(permissionDecision="deny")),
        "deny",
        "",
    ),
    "a denial without the event": (answer(hookSpecificOutput={"permissionDecision": "deny"}), "deny", ""),
    "a denial in the other program's words": (answer(decision="deny", reason="D"), "deny", "D"),
    "a denial and a stop": (answer(**{"continue": False}, **inner(permissionDecision="deny")), "deny", ""),
    "a denial while a child keeps the pipe": (f"(sleep 30) & {DENY}", "deny", "R"),
    "a denial that reads no input": (f"exec 0<&-; {DENY}", "deny", "R"),
    "a long reason": ("head -c 200000 /dev/zero | tr '\\0' x >&2; exit 2", "deny", "xxx"),
    "a denial within its limit": ({"command": f"cat >/dev/null; {DENY}", "timeout": 10}, "deny", "R"),
    "a denial, then a timeout": ({"command": f"{DENY}; sleep 30", "timeout": 1}, "deny", "R"),
    "a program and its arguments": ({"command": "/bin/sh", "args": ["-c", "exit 2"]}, "deny", ""),
    "a syntax error": ("if then", "deny", ""),
    "a failure that blocks": ({"command": "exit 1", "onFailure": "block"}, "deny", "exit code 1"),
    "a timeout that blocks": ({"command": "sleep 30", "onFailure": "block", "timeout": 1}, "deny", "timeout"),
    "a missing program that blocks": ({"command": "no-such-program", "onFailure": "block"}, "deny", "127"),
    "an answer with a flaw that blocks": (
        {"command": answer(**inner("Stop")), "onFailure": "block"},
        "deny",
        "not valid",
    ),
    "a deferral": (answer(**inner(permissionDecision="defer")), "deny", ""),
    "a question": (answer(**inner(permissionDecision="ask", permissionDecisionReason="Sure?")), "ask", "Sure?"),
    "a condition that holds": ({"command": "exit 2", "if": "Bash(echo *)"}, "deny", ""),
    "a condition that does not": ({"command": "exit 2", "if": "Bash(git *)"}, "allow", ""),
    "nothing": ("true", "allow", ""),
    "an allow": (answer(**inner(permissionDecision="allow")), "allow", ""),
    "plain text": ("echo fine", "allow", ""),
    "half an object": ("echo '{\"decision\":'", "allow", ""),
    "exit 1": ("echo no >&2; exit 1", "allow", ""),
    "exit 3": ("echo no >&2; exit 3", "allow", ""),
    "a missing program": ("no-such-program", "allow", ""),
    "a missing program with arguments": ({"command": "no-such-program", "args": ["x"]}, "allow", ""),
    "a file that is no program": ('"${CLAUDE_PLUGIN_ROOT}/hooks/hooks.json"', "allow", ""),
    "a timeout": ({"command": "sleep 30", "timeout": 1}, "allow", ""),
    "a signal": ("kill -9 $$", "allow", ""),
    "in the background": ({"command": "exit 2", "async": True}, "allow", ""),
    "goes on in the background": ("echo '{\"async\": true}'; sleep 30; exit 2", "allow", ""),
}
REPORTED = ("exit 1", "exit 3", "a missing program", "a missing program with arguments", "a timeout", "a signal")


def _guard(folder: Path, fields: dict[str, Any] | str, event: str = OWN, matcher: str | None = "Bash") -> Path:
    hook = {"type": "command", **({"command": fields} if isinstance(fields, str) else fields)}
    folder.mkdir(parents=True)
    return converted(folder, {event: [{**({"matcher": matcher} if matcher else {}), "hooks": [hook]}]})


def _case(id_: str, extension: Path, event: str, fields: dict[str, Any]) -> HookCase:
    return {"id": id_, "extension": str(extension), "event": event, "cwd": str(extension.parent), "fields": fields}


def test_every_row_of_the_protocol_ends_as_in_claude_code(tmp_path: Path) -> None:
    cases = [
        _case(name, _guard(tmp_path / str(number), fields), "BeforeTool", shell_call("echo hi"))
        for number, (name, (fields, _, _)) in enumerate(PROTOCOL.items())
    ]
    found = verdicts(cases, tmp_path)
    assert {name: found[name].get("decision", "allow") for name in PROTOCOL} == {
        name: decision for name, (_, decision, _) in PROTOCOL.items()
    }
    assert [name for name, (_, _, part) in PROTOCOL.items() if part and part not in found[name].get("reason", "")] == []
    assert [name for name in REPORTED if "PreToolUse hook" not in found[name].get("message", "")] == []
    assert {name for name, each in found.items() if each["timedOut"] or each["exits"] != [0]} == set()


# What a tool of Gemini CLI looks like to a hook: call, tool and input there.
CALLS: dict[str, tuple[str, dict[str, Any], str, dict[str, Any]]] = {
    "shell": (
        "run_shell_command",
        {"command": "ls", "is_background": True},
        "Bash",
        {"command": "ls", "run_in_background": True},
    ),
    "read": (
        "read_file",
        {"file_path": "a", "start_line": 3, "end_line": 5},
        "Read",
        {"file_path": "@/a", "offset": 3, "limit": 3},
    ),
    "write": ("write_file", {"file_path": "/x/a", "content": "c"}, "Write", {"file_path": "/x/a", "content": "c"}),
    "edit": (
        "replace",
        {"file_path": "/x/a", "old_string": "o", "new_string": "n", "allow_multiple": True},
        "Edit",
        {"file_path": "/x/a", "old_string": "o", "new_string": "n", "replace_all": True},
    ),
    "grep": (
        "grep_search",
        {"pattern": "p", "dir_path": "/x", "include_pattern": "*.py", "after": 1},
        "Grep",
        {"pattern": "p", "path": "/x", "glob": "*.py", "-A": 1},
    ),
    "glob": ("glob", {"pattern": "p", "dir_path": "/x"}, "Glob", {"pattern": "p", "path": "/x"}),
    "list": ("list_directory", {"dir_path": "/x"}, "LS", {"path": "/x"}),
    "fetch": (
        "web_fetch",
        {"prompt": "read (https://a.example/x)."},
        "WebFetch",
        {"prompt": "read (https://a.example/x).", "url": "https://a.example/x"},
    ),
    "search": ("google_web_search", {"query": "q"}, "WebSearch", {"query": "q"}),
    "todos": (
        "write_todos",
        {"todos": [{"description": "d", "status": "pending"}]},
        "TodoWrite",
        {"todos": [{"content": "d", "status": "pending", "activeForm": "d"}]},
    ),
    "agent": (
        "invoke_agent",
        {"agent_name": "a", "prompt": "p"},
        "Agent",
        {"subagent_type": "a", "prompt": "p", "description": "p"},
    ),
    "skill": ("activate_skill", {"name": "s"}, "Skill", {"skill": "s"}),
    "own": ("update_topic", {"title": "t"}, "update_topic", {"title": "t"}),
    "server": ("mcp_gh_push_it", {"a": 1}, "mcp__gh__push_it", {"a": 1}),
}


def test_a_hook_sees_calls_by_the_names_that_it_knows(tmp_path: Path) -> None:
    guard = _guard(tmp_path / "g", "cat >&2; exit 2", matcher=None)
    cases = [
        _case(name, guard, "BeforeTool", {"tool_name": call[0], "tool_input": call[1]}) for name, call in CALLS.items()
    ]
    cases[-1]["fields"]["mcp_context"] = {"server_name": "gh", "tool_name": "push_it"}
    found = {name: json.loads(each["reason"]) for name, each in verdicts(cases, tmp_path).items()}
    folder = str(guard.parent)
    expected = {
        name: (tool, json.loads(json.dumps(given).replace("@", folder))) for name, (_, _, tool, given) in CALLS.items()
    }
    assert {name: (each["tool_name"], each["tool_input"]) for name, each in found.items()} == expected
    assert {each["hook_event_name"] for each in found.values()} == {OWN}
    assert all(
        each["tool_use_id"].startswith("toolu_") and each["permission_mode"] == "default" for each in found.values()
    )


# A hook's new input, and what Gemini CLI runs instead.
REWRITES: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "shell": (
        "run_shell_command",
        {"command": "ls", "dir_path": "sub", "description": "d"},
        {"command": "x"},
        {"command": "x", "dir_path": "sub"},
    ),
    "edit": (
        "replace",
        {"file_path": "a", "old_string": "o", "new_string": "n", "instruction": "i"},
        {"file_path": "@/a", "old_string": "o", "new_string": "N", "replace_all": True},
        {"file_path": "a", "old_string": "o", "new_string": "N", "instruction": "i", "allow_multiple": True},
    ),
    "read": (
        "read_file",
        {"file_path": "a"},
        {"file_path": "/other", "offset": 2, "limit": 2},
        {"file_path": "/other", "start_line": 2, "end_line": 3},
    ),
    "fetch": (
        "web_fetch",
        {"prompt": "sum up https://a.example"},
        {"url": "https://b.example", "prompt": "sum up https://a.example"},
        {"prompt": "sum up https://b.example"},
    ),
    "agent": (
        "invoke_agent",
        {"agent_name": "a", "prompt": "p"},
        {"subagent_type": "b", "prompt": "q"},
        {"agent_name": "b", "prompt": "q"},
    ),
    "server": ("mcp_s_t", {"a": 1}, {"a": 2}, {"a": 2}),
}


def test_a_rewritten_input_is_rewritten_in_geminis_names(tmp_path: Path) -> None:
    cases = []
    for name, (tool, given, new, _) in REWRITES.items():
        folder = tmp_path / name
        changed = json.loads(json.dumps(new).replace("@", str(folder)))
        guard = _guard(folder, answer(**inner(updatedInput=changed)), matcher=None)
        cases.append(_case(name, guard, "BeforeTool", {"tool_name": tool, "tool_input": given}))
    found = verdicts(cases, tmp_path)
    assert {name: each["input"] for name, each in found.items()} == {name: row[3] for name, row in REWRITES.items()}


def test_one_of_several_addresses_or_files_is_enough_to_deny(tmp_path: Path) -> None:
    guard = _guard(tmp_path / "g", "grep -q evil && exit 2; exit 0", matcher="WebFetch|Read")
    change = _guard(tmp_path / "c", answer(**inner(updatedInput={"url": "https://c.example"})), matcher="WebFetch")
    fetch = {"tool_name": "web_fetch", "tool_input": {"prompt": "https://a.example https://evil.example"}}
    several = {"tool_name": "web_fetch", "tool_input": {"prompt": "https://a.example https://b.example"}}
    many = {"tool_name": "web_fetch", "tool_input": {"prompt": " ".join(f"https://a{n}.example" for n in range(30))}}
    files = {"tool_name": "read_many_files", "tool_input": {"include": ["a", "evil"]}}
    rows = {
        "fetch": (guard, fetch),
        "files": (guard, files),
        "fine": (guard, several),
        "many": (guard, many),
        "changed": (change, several),
    }
    found = verdicts([_case(name, folder, "BeforeTool", fields) for name, (folder, fields) in rows.items()], tmp_path)
    assert {name for name, each in found.items() if each["decision"] == "deny"} == {"fetch", "files", "many", "changed"}


DONE = {"llmContent": "fine", "returnDisplay": ""}
BROKEN = {"llmContent": "Output: x\nExit Code: 1", "returnDisplay": ""}
CONTEXT = {"PostToolUse": "AfterTool", "UserPromptSubmit": "BeforeAgent", "SessionStart": "SessionStart"}
OTHERS: dict[str, tuple[str, str | None, str, str, dict[str, Any], dict[str, Any]]] = {
    # name: event, matcher, line, Gemini's event, fields, what must come out
    "after a tool, an objection stands behind the result": (
        *("PostToolUse", "Bash", "echo bad >&2; exit 2", "AfterTool"),
        {**shell_call("ls"), "tool_response": DONE},
        {"decision": "allow", "context": "bad"},
    ),
    "after a tool, a block as well": (
        *("PostToolUse", "Bash", answer(decision="block", reason="bad"), "AfterTool"),
        {**shell_call("ls"), "tool_response": DONE},
        {"decision": "allow", "context": "bad"},
    ),
    "after a tool, a result": (
        *("PostToolUse", "Bash", "cat >&2; exit 2", "AfterTool"),
        {**shell_call("ls"), "tool_response": DONE},
        {"context": '"tool_response":{"stdout":"fine"'},
    ),
    "after a tool, context": (
        *("PostToolUse", "Bash", answer(**inner("PostToolUse", additionalContext="note")), "AfterTool"),
        {**shell_call("ls"), "tool_response": DONE},
        {"context": "note"},
    ),
    "after a tool, a stop": (
        *("PostToolUse", "Bash", answer(**{"continue": False, "stopReason": "S"}), "AfterTool"),
        {**shell_call("ls"), "tool_response": DONE},
        {"stop": "S"},
    ),
    "after a failure, not the hook for success": (
        *("PostToolUse", "Bash", "echo bad >&2; exit 2", "AfterTool"),
        {**shell_call("ls"), "tool_response": BROKEN},
        {"context": None},
    ),
    "after a failure": (
        *("PostToolUseFailure", "Bash", "cat >&2; exit 2", "AfterTool"),
        {**shell_call("ls"), "tool_response": {"llmContent": "", "error": {"message": "it broke"}}},
        {"context": '"error":"it broke"'},
    ),
    "after a success, not the hook for failure": (
        *("PostToolUseFailure", "Bash", "exit 2", "AfterTool"),
        {**shell_call("ls"), "tool_response": DONE},
        {"context": None},
    ),
    "a prompt is denied": (
        *("UserPromptSubmit", None, "grep -q secret && exit 2; exit 0", "BeforeAgent"),
        {"prompt": "a secret"},
        {"decision": "deny"},
    ),
    "a prompt is blocked": (
        *("UserPromptSubmit", None, answer(decision="block", reason="not that"), "BeforeAgent"),
        {"prompt": "x"},
        {"decision": "deny", "reason": "not that"},
    ),
    "a prompt gets plain text": (
        *("UserPromptSubmit", None, "echo remember", "BeforeAgent"),
        {"prompt": "x"},
        {"decision": "allow", "context": "remember"},
    ),
    "a prompt gets context": (
        *("UserPromptSubmit", None, answer(**inner("UserPromptSubmit", additionalContext="note")), "BeforeAgent"),
        {"prompt": "x"},
        {"context": "note"},
    ),
    "a prompt ends the session": (
        *("UserPromptSubmit", None, answer(**{"continue": False}), "BeforeAgent"),
        {"prompt": "x"},
        {"stop": "Stopped by a hook"},
    ),
    "a failure at a prompt lets it pass": (
        *("UserPromptSubmit", None, "exit 1", "BeforeAgent"),
        {"prompt": "x"},
        {"decision": "allow"},
    ),
    "a start gets plain text": (
        *("SessionStart", "startup|compact", "echo welcome", "SessionStart"),
        {"source": "startup"},
        {"context": "welcome"},
    ),
    "a start gets context": (
        *("SessionStart", None, answer(**inner("SessionStart", additionalContext="note")), "SessionStart"),
        {"source": "clear"},
        {"context": "note"},
    ),
    "a start cannot be stopped": (
        *("SessionStart", None, answer(**{"continue": False}), "SessionStart"),
        {"source": "startup"},
        {"stop": None},
    ),
    "another start": (*("SessionStart", "startup|clear", "echo x", "SessionStart"), {"source": "resume"}, {"fired": 0}),
    "a stop goes on": (
        *("Stop", None, "echo more >&2; exit 2", "AfterAgent"),
        {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
        {"decision": "deny", "reason": "more"},
    ),
    "a stop that ends": (
        *("Stop", None, answer(**{"continue": False, "decision": "block", "reason": "x"}), "AfterAgent"),
        {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
        {"stop": "Stopped by a hook"},
    ),
    "a stop knows what was said": (
        *("Stop", None, "cat >&2; exit 2", "AfterAgent"),
        {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
        {"reason": '"last_assistant_message":"r"'},
    ),
    "a failure at a stop lets it end": (
        *("Stop", None, "exit 1", "AfterAgent"),
        {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
        {"decision": "allow"},
    ),
    "an agent ends": (
        *("SubagentStop", "guard:helper|helper", "cat >&2; exit 2", "AfterTool"),
        {"tool_name": "invoke_agent", "tool_input": {"agent_name": "helper"}, "tool_response": DONE},
        {"decision": "allow", "context": '"agent_type":"helper"'},
    ),
    "another agent ends": (
        *("SubagentStop", "helper", "exit 2", "AfterTool"),
        {"tool_name": "invoke_agent", "tool_input": {"agent_name": "other"}, "tool_response": DONE},
        {"context": None},
    ),
    "an agent gets context": (
        *("SubagentStart", None, answer(**inner("SubagentStart", additionalContext="note")), "BeforeTool"),
        {"tool_name": "invoke_agent", "tool_input": {"agent_name": "helper", "prompt": "do"}},
        {"input": {"agent_name": "helper", "prompt": "do\n\nnote"}},
    ),
    "an agent cannot be refused at its start": (
        *("SubagentStart", None, "exit 2", "BeforeTool"),
        {"tool_name": "invoke_agent", "tool_input": {"agent_name": "helper", "prompt": "do"}},
        {"decision": "allow"},
    ),
    "a permission is denied": (
        *(
            "PermissionRequest",
            "Bash",
            answer(**inner("PermissionRequest", decision={"behavior": "deny", "message": "M"})),
        ),
        "BeforeTool",
        shell_call("touch x"),
        {"decision": "deny", "reason": "M"},
    ),
    "a permission is not denied by exit 2": (
        *("PermissionRequest", "Bash", "exit 2", "BeforeTool"),
        shell_call("touch x"),
        {"decision": "allow"},
    ),
    "the end": (
        *("SessionEnd", None, 'echo \'{"systemMessage": "bye"}\'', "SessionEnd"),
        {"reason": "exit"},
        {"message": "bye"},
    ),
    "a compression": (*("PreCompact", "auto", "exit 2", "PreCompress"), {"trigger": "auto"}, {"decision": None}),
    "a notification": (
        *("Notification", "permission_prompt", answer(systemMessage="seen"), "Notification"),
        {"notification_type": "ToolPermission", "message": "m", "details": {}},
        {"message": "seen"},
    ),
    "a message": (
        *("PreToolUse", "Bash", answer(systemMessage="look"), "BeforeTool"),
        shell_call("ls"),
        {"message": "look"},
    ),
    "context before a tool is shown": (
        *("PreToolUse", "Bash", answer(**inner(additionalContext="note")), "BeforeTool"),
        shell_call("ls"),
        {"decision": "allow", "message": "note"},
    ),
    "a stop before a tool": (
        *("PreToolUse", "Bash", answer(**{"continue": False, "stopReason": "S"}), "BeforeTool"),
        shell_call("ls"),
        {"stop": "S"},
    ),
    "another tool of the server": (
        *("PreToolUse", "mcp__gh__push", "exit 2", "BeforeTool"),
        {"tool_name": "mcp_gh_pull", "tool_input": {}},
        {"fired": 0},
    ),
    "a server of the package, by its whole name": (
        *("PreToolUse", "mcp__plugin_guard_db__query", "exit 2", "BeforeTool"),
        {"tool_name": "mcp_db_query", "tool_input": {}, "mcp_context": {"server_name": "db", "tool_name": "query"}},
        {"decision": "deny"},
    ),
    "a server that nobody names": (
        *("PreToolUse", "mcp__my_db__query", "exit 2", "BeforeTool"),
        {"tool_name": "mcp_my_db_query", "tool_input": {}},
        {"decision": "deny"},
    ),
    "an expression over servers": (
        *("PreToolUse", "mcp__gh__pu.*", "exit 2", "BeforeTool"),
        {"tool_name": "mcp_gh_push", "tool_input": {}},
        {"decision": "deny"},
    ),
    "an expression over other servers": (
        *("PreToolUse", "mcp__gh__pu.*", "exit 2", "BeforeTool"),
        {"tool_name": "mcp_db_push", "tool_input": {}},
        {"decision": "allow"},
    ),
    "all tools but one": (
        *("PreToolUse", "^(?!Edit)", "exit 2", "BeforeTool"),
        {"tool_name": "replace", "tool_input": {"file_path": "a"}},
        {"decision": "allow"},
    ),
    "a notebook": (
        *("PreToolUse", "NotebookEdit", "exit 2", "BeforeTool"),
        {"tool_name": "replace", "tool_input": {"file_path": "a.ipynb"}},
        {"decision": "deny"},
    ),
    "no notebook": (
        *("PreToolUse", "NotebookEdit", "exit 2", "BeforeTool"),
        {"tool_name": "replace", "tool_input": {"file_path": "a.py"}},
        {"decision": "allow"},
    ),
}


def test_every_event_does_there_what_it_does_in_claude_code(tmp_path: Path) -> None:
    cases = []
    for number, (name, (event, matcher, line, there, fields, _)) in enumerate(OTHERS.items()):
        cases.append(_case(name, _guard(tmp_path / str(number), line, event, matcher), there, fields))
        cases[-1]["session"] = name
    found = verdicts(cases, tmp_path)
    wrong = {
        name: {key: found[name].get(key) for key in row[5]}
        for name, row in OTHERS.items()
        if not all(_agrees(found[name].get(key), wanted) for key, wanted in row[5].items())
    }
    assert wrong == {}


def _agrees(value: Any, wanted: Any) -> bool:
    return wanted in value if isinstance(wanted, str) and isinstance(value, str) else bool(value == wanted)


def test_a_stop_hook_that_always_blocks_ends_after_nine_times(tmp_path: Path) -> None:
    guard = _guard(tmp_path / "g", "exit 2", "Stop", None)
    case = _case("x", guard, "AfterAgent", {})
    case["turns"] = [{"prompt": "p", "prompt_response": "r", "stop_hook_active": turn > 0} for turn in range(11)]
    found = verdicts([case], tmp_path)["x"]["turns"]
    assert [each.get("decision") for each in found] == ["deny"] * 9 + ["allow"] + ["deny"]


def test_a_guard_that_cannot_run_denies_and_other_hooks_say_so(tmp_path: Path) -> None:
    def broken(name: str, event: str = OWN) -> Path:
        guard = _guard(tmp_path / name, "true", event, None)
        program = guard / "hooks" / "claude-compat"
        if name.startswith("no "):
            (program / name[3:]).unlink()
        else:
            (program / name.split()[-1]).write_text("{", "utf-8")
        return guard

    stop = {"prompt": "p", "prompt_response": "r"}
    rows = [
        (name, broken(name), "BeforeTool", shell_call("ls"))
        for name in (
            "no run.mjs",
            "no protocol.mjs",
            "no hooks.json",
            "bad hooks.json",
            "bad run.mjs",
            "no find-node.sh",
        )
    ]
    rows.append(
        ("no  prompt", _guard(tmp_path / "p", "true", "UserPromptSubmit", None), "BeforeAgent", {"prompt": "x"})
    )
    shutil.rmtree(rows[-1][1] / "hooks" / "claude-compat")
    rows.append(("stop", _guard(tmp_path / "s", "exit 2", "Stop", None), "AfterAgent", stop))
    shutil.rmtree(rows[-1][1] / "hooks" / "claude-compat")
    found = verdicts([_case(name, folder, event, fields) for name, folder, event, fields in rows], tmp_path)
    assert {name: each.get("decision") for name, each in found.items()} == {
        **dict.fromkeys(("no run.mjs", "no protocol.mjs", "no hooks.json", "bad hooks.json", "bad run.mjs"), "deny"),
        "no find-node.sh": "allow",
        "no  prompt": "deny",
        "stop": "allow",
    }
    assert "cannot run" in found["stop"]["message"]


@pytest.mark.skipif(os.name == "nt", reason="PATH is searched in another way")
def test_without_an_interpreter_in_path_geminis_own_runs_the_hook(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "bash").symlink_to(shutil.which("bash") or "/bin/bash")
    own = tmp_path / "elsewhere" / "node"
    own.parent.mkdir()
    guard, fine = _guard(tmp_path / "g", "exit 2"), _guard(tmp_path / "f", "true")
    rows = {"denied": guard, "allowed": fine}
    cases = [_case(name, each, "BeforeTool", shell_call("ls")) for name, each in rows.items()]
    found = verdicts(cases, tmp_path, PATH=str(folder))
    assert {name: each["decision"] for name, each in found.items()} == {"denied": "deny", "allowed": "allow"}


def test_spaces_and_quotes_in_the_folder_change_nothing(tmp_path: Path) -> None:
    guard = _guard(tmp_path / "it's a folder", '"${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"')
    script = guard / "hooks" / "guard.sh"
    script.write_text('#!/bin/sh\necho "$CLAUDE_PLUGIN_ROOT" >&2\nexit 2\n', "utf-8")
    script.chmod(0o755)
    found = verdicts([_case("x", guard, "BeforeTool", shell_call("ls"))], tmp_path)["x"]
    assert (found["decision"], found["reason"]) == ("deny", str(guard))
