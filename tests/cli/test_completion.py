"""Completion knows commands, options and the values of options, because it asks the commands themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.cli.completion import candidates


def test_commands_are_completed() -> None:
    assert candidates(["wh"]) == ["why"]
    assert "extensions" in candidates([""])
    assert candidates(["extensions", "li"]) == ["link", "list"]


def test_options_are_completed() -> None:
    assert candidates(["check", "--out"]) == ["--output-format"]


def test_values_of_options_are_completed() -> None:
    assert candidates(["check", "--output-format", "s"]) == ["sarif"]


def test_nothing_is_made_up() -> None:
    assert candidates(["nonsense", ""]) == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_itself_completes(tmp_path: Path) -> None:
    program = tmp_path / "pisces"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pisces "$@"\n')
    program.chmod(0o755)
    ask = (
        'eval "$(pisces completion bash)"; COMP_WORDS=(pisces extensions unin); COMP_CWORD=2; _pisces; '
        'echo "${COMPREPLY[@]}"'
    )
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", ask], env=env, capture_output=True, text=True, timeout=30)
    assert done.stdout == "uninstall\n", done.stderr
