"""`pisces hooks test` fires an event for real: the verdict, by whom, and what each hook got and said."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.warm_shell import pisces

GUARD = "grep -q 'rm ' && { echo 'no removing' >&2; exit 2; }; exit 0"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    hooks = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": GUARD}]}]}
    (tmp_path / "home" / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}), "utf-8")
    return tmp_path


def _run(world: Path, *words: str, command: str = "test", **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(world / "home"), "USERPROFILE": str(world / "home"), "COLUMNS": "0", **more}
    return pisces("hooks", command, *words, cwd=world / "work", env=env)


def _call(command: str, tool: str = "Bash") -> str:
    return f"tool_call={json.dumps({'tool': tool, 'input': {'command': command}})}"


def _fired(world: Path, *words: str) -> dict[str, Any]:
    done = _run(world, "--output-format", "json", *words)
    (event,) = json.loads(done.stdout)["events"]
    return {**event, "exit_code": done.returncode}


def test_a_blocked_call_names_who_and_why_and_exits_with_1(world: Path) -> None:
    event = _fired(world, _call("rm -rf build"))
    assert (event["decision"], event["exit_code"]) == ("deny", 1)
    assert "settings.json:1" in event["who"]
    assert "no removing" in event["why"]


def test_each_hook_is_shown_with_what_it_got_and_said(world: Path) -> None:
    (hook,) = _fired(world, _call("rm x"))["hooks"]
    assert hook["stdin"]["tool_input"] == {"command": "rm x"}
    assert (hook["exit"], hook["stderr"], hook["decision"]) == (2, "no removing\n", "deny")
    assert (hook["event"], hook["line"]) == ("PreToolUse", 1)


def test_a_tool_of_another_program_is_understood(world: Path) -> None:
    assert _fired(world, _call("rm x", "run_shell_command"))["decision"] == "deny"


def test_what_would_be_asked_is_no_block(world: Path) -> None:
    event = _fired(world, _call("touch made"))
    assert (event["decision"], event["exit_code"], event["who"]) == ("ask", 0, "approval mode ask")


def test_nothing_runs_but_the_hooks(world: Path) -> None:
    _run(world, "--mode", "all", _call("touch made"))
    assert list((world / "work").iterdir()) == []


def test_people_read_the_verdict_first(world: Path) -> None:
    lines = _run(world, _call("rm x")).stdout.splitlines()
    assert lines[0].startswith("tool_call: blocked by PreToolUse hook in ~/.claude/settings.json:1: ")
    assert any(line.strip().startswith("got") for line in lines)


@pytest.mark.parametrize("name", ["PreToolUse", "BeforeTool"])
def test_an_event_may_have_the_name_that_hooks_have_for_it(name: str, world: Path) -> None:
    """Somebody who writes a hook knows `PreToolUse` and its fields, not ours."""
    event = _fired(world, f"{name}={json.dumps({'tool_name': 'Bash', 'tool_input': {'command': 'rm x'}})}")
    assert (event["decision"], event["exit_code"]) == ("deny", 1)
    wrong = _run(world, f'{name}={{"tool": "Bash"}}')
    assert wrong.returncode == 1
    assert "needs the field 'tool_name'" in wrong.stderr


def test_a_recorded_call_needs_no_id(world: Path) -> None:
    line = {"event": "tool_call", "tool": "Bash", "input": {"command": "rm x"}}
    (world / "work" / "events.jsonl").write_text(json.dumps(line), "utf-8")
    done = _run(world, "events.jsonl", command="replay")
    assert (done.returncode, "no removing" in done.stdout) == (1, True), done.stderr


def test_a_line_that_is_no_event_costs_that_line_only(world: Path) -> None:
    line = {"event": "tool_call", "tool": "Bash", "input": {"command": "ls"}}
    (world / "work" / "events.jsonl").write_text("\n".join(["{", json.dumps(line), "[]", '{"event": "x"}']), "utf-8")
    done = _run(world, "events.jsonl", command="replay")
    assert (done.returncode, done.stdout.startswith("2: tool_call Bash")) == (1, True), done.stderr
    assert done.stderr.count("error [recorded-event]") == 3
    assert [f"events.jsonl:{number}:1" in done.stderr for number in (1, 3, 4)] == [True, True, True]


def test_a_hook_that_waits_for_trust_is_not_told_to_fail_open(world: Path) -> None:
    (world / "work" / "guard.sh").write_text("exit 0\n", "utf-8")
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "sh ./guard.sh"}]}]}
    (world / "home" / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}), "utf-8")
    done = _run(world, _call("ls"))
    assert "`pisces trust` shows them and asks" in done.stderr
    assert "onFailure" not in done.stderr


def test_in_safe_mode_the_list_says_that_no_hook_would_fire(world: Path) -> None:
    assert "1 hook would fire" in _run(world, command="list").stderr
    safe = _run(world, command="list", PISCES_SAFE="1").stderr
    assert "no hook would fire" in safe
    assert "safe-mode-on" in safe
