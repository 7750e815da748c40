"""The agent of examples/agent tells its story: a hook denies, a policy asks, a skill, a rewrite, a program, the log."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "agent"
MOST_LINES = 40
HOOK = 'python3 "${CLAUDE_PLUGIN_ROOT}/guard.py"'
STORY = """\
High water in Hamburg at 06:12 and 18:40
Bash failed: PreToolUse:Bash hook error: [python3 "AGENT/guard/guard.py"]: `rm -rf /` removes a folder
approved: Bash {"command": "git push origin main"}, which AGENT/harbour/policies/harbour.toml:1 ask_user \
toolName=run_shell_command commandPrefix=git push (package harbour) wants to be asked about
Bash answered: (ran git push origin main)
Bash failed: PreToolUse:Bash hook error: [python3 "AGENT/guard/guard.py"]: `rm -rf build` removes a folder
activate_skill answered: <activated_skill name="knots">
Your work is pushed, and the boat is tied with a bowline.
"""
LOG = """\
judged /tides Hamburg AGENT/harbour/bin/tides Hamburg allow user
judged Bash {"command": "rm -rf /"} deny PreToolUse hook in AGENT/guard/hooks/hooks.json:6
judged Bash {"command": "git push origin main"} allow user
judged Bash {"command": "rm -rf build"} deny PreToolUse hook in AGENT/guard/hooks/hooks.json:6
judged activate_skill {"name": "knots"} allow approval mode ask
"""


def test_the_agent_tells_its_story(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, str(FOLDER / "agent.py")],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    story, _, log = done.stdout.replace(str(FOLDER), "AGENT").partition("log: ")
    assert story == STORY
    lines = [line.removeprefix("log: ") for line in log.splitlines()]
    assert [line for line in lines if line.startswith("judged")] == LOG.splitlines()
    assert "loaded shortcuts" in lines
    assert "loaded PreToolUse" in lines
    assert [line for line in lines if line.startswith("hook")] == [
        f"hook {HOOK} deny",
        f"hook {HOOK}",
        f"hook {HOOK} deny",
    ]
    assert [line for line in lines if line.startswith("ran")] == [
        "ran /tides AGENT/harbour/bin/tides Hamburg",
        "ran Bash",
        "ran activate_skill",
    ]


def test_the_agent_has_forty_lines() -> None:
    text = (FOLDER / "agent.py").read_text("utf-8")
    about = ast.parse(text).body[0]
    code = [line for line in text.splitlines()[about.end_lineno or 0 :] if line.strip()]
    assert len(code) <= MOST_LINES
