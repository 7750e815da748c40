"""Hooks of an extension of Gemini CLI keep their meaning in Claude Code: converted, and judged by the real program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conformance.fake_models import FakeModel, fake_model
from tests.converting.test_round_trip import converted, planted
from tests.peer_programs import CLAUDE

pytestmark = pytest.mark.skipif(
    CLAUDE is None or not shutil.which("node"), reason="needs node, and Claude Code: scripts/setup-peers"
)
# Reads which row is asked for, and does what that row says.
BY_ROW = '. "${extensionPath}/rows/$(sed -n \'s/.*touch row-\\([0-9]*\\)".*/\\1/p\')"'
DENY = '{"decision": "deny", "reason": "R"}'
REWRITE = '{"hookSpecificOutput": {"tool_input": {"command": "touch safe", "description": "d"}}}'
ROWS = {
    "echo no >&2; exit 2": False,
    "echo no >&2; exit 3": False,
    "no-such-program": False,
    f"printf '%s' '{DENY}'": False,
    "exit 2": False,
    "exit 1": True,
    "printf '%s' '{\"decision\": \"allow\"}'": True,
    f"printf '%s' '{REWRITE}'": False,
}


def talk(folder: Path, plugin: Path, model: FakeModel) -> None:
    env = {
        "HOME": str(folder / "home"),
        "PATH": os.environ["PATH"],
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ANTHROPIC_API_KEY": "sk-x",
        "ANTHROPIC_BASE_URL": model.address,
    }
    words = ["-p", "go", "--plugin-dir", str(plugin), "--allowedTools", "Bash", "Write", "--strict-mcp-config"]
    subprocess.run(
        [str(CLAUDE), *words],
        cwd=folder / "work",
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=True,
    )


def test_guards_hold_inputs_are_rewritten_and_contexts_arrive(tmp_path: Path) -> None:
    for name in ("home", "work"):
        (tmp_path / name).mkdir()
    by_path = 'grep -q "\\"file_path\\":\\"[^\\"]*secret" && exit 2; exit 0'
    context = 'printf \'%s\' \'{"hookSpecificOutput": {"additionalContext": "FROM GEMINI"}}\''
    hooks = {
        "BeforeTool": [
            {"matcher": "run_shell_command", "hooks": [{"type": "command", "command": BY_ROW}]},
            {"matcher": "write_file|replace", "hooks": [{"type": "command", "command": by_path}]},
        ],
        "BeforeAgent": [{"hooks": [{"type": "command", "command": context}]}],
    }
    tree = {
        "gemini-extension.json": b'{"name": "guard", "version": "1.0.0"}',
        "hooks/hooks.json": json.dumps({"hooks": hooks}).encode(),
        **{f"rows/{number}": f"{line}\n".encode() for number, line in enumerate(ROWS)},
    }
    plugin = tmp_path / "plugin"
    converted(planted(tmp_path / "source", tree), "claude", plugin, "gemini")
    work = tmp_path / "work"
    calls = [("Bash", {"command": f"touch row-{number}", "description": "d"}) for number in range(len(ROWS))]
    files = [("Write", {"file_path": str(work / name), "content": "x"}) for name in ("secret", "plain")]
    with fake_model(*calls, *files) as model:
        talk(tmp_path, plugin, model)
    made = {each.name for each in work.iterdir() if not each.name.startswith(".")}
    allowed = {f"row-{number}" for number, passes in enumerate(ROWS.values()) if passes}
    assert made == {*allowed, "safe", "plain"}
    assert "FROM GEMINI" in model.read
