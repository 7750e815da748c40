"""The recorded cases are still what the real programs do: a sample here, all of them in `scripts/soak`.

The scripts that run the programs, on model APIs of our own on loopback, are not part of this repository: PISCES_ORACLE
names their folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.test_hook_cases import FILE, ROWS
from tests.peer_programs import CLAUDE, CODEX, GEMINI

ORACLE = Path(os.environ.get("PISCES_ORACLE", Path(__file__).resolve().parents[3] / "shared" / "oracle"))
EVERY = 1 if os.environ.get("PISCES_SOAK") else 45
_GEMINI = GEMINI if GEMINI.is_dir() else None
# For each kind of case, the variable that names the program, and the program if it is here.
PROGRAMS = {
    "claude": ("CLAUDE", CLAUDE),
    "codex": ("CODEX", CODEX),
    "gemini": ("GEMINI_PKG", _GEMINI),
    "codex-execpolicy": ("CODEX", CODEX),
    "gemini-policy": ("GEMINI_PKG", _GEMINI),
}
SAME = re.compile(r"^(\d+) of (\d+) the same", re.MULTILINE)


@pytest.mark.parametrize("dialect", PROGRAMS)
def test_recorded_verdicts_are_those_of_the_program(dialect: str) -> None:
    replay = ORACLE / "replay-cases.py"
    if not ROWS or not replay.exists():
        pytest.skip("needs hook-cases.jsonl in PISCES_CORPUS and replay-cases.py in PISCES_ORACLE")
    variable, program = PROGRAMS[dialect]
    if program is None:
        pytest.skip(f"needs the program that {variable} names: scripts/test --peers installs it")
    env = {**os.environ, variable: str(program)}
    command = [sys.executable, str(replay), str(FILE), "--dialect", dialect, "--every", str(EVERY)]
    done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False, timeout=3000)
    found = SAME.search(done.stdout)
    assert found, done.stderr
    same, all_of_them = map(int, found.groups())
    assert all_of_them > 0
    assert same >= all_of_them - all_of_them // 50, done.stdout
