"""`pisces -p` where somebody looks: the answer as it comes, and a line about what runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.agent_world import AgentWorld, answer
from tests.models.recorder import Recorder

if sys.platform == "win32":
    pytest.skip("pseudo-terminals of POSIX", allow_module_level=True)

import pty


def _shown(world: AgentWorld, *words: str) -> tuple[int, str]:
    """The exit code, and all that a terminal got."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pisces", "-p", *words]
    with subprocess.Popen(
        command, env={**world.env, "TERM": "xterm"}, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    ) as run:
        os.close(theirs)
        got = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux: nobody has the other end any more
                break
            if not piece:
                break
            got += piece
    os.close(ours)
    return run.returncode, got.decode().replace("\r\n", "\n")


def test_everything_that_the_model_says_is_shown_once_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Recorder() as model:
        world = AgentWorld(tmp_path, monkeypatch, model)
        world.write("a.txt", "hello\n")
        model.bodies = [
            answer("I look.", ("read", {"path": "a.txt"})),
            answer("It says \x1b]0;title\x07hello.\n\x1b[31mRed", "\x1b["),
        ]
        status, shown = _shown(world, "what is in a.txt?")
    assert status == 0
    assert shown.count("I look.\n") == 1
    assert shown.count("It says hello.\nRed\n") == 1
    assert "read a.txt" in shown
    assert shown.index("I look.") < shown.index("read a.txt") < shown.index("It says")
    assert "title" not in shown
    assert "\x1b[31m" not in shown
    assert shown.endswith(("Red\n", "\r\x1b[2K"))
