"""The program behind converted hooks, run as Codex would run it: what a hook is asked, and what is answered."""

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
RECORD = 'cat > "$CLAUDE_PROJECT_DIR/asked-$$"'
TWO_FILES = """*** Begin Patch
*** Add File: a.txt
+one
+two
*** Update File: b.txt
@@ somewhere
 kept
-old
+new
@@
-more
+less
*** End Patch"""


class Program:
    def __init__(self, folder: Path, hook: dict[str, Any], matcher: str = "*", event: str = "PreToolUse") -> None:
        hooks = {"hooks": {event: [{"matcher": matcher, "hooks": [{"type": "command", **hook}]}]}}
        tree = {
            ".claude-plugin/plugin.json": b'{"name": "guard", "version": "1.0.0"}',
            "hooks/hooks.json": json.dumps(hooks).encode(),
            ".mcp.json": b'{"mcpServers": {"docs": {"command": "x"}}}',
        }
        self.out, self.work, self._event = folder / "out", folder / "work", event
        self.work.mkdir(parents=True)
        converted(planted(folder / "source", tree), "codex", self.out)

    def run(self, tool: str, given: dict[str, Any]) -> Any:
        payload = {"session_id": "s", "cwd": str(self.work), "hook_event_name": self._event}
        made = json.loads((self.out / "hooks/hooks.json").read_text("utf-8"))
        line = made["hooks"][self._event][0]["hooks"][0]["command"].replace("${PLUGIN_ROOT}", str(self.out))
        done = subprocess.run(
            ["sh", "-c", line],
            input=json.dumps({**payload, "tool_name": tool, "tool_input": given}),
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.work), "PLUGIN_DATA": str(self.work / "data")},
            timeout=120,
            check=False,
        )
        if done.returncode:
            return done.returncode, done.stderr
        return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else None

    @property
    def asked(self) -> list[tuple[str, Any]]:
        calls = [json.loads(each.read_text("utf-8")) for each in self.work.glob("asked-*")]
        return sorted((each["tool_name"], each["tool_input"]) for each in calls)


def test_a_hook_is_asked_about_each_file_of_a_patch(tmp_path: Path) -> None:
    program = Program(tmp_path, {"command": RECORD}, "Edit|Write")
    assert program.run("apply_patch", {"command": TWO_FILES}) is None
    edit = {"old_string": "kept\nold\nmore", "new_string": "kept\nnew\nless", "replace_all": False}
    assert program.asked == [
        ("Edit", {"file_path": str(program.work / "b.txt"), **edit}),
        ("Write", {"file_path": str(program.work / "a.txt"), "content": "one\ntwo\n"}),
    ]


@pytest.mark.parametrize(
    ("condition", "line", "fires"),
    [("Bash(echo *)", "echo hi", True), ("Bash(git *)", "echo hi", False), ("Bash(git *)", "ls && git push", True)],
)
def test_a_condition_decides_whether_a_hook_runs(condition: str, line: str, fires: bool, tmp_path: Path) -> None:
    program = Program(tmp_path, {"command": "exit 2", "if": condition}, "Bash")
    assert (program.run("Bash", {"command": line}) is not None) == fires


@pytest.mark.parametrize("matcher", ["mcp__plugin_guard_docs__go", "mcp__docs__go", "mcp__.*__go", "mcp__docs__.*"])
def test_a_tool_of_a_server_has_the_names_of_claude_code(matcher: str, tmp_path: Path) -> None:
    program = Program(tmp_path, {"command": "exit 2"}, matcher)
    assert program.run("mcp__docs__go", {})["permissionDecision"] == "deny"
    assert program.run("mcp__other__stay", {}) is None


def test_a_patch_in_a_command_line_is_seen_where_it_is_applied(tmp_path: Path) -> None:
    program = Program(tmp_path, {"command": RECORD}, "Write")
    text = "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\nEOF\n"
    program.run("Bash", {"command": text})
    assert program.asked == [("Write", {"file_path": str(program.work / "sub/a.txt"), "content": "x\n"})]


def test_what_a_patch_cannot_say_is_denied(tmp_path: Path) -> None:
    answer = {"hookEventName": "PreToolUse", "updatedInput": {"content": "x"}}
    line = f"printf '%s' '{json.dumps({'hookSpecificOutput': answer})}'"
    program = Program(tmp_path, {"command": line}, "Write")
    code, why = program.run("apply_patch", {"command": TWO_FILES})
    assert code == 2
    assert "one of several things" in why


@pytest.mark.parametrize("text", ["", "*** Begin Patch\n*** End Patch", "nothing"])
def test_a_patch_without_a_file_is_denied(text: str, tmp_path: Path) -> None:
    code, why = Program(tmp_path, {"command": "exit 0"}, "Write").run("apply_patch", {"command": text})
    assert code == 2
    assert "names no file" in why
