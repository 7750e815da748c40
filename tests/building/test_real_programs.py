"""The programs themselves take what is built: folder, archive and branch."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.converting.writer import all_writers
from tests.building.repository import Author
from tests.packages.servers import serving_git
from tests.peer_programs import CLAUDE, GEMINI

PROGRAM = GEMINI / "bundle" / "gemini.js"
NO_NETWORK = Path(__file__).parents[1] / "packages" / "no_network.mjs"
needs_gemini = pytest.mark.skipif(
    not PROGRAM.is_file() or not shutil.which("node"),
    reason="needs node and the real Gemini CLI: npm install --prefix .peers @google/gemini-cli@0.61.0, or PISCES_PEERS",
)
needs_claude = pytest.mark.skipif(CLAUDE is None, reason="needs Claude Code: ./scripts/setup-peers, or PISCES_PEERS")


def gemini(author: Author, *words: str) -> str:
    home = str(author.home)
    settings = author.home / ".gemini"
    settings.mkdir(exist_ok=True)
    (settings / "settings.json").write_text('{"privacy": {"usageStatisticsEnabled": false}}')
    (settings / "trustedFolders.json").write_text(f'{{"{author.folder.parent.as_posix()}": "TRUST_FOLDER"}}')
    env = {"PATH": os.environ["PATH"], "HOME": home, "USERPROFILE": home, "GEMINI_CLI_NO_RELAUNCH": "true"}
    env |= {"GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"}
    line = ["node", "--import", NO_NETWORK.as_uri(), str(PROGRAM), "extensions", *words]
    done = subprocess.run(
        line, cwd=author.folder, env=env, input="y\ny\n", capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@needs_gemini
def test_gemini_validates_and_installs_the_folder_and_the_branch(author: Author) -> None:
    author.put({"agents/reader.md": "---\nname: reader\ndescription: Reads\ntools: Read, Grep\n---\nRead.\n"})
    author.committed()
    assert author.pisces("build")[0] == 0
    assert "successfully validated" in gemini(author, "validate", str(author.out))
    gemini(author, "install", str(author.out), "--consent")
    listed = gemini(author, "list")
    assert "demo (1.3.0)" in listed
    assert "Error loading" not in listed
    gemini(author, "uninstall", "demo")
    author.pisces("build", "--branch", "dist")
    with serving_git(author.folder.parent) as host:
        gemini(author, "install", f"{host.url}/repo/.git", "--ref", "dist", "--consent")
    assert "demo (1.3.0)" in gemini(author, "list")


@needs_claude
@pytest.mark.skipif("claude" not in {each.id for each in all_writers()}, reason="there is no such writer")
def test_claude_validates_what_is_built_for_it(author: Author) -> None:
    author.put({"pisces.toml": '[build]\nversion = "package.json"\ntargets = ["claude"]\n'})
    assert author.pisces("build")[0] == 0
    env = {"PATH": os.environ["PATH"], "HOME": str(author.home), "DISABLE_TELEMETRY": "1"}
    env |= {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    line = [str(CLAUDE), "plugin", "validate", str(author.folder / "dist/claude")]
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
