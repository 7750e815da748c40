"""Guards of a plugin in Copilot: the program behind them, run as documented. Never run in Copilot itself."""

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
BY_PATH = 'grep -q "\\"file_path\\":\\"[^\\"]*secret" && { echo "not that file" >&2; exit 2; }; exit 0'
PATCH = "*** Begin Patch\\n*** Update File: secret\\n@@\\n-a\\n+b\\n*** End Patch"


def said(folder: Path, hook: dict[str, Any] | str, tool: str, given: Any, matcher: str = "*") -> Any:
    """The answer; a denial where the program ends with 2, as documented."""
    fields = {"type": "command", **({"command": hook} if isinstance(hook, str) else hook)}
    hooks = {"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [fields]}]}}
    tree = {
        ".claude-plugin/plugin.json": b'{"name": "guard", "version": "1.0.0"}',
        "hooks/hooks.json": json.dumps(hooks).encode(),
    }
    out = folder / "out"
    converted(planted(folder / "source", tree), "copilot", out)
    line = json.loads((out / "hooks.json").read_text("utf-8"))["hooks"]["PreToolUse"][0]["hooks"][0]["bash"]
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(folder), "tool_name": tool}
    done = subprocess.run(
        ["bash", "-c", line],
        input=json.dumps({**payload, "tool_input": given}),
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "CLAUDE_PLUGIN_ROOT": str(out)},
        timeout=120,
        check=False,
    )
    if done.returncode:
        return {"permissionDecision": "deny" if done.returncode == 2 else "error", "why": done.stderr}
    return json.loads(done.stdout) if done.stdout else {}


@pytest.mark.parametrize("name", PROTOCOL)
def test_every_row_of_the_protocol_ends_as_in_claude_code(name: str, tmp_path: Path) -> None:
    hook, wanted, part = PROTOCOL[name]
    found = said(tmp_path, hook, "Bash", {"command": "echo hi"}, "Bash")
    assert found.get("permissionDecision", "allow") == wanted
    assert part in found.get("permissionDecisionReason", "")
    assert found.get("hookSpecificOutput", {}).get("permissionDecision", "allow") == wanted


@pytest.mark.parametrize(
    ("tool", "given", "denied"),
    [
        ("Write", {"path": "secret", "file_text": "x"}, True),
        ("create", {"path": "/a/secret", "file_text": "x"}, True),
        ("Edit", {"path": "secret", "old_str": "a", "new_str": "b"}, True),
        ("str_replace_editor", {"command": "create", "path": "secret", "file_text": "x"}, True),
        ("Edit", PATCH.replace("\\n", "\n"), True),
        ("apply_patch", {"input": PATCH.replace("\\n", "\n")}, True),
        ("Edit", {"nowhere": "x"}, True),
        ("Edit", {"path": "plain", "old_str": "a", "new_str": "secret"}, False),
        ("Read", {"path": "secret"}, False),
    ],
)
def test_a_guard_about_files_sees_the_path(tool: str, given: Any, denied: bool, tmp_path: Path) -> None:
    found = said(tmp_path, BY_PATH, tool, given, "Edit|Write")
    assert (found.get("permissionDecision") == "deny") == denied


def test_a_changed_input_has_the_names_of_copilot(tmp_path: Path) -> None:
    changed = answer(**inner(permissionDecision="allow", updatedInput={"file_path": "b", "content": "safe"}))
    found = said(tmp_path, changed, "Write", {"path": "a", "file_text": "x"}, "Write")
    assert found["modifiedArgs"] == {"path": "b", "file_text": "safe"}


@pytest.mark.parametrize("matcher", ["mcp__github__.*", "mcp__github__push", "mcp__(github|x)__push"])
def test_a_guard_about_a_server_holds(matcher: str, tmp_path: Path) -> None:
    assert said(tmp_path, "exit 2", "github-push", {}, matcher)["permissionDecision"] == "deny"


def test_a_guard_of_prompts_is_an_error(tmp_path: Path) -> None:
    hooks = {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "guard"}]}]}}
    tree = {".claude-plugin/plugin.json": '{"name": "g", "version": "1.0.0"}', "hooks/hooks.json": json.dumps(hooks)}
    made = convert(ConvertRequest(str(put(tmp_path / "plugin", tree)), "copilot"), places_of(tmp_path))
    assert "lost-guard" in [each.code for each in made.fates]
