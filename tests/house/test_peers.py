"""Which programs `scripts/test` installs to compare with: light ones always, those of more than 100 MB on demand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the scripts need a POSIX shell")

LIGHT = ["js-yaml", "@google/gemini-cli"]
HEAVY = ["bun", "@mariozechner/pi-coding-agent", "@modelcontextprotocol/server-everything", "@anthropic-ai/claude-code"]
HEAVY += ["opencode-ai", "@openai/codex", "@oh-my-pi/pi-coding-agent"]

# In place of npm: the last arguments become folders, as an installation would make them.
NPM = """#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) shift; folder="$1/node_modules" ;;
    *broken*) exit 1 ;;
    *@[0-9]*) mkdir -p "$folder/${1%@*}"; echo '{}' >"$folder/${1%@*}/package.json" ;;
  esac
  shift
done
"""

# In place of python3: an environment whose own python installs whatever it is asked for.
PYTHON = """#!/usr/bin/env bash
mkdir -p "${@: -1}/bin"
printf '#!/usr/bin/env bash\\nexit 0\\n' >"${@: -1}/bin/python"
chmod +x "${@: -1}/bin/python"
"""


def sourced(root: Path, folder: Path, script: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs a script after setup-peers, which installs into `folder`/.peers by a stand-in for npm."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in (("npm", NPM), ("python3", PYTHON)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (folder / "tests" / "modules").mkdir(parents=True, exist_ok=True)
    (folder / "tests" / "modules" / "real_packages.txt").write_text("")
    said = f'set -euo pipefail; repo="{folder}"; say() {{ printf "%s\\n" "$*"; }}; '
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", said + script.replace("SETUP", f'source "{root}/scripts/setup-peers"')],
        env={"PATH": path, **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def installed(folder: Path) -> list[str]:
    modules = folder / ".peers" / "node_modules"
    return [name for name in LIGHT + HEAVY if (modules / name / "package.json").is_file()]


def test_a_newcomer_gets_the_light_ones_and_is_told_what_was_not_compared(root: Path, tmp_path: Path) -> None:
    ran = sourced(root, tmp_path, "SETUP; say_what_was_not_compared")
    assert installed(tmp_path) == LIGHT
    assert f"not compared with, because they are not installed: {', '.join(HEAVY)}\n" in ran.stdout
    assert "./scripts/test --peers" in ran.stdout


@pytest.mark.parametrize(("before", "env"), [("peers=all; ", {}), ("", {"CI": "true"})])
def test_on_demand_and_in_continuous_integration_all_are_there(
    root: Path, tmp_path: Path, before: str, env: dict[str, str]
) -> None:
    ran = sourced(root, tmp_path, before + "SETUP; say_what_was_not_compared", **env)
    assert installed(tmp_path) == LIGHT + HEAVY
    assert (tmp_path / ".peers" / "servers" / ".installed").is_file()
    assert "not compared" not in ran.stdout


def test_one_that_cannot_be_installed_blocks_no_other(root: Path, tmp_path: Path) -> None:
    text = (root / "scripts" / "setup-peers").read_text("utf-8")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "setup-peers").write_text(text.replace("opencode-ai@", "opencode-ai-broken@"))
    ran = sourced(tmp_path, tmp_path, "peers=all; SETUP; say_what_was_not_compared")
    assert installed(tmp_path) == [name for name in LIGHT + HEAVY if name != "opencode-ai"]
    assert "opencode-ai-broken@1.18.33 could not be installed" in ran.stdout


def test_a_folder_that_the_user_names_is_left_alone(root: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    ran = sourced(root, tmp_path, "peers=all; SETUP; say_what_was_not_compared", PISCES_PEERS=str(theirs))
    assert list(theirs.iterdir()) == []
    assert "not compared with" in ran.stdout


def test_frameworks_are_not_installed_into_a_folder_that_the_user_names(root: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    script = f'SETUP; python="{sys.executable}"; source "{root}/scripts/setup-frameworks"; echo sourced'
    ran = sourced(root, tmp_path, script, PISCES_PEERS=str(theirs), CI="true")
    assert ran.stdout.endswith("sourced\n")
    assert list(theirs.iterdir()) == []


def test_a_framework_that_cannot_be_installed_is_reported_and_blocks_nothing(root: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project.optional-dependencies]\nbroken = ["no-such-thing-anywhere>=99"]\nmcp = []\n'
    )
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ "$2" = venv ] && exit 1\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    script = f'SETUP; python="{python}"; source "{root}/scripts/setup-frameworks"; install_frameworks broken; echo done'
    ran = sourced(root, tmp_path, script)
    assert "the framework broken could not be installed, the tests of its adapter are skipped" in ran.stdout
    assert ran.stdout.endswith("done\n")
