"""The guide to MCP servers shows what pisces prints, in a workspace that it describes itself.

Its blocks are `console cwd=.`, because plain ones are run in the bundled workspace. `PISCES_UPDATE_CASES=1` writes what
is printed today into it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_cases import UPDATE, Workspace, _normal, _rewrite, cases_in, steps_in

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "mcp.md"


@pytest.mark.skipif(sys.platform == "win32", reason="the server of the guide is started as `python3`")
def test_the_guide_shows_what_is_printed(tmp_path: Path) -> None:
    (case,) = cases_in(GUIDE)
    workspace = Workspace(tmp_path)
    shown: dict[str, tuple[list[str], list[str]]] = {}
    rewritten: dict[int, list[str]] = {}
    for block in case.blocks:
        if block.kind == "file":
            workspace.write(block)
        elif block.kind == "console":
            if any("mcp review" in step.command for step in steps_in(block)):
                _change_description(workspace)
            rewritten[block.line] = []
            for step in steps_in(block):
                printed = workspace.printed(step.command, block.options["cwd"])
                rewritten[block.line] += [f"$ {step.command}", *printed]
                shown[step.command] = (_normal(step.expected), printed)
    if UPDATE:
        _rewrite(GUIDE, case.blocks, rewritten)
    else:
        assert {command: expected for command, (expected, _) in shown.items()} == {
            command: printed for command, (_, printed) in shown.items()
        }


@pytest.mark.skipif(sys.platform == "win32", reason="the server of the guide is started as `python3`")
def test_the_program_of_the_guide_runs(tmp_path: Path) -> None:
    (case,) = cases_in(GUIDE)
    workspace = Workspace(tmp_path)
    for block in case.blocks:
        if block.kind == "file":
            workspace.write(block)
    (program,) = ["\n".join(block.content) for block in case.blocks if block.kind == "python"]
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=workspace.cwd, env=workspace._env([]), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "'notes': 'idle'" in done.stdout


def _change_description(workspace: Workspace) -> None:
    """What the guide says that somebody does; the server is used once more after it."""
    path = workspace.home / "notes.py"
    path.write_text(path.read_text("utf-8").replace("for a word.", "for a word. Old notes too."), "utf-8")
    workspace.printed("pisces mcp call notes", "")
