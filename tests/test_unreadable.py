"""A folder or file without permission is reported where it matters, never passed over in silence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.test_hostile_values import plant

POWERS = "-dac_override,-dac_read_search"  # by which the superuser reads everything
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="permissions are those of POSIX"),
    pytest.mark.skipif(IS_ROOT and not shutil.which("setpriv"), reason="the superuser reads all, without setpriv"),
]
SKILL = "---\nname: s\ndescription: d\n---\nbody\n"
FILES = {
    ".gemini/settings.json": "{}",
    ".gemini/commands/c.toml": 'prompt = "x"',
    ".gemini/commands/sub/d.toml": 'prompt = "x"',
    ".gemini/skills/s/SKILL.md": SKILL,
    ".gemini/agents/a.md": SKILL,
    ".gemini/policies/p.toml": '[[rule]]\ntoolName = "x"\ndecision = "deny"\npriority = 1\n',
    ".gemini/extensions/a/gemini-extension.json": '{"name": "a", "version": "1.0.0"}',
    ".gemini/extensions/a/commands/e.toml": 'prompt = "x"',
    ".gemini/extensions/a/hooks/hooks.json": '{"hooks": {}}',
    ".claude/skills/x/SKILL.md": SKILL,
    ".claude/commands/h.md": "hi",
    ".claude/settings.json": "{}",
    ".codex/config.toml": 'model = "x"',
    ".gemini/GEMINI.md": "rule",
    ".claude/CLAUDE.md": "rule",
}
PATHS = sorted({*FILES, *(str(parent) for name in FILES for parent in Path(name).parents if str(parent) != ".")})


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    plant(tmp_path, FILES)
    yield tmp_path
    for name in PATHS:  # parents first, so that pytest can delete them
        (tmp_path / name).chmod(0o700)


def asked(home: Path, *words: str, cwd: str = "") -> tuple[int, Any]:
    env = {**os.environ, "HOME": str(home), "NO_COLOR": "1"}
    weak = ["setpriv", f"--bounding-set={POWERS}", f"--inh-caps={POWERS}"] if IS_ROOT else []
    command = [*weak, sys.executable, "-m", "pisces", *words, "--output-format", "json"]
    done = subprocess.run(command, cwd=home / cwd, env=env, capture_output=True, text=True, timeout=90)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("name", PATHS)
def test_what_cannot_be_read_is_said(name: str, home: Path) -> None:
    (home / name).chmod(0)
    for words in (["doctor"], ["list"], ["check", str(home)]):
        status, answer = asked(home, *words)
        paths = [each["path"] for each in answer["diagnostics"] if "cannot be read" in each["message"]]
        assert [path for path in paths if path.startswith(str(home / name))], (words, answer["diagnostics"])
        assert status == (words[0] != "list")


def test_a_check_of_an_unreadable_folder_says_so(home: Path) -> None:
    (home / ".gemini").chmod(0)
    _, answer = asked(home, "check", str(home / ".gemini"))
    assert [each["code"] for each in answer["diagnostics"]] == ["folder-unreadable"]


def test_an_unreadable_folder_takes_nobody_else_down(home: Path) -> None:
    (home / ".gemini").chmod(0)
    _, answer = asked(home, "list")
    assert {"x", "h"} <= {item.get("name") for item in answer["items"]}


def test_rules_of_a_project_that_cannot_be_read_are_reported(home: Path) -> None:
    plant(home / "project", {".git/HEAD": "", ".cursor/rules/r.mdc": "rule", "AGENTS.md": "rule"})
    for name in (".cursor/rules", "AGENTS.md"):
        (home / "project" / name).chmod(0)
    _, answer = asked(home, "doctor", cwd="project")
    (home / "project/.cursor/rules").chmod(0o700)
    assert {each["code"] for each in answer["diagnostics"]} == {"folder-unreadable", "context-unreadable"}
