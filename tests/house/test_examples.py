"""Examples run: the demo's commands, and every `console` block of README and docs, in the bundled workspace.

`PISCES_UPDATE_CASES=1 scripts/test tests/house/test_examples.py` writes what is printed today into the pages.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    page for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]) if "```console\n" in page.read_text()
]
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```python\n# (\w+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.findall(r"^show (.+)$", (ROOT / "scripts" / "demo").read_text("utf-8"), re.MULTILINE)
MOVERS = re.compile(r"PI_CODING_AGENT_DIR|CLAUDE_|CODEX_|GEMINI_|COPILOT_|XDG_|FORCE_COLOR")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which the project is a repository, as the demo makes it."""
    copy = tmp_path_factory.mktemp("demo") / "workspace"
    shutil.copytree(ROOT / "examples" / "workspace", copy)
    for name in ("gallery", "modules"):
        shutil.copytree(ROOT / "examples" / name, copy / "home" / name)
    (copy / "project" / ".git").mkdir()
    return copy


def _pisces(workspace: Path, arguments: list[str]) -> tuple[int, str, str]:
    home = str(workspace / "home")
    env = {name: value for name, value in os.environ.items() if not MOVERS.match(name)}
    env |= {"HOME": home, "USERPROFILE": home, "NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "pisces", *arguments]
    folder = workspace / "project"
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("line", SHOWN)
def test_the_demo_has_something_to_show(line: str, workspace: Path) -> None:
    status, out, err = _pisces(workspace, shlex.split(line))
    assert status == 0 or line.startswith("check "), err
    assert "Traceback" not in err
    assert out or err


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_console_blocks_print_what_they_say(page: Path, workspace: Path) -> None:
    """Files that the page itself shows lie in the project."""
    text = page.read_text("utf-8")
    for name, code in FILE.findall(text):
        (workspace / "project" / name).write_text(code, "utf-8")
    fresh = BLOCK.sub(lambda block: _printed(workspace, block[0]), text)
    if os.environ.get("PISCES_UPDATE_CASES"):
        page.write_text(fresh, "utf-8")
    else:
        assert text == fresh


def _printed(workspace: Path, block: str) -> str:
    """The block with its `$ pisces` lines run again; other commands stay as they are, with what follows them."""
    parts = re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
    return "".join(_run_again(workspace, part) if part.startswith("$ pisces ") else part for part in parts)


def _run_again(workspace: Path, part: str) -> str:
    line = part.splitlines()[0]
    _, out, err = _pisces(workspace, shlex.split(line.removeprefix("$ pisces ")))
    return "\n".join([line, *(each.rstrip() for each in (out + err).splitlines())]) + "\n"
