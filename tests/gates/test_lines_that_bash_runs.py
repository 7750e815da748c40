"""Lines made of scraps, run by real bash: what it starts was found, and nothing else was allowed.

`rm` is a program of the test that leaves a mark. Nothing else in its PATH does anything.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.gates.shell import shell_line
from tests.gates.claude_scene import ClaudeScene

BASH = shutil.which("bash") or ""
_LINES = 500
_ALLOWED_LINES = 6000
_SCRAPS = (
    *("npm run ", "npm run a ", "ls ", "rm ", "rm x", "rm", "\\rm ", "r''m "),
    *(";", "&&", "||", "|", "\n", " ", " ", "(", ")", "{ ", "; }", "$(", ")", "`", "`", "<("),
    *("'", "'", '"', '"', "\\", "\\\n", "#", " #", "!", "! ", "~", "*", "{rm,x}", "=", "$'", '$"'),
    *("<<E\n", "<<'E'\n", "\nE\n", "<<<", "< /dev/null", "> /dev/null", "2>&1", "<&-"),
    *("A=rm ", "A=1 ", "$A", "${A}", "${A:-rm}", "$EMPTY ", "LANG=C ", "rm${IFS}x"),
    *("eval ", "env ", "timeout 1 ", "sh -c ", "bash -c ", "nice ", "command ", "exec ", "time ", "-c ", "xargs "),
    *("[[ ", "]] ", "((", "))", "$((", "if ", "then ", "fi", "for v in ", "do ", "done", "case x in ", "x) ", "esac"),
)


class Scraps:
    def __init__(self, folder: Path) -> None:
        self.mark = folder / "mark"
        self.programs = folder / "bin"
        self.scene = ClaudeScene(folder, {"permissions": {"allow": ["Bash(npm run:*)", "Bash(env:*)", "Bash(sh:*)"]}})
        self.programs.mkdir()
        for name in ("rm", "ls", "npm"):
            program = self.programs / name
            program.write_text(f"#!/bin/sh\n{f': > {self.mark}' if name == 'rm' else ':'}\n", "utf-8")
            program.chmod(0o755)
        for name in ("env", "timeout", "nice", "sh", "bash", "xargs"):
            os.symlink(shutil.which(name) or "/bin/false", self.programs / name)

    def runs_rm(self, line: str) -> bool:
        self.mark.unlink(missing_ok=True)
        command = [BASH, "--norc", "--noprofile", "-c", line]
        env = {"PATH": str(self.programs), "HOME": str(self.scene.home)}
        try:
            subprocess.run(
                command, cwd=self.scene.work, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=20
            )
        except subprocess.TimeoutExpired:
            return False
        return self.mark.exists()


def lines(seed: int, count: int) -> list[str]:
    made = random.Random(seed)
    texts = ("".join(made.choice(_SCRAPS) for _ in range(made.randrange(2, 10))) for _ in range(count))
    return [text for text in texts if "rm" in text]


@pytest.mark.skipif(not BASH or os.name == "nt", reason="needs bash")
def test_every_program_that_bash_starts_was_found(tmp_path: Path) -> None:
    scraps = Scraps(tmp_path)
    missed = []
    for line in lines(1, _LINES):
        read = shell_line(line)
        words = [words for each in read.commands for words in (each.words, *each.readings)]
        is_found = any((each[0] or "").endswith("rm") for each in words if each)
        if not is_found and read.is_plain and scraps.runs_rm(line):
            missed.append(line)
    assert not missed


@pytest.mark.skipif(not BASH or os.name == "nt", reason="needs bash")
def test_no_line_that_a_rule_allows_starts_another_program(tmp_path: Path) -> None:
    scraps = Scraps(tmp_path)
    allowed = [line for line in lines(2, _ALLOWED_LINES) if scraps.scene.line(line) == "allow"]
    assert len(allowed) > 20, "too few to mean anything"
    assert not [line for line in allowed if scraps.runs_rm(line)]
