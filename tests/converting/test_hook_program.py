"""The program that runs converted hooks, started as Gemini CLI starts it, without Gemini CLI."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.converted_hooks import converted
from tests.peer_programs import program

NODE = shutil.which("node")
BUN = program("@oven/bun-*/bin/bun") or shutil.which("bun")
DENY = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Gemini CLI uses another shell there")


def said(extension: Path, interpreter: str, given: object, **env: str) -> dict[str, Any]:
    """What comes back where `node` is this interpreter."""
    folder = extension.parent / "bin"
    if not folder.exists():
        folder.mkdir()
        (folder / "node").symlink_to(interpreter)
    event = "AfterAgent" if "prompt_response" in str(given) else "BeforeTool"
    (group,) = json.loads((extension / "hooks" / "hooks.json").read_text("utf-8"))["hooks"][event]
    (handler,) = group["hooks"]
    command = handler["command"].replace("${extensionPath}", str(extension)).replace("${/}", "/")
    own = {name: value.replace("${extensionPath}", str(extension)) for name, value in handler["env"].items()}
    places = {"HOME": str(extension.parent), "PATH": f"{folder}:{os.environ['PATH']}"}
    text = given if isinstance(given, str) else json.dumps(given)
    done = subprocess.run(
        ["bash", "-c", command],
        input=text,
        capture_output=True,
        text=True,
        cwd=extension.parent,
        env={**os.environ, **places, **own, **env},
        timeout=60,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def guard(folder: Path, command: str, event: str = "PreToolUse") -> Path:
    return converted(folder, {event: [{"hooks": [{"type": "command", "command": command}]}]})


def call(command: str = "ls") -> dict[str, Any]:
    return {"session_id": "s", "cwd": "/", "tool_name": "run_shell_command", "tool_input": {"command": command}}


@pytest.mark.parametrize("interpreter", [NODE, BUN], ids=["node", "bun"])
def test_a_denial_is_a_denial_under_every_interpreter(tmp_path: Path, interpreter: str | Path | None) -> None:
    if interpreter is None:
        pytest.skip("the interpreter is not installed")
    extension = guard(tmp_path, f"grep -q evil && printf '%s' '{json.dumps(DENY)}'; exit 0")
    assert said(extension, str(interpreter), call("evil"))["decision"] == "deny"
    assert "decision" not in said(extension, str(interpreter), call("fine"))


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize(
    "given",
    ["", "{", "5", "[]", "null", '"x"', "\x00", '{"tool_name": "run_shell_command", "tool_input": ' + "[" * 5000],
)
def test_a_guard_denies_what_it_cannot_read(tmp_path: Path, given: str) -> None:
    found = said(guard(tmp_path, "true"), str(NODE), given)
    assert found["decision"] == "deny"
    assert "cannot run" in found["reason"]


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"tool_name": 5, "tool_input": 5},
        {"tool_name": "__proto__", "tool_input": {"__proto__": 1, "constructor": {}}},
        {"tool_name": "constructor", "tool_input": None},
        {"tool_name": "web_fetch", "tool_input": {"prompt": None}},
        {"tool_name": "read_many_files", "tool_input": {"include": 5}},
        {"tool_name": "write_todos", "tool_input": {"todos": [None, 5]}},
        {"tool_name": "mcp_", "tool_input": {}},
        {"tool_name": "run_shell_command", "tool_input": {"command": "x" * 1_000_000}},
    ],
)
def test_a_guard_sees_odd_calls_too(tmp_path: Path, given: object) -> None:
    assert said(guard(tmp_path, "exit 2"), str(NODE), given)["decision"] == "deny"


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_output_without_end_is_no_allow(tmp_path: Path) -> None:
    found = said(guard(tmp_path, "yes | head -c 40000000"), str(NODE), call())
    assert found["decision"] == "deny"


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_a_hook_has_its_variables_and_not_those_of_the_program(tmp_path: Path) -> None:
    lines = "env | grep -E '^(CLAUDE|BASH_ENV|PISCES_HOOK)' | cut -d= -f1 | sort | tr '\\n' ' ' >&2; exit 2"
    names = said(guard(tmp_path, lines), str(NODE), call())["reason"].split()
    assert {"CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PROJECT_DIR", "CLAUDE_SESSION_ID"} <= set(names)
    assert not {"BASH_ENV", "PISCES_HOOK"} & set(names)


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_options_for_other_programs_do_not_switch_off_a_guard(tmp_path: Path) -> None:
    (tmp_path / "evil.js").write_text("process.exit(0)", "utf-8")
    extension = guard(tmp_path, 'echo "$NODE_OPTIONS" >&2; exit 2')
    for options in (f"--require {tmp_path}/evil.js", "--no-such-option"):
        assert said(extension, str(NODE), call(), NODE_OPTIONS=options) == {"decision": "deny", "reason": options}


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize(
    ("condition", "path", "fires"),
    [
        ("Write(src/**)", "src/a/b.ts", True),
        ("Write(src/**)", "lib/a.ts", False),
        ("Write(*.env)", "deep/x.env", True),
        ("Write(.env)", "deep/.env", True),
        ("Write(./src/*.ts)", "src/a.ts", True),
        ("Write(src)", "src/a/b", True),
        ("Write(//etc/**)", "/etc/passwd", True),
        ("Write(//etc/**)", "etc/passwd", False),
        ("Write(src/../lib/**)", "lib/a", False),
        ("Write(src/**)", "lib/../src/a", True),
        ("Write(**/a/**/b/**/c/**/d/**/e)", "x/" * 300 + "y", True),
        ("Write(**/a/**/b/**/c)", "a/b/" * 1000, True),
        ("Edit(src/**)", "src/a", False),
        ("Write", "a", True),
        ("Write(*)", "a", True),
    ],
)
def test_a_condition_on_paths_holds_as_in_an_ignore_file_and_never_for_long(
    tmp_path: Path, condition: str, path: str, fires: bool
) -> None:
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2", "if": condition}]}]}
    given = {"cwd": str(tmp_path), "tool_name": "write_file", "tool_input": {"file_path": path, "content": ""}}
    found = said(converted(tmp_path, hooks), str(NODE), given)
    assert (found.get("decision") == "deny") is fires


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_a_turn_ends_where_its_blocks_cannot_be_counted(tmp_path: Path) -> None:
    extension = guard(tmp_path, "exit 2", "Stop")
    (tmp_path / ".gemini").write_text("no folder", "utf-8")
    found = said(extension, str(NODE), {"session_id": "s", "cwd": "/", "prompt_response": "r"})
    assert "decision" not in found
    assert "cannot be written" in found["systemMessage"]


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_a_hook_at_the_end_reads_a_transcript_in_the_form_that_it_knows(tmp_path: Path) -> None:
    extension = guard(
        tmp_path, "tr -d ' ' | sed 's/.*transcript_path\":\"\\([^\"]*\\).*/\\1/' | xargs cat >&2; exit 2", "Stop"
    )
    calls = [{"id": "c", "name": "read_file", "args": {"file_path": "a"}, "result": [{"text": "A"}]}]
    records = [
        {"sessionId": "s"},
        {"id": "1", "type": "user", "content": [{"text": "go"}]},
        {"id": "2", "type": "gemini", "content": ""},
        {"id": "2", "type": "gemini", "content": "look", "toolCalls": calls},
        {"$set": {"x": 1}},
        {"id": "3", "type": "info", "content": "no message"},
    ]
    source = tmp_path / "session.jsonl"
    source.write_text("".join(f"{json.dumps(each)}\n" for each in records) + "no json\n", "utf-8")
    given = {"session_id": "s", "cwd": "/", "prompt_response": "done", "transcript_path": str(source)}
    lines = [json.loads(line) for line in said(extension, str(NODE), given)["reason"].splitlines()]
    assert [(each["type"], each["message"]["content"]) for each in lines] == [
        ("user", "go"),
        (
            "assistant",
            [
                {"type": "text", "text": "look"},
                {"type": "tool_use", "id": "c", "name": "read_file", "input": {"file_path": "a"}},
            ],
        ),
        ("user", [{"type": "tool_result", "tool_use_id": "c", "content": "A"}]),
        ("assistant", [{"type": "text", "text": "done"}]),
    ]


def test_without_any_interpreter_a_guard_denies_and_another_hook_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    script = Path(__file__).parents[2] / "src/pisces/harnesses/gemini/writing/find_node.sh"
    # The places that are looked at are taken away, so that none is found on any machine.
    text = script.read_text("utf-8").replace("/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin", str(folder))
    (tmp_path / "find.sh").write_text(text.replace("npm_node_execpath", "nothing"), "utf-8")
    bash = shutil.which("bash") or "/bin/bash"
    for hook, expected in (("guard", "decision"), ("other", "systemMessage")):
        env = {"PATH": str(folder), "BASH_ENV": str(tmp_path / "find.sh"), "PISCES_HOOK": hook, "IS_BINARY": "true"}
        done = subprocess.run([bash, "-c", "node -e x"], capture_output=True, text=True, env=env, check=True)
        assert next(iter(json.loads(done.stdout))) == expected
