"""What is written for Claude Code, asked of the real program: the validator passes and a session lists every part."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.converting.test_round_trip import converted, planted
from tests.peer_programs import CLAUDE

pytestmark = pytest.mark.skipif(
    CLAUDE is None or not shutil.which("unshare"), reason="needs Claude Code in .peers, and unshare"
)
EXTENSION = {
    "name": "demo",
    "version": "1.0.0",
    "description": "A demo",
    "mcpServers": {"docs": {"httpUrl": "https://example.com/mcp", "excludeTools": ["x"]}},
    "settings": [{"name": "API key", "description": "A key", "envVar": "API_KEY", "sensitive": True}],
}
TREE = {
    "gemini-extension.json": json.dumps(EXTENSION).encode(),
    "GEMINI.md": b"Be brief.\n",
    "commands/git/commit.toml": b'description = "c"\nprompt = "Commit {{args}} after !{git status} and @{README.md}"\n',
    "skills/notes/SKILL.md": b"---\nname: notes\ndescription: Notes\n---\nWrite $1, never !`rm x`.\n",
    "agents/reader.md": b"---\nname: reader\ndescription: Reads\ntools: [read_file]\nmodel: gemini-3-pro\n---\nRead.\n",
    "README.md": b"Hello\n",
}


@pytest.fixture
def claude(tmp_path: Path) -> list[str]:
    if subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode:
        pytest.skip("this system gives nobody a network namespace")
    home = tmp_path / "home"
    home.mkdir()
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ANTHROPIC_API_KEY": "sk-x",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    }
    return ["unshare", "-rn", "env", "-i", *(f"{key}={value}" for key, value in env.items()), str(CLAUDE)]


def ran(line: list[str], folder: Path) -> str:
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout


def loaded(claude: list[str], plugin: Path) -> Any:
    """The first event of a session; the address of the model is a closed port."""
    words = ["-p", "hi", "--output-format", "stream-json", "--verbose", "--strict-mcp-config"]
    off = ["--settings", '{"disableAllHooks": true}', "--plugin-dir", str(plugin)]
    line = [*claude, *words, *off]
    with subprocess.Popen(line, cwd=plugin.parent, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout
        try:
            return next(each for each in map(json.loads, process.stdout) if each.get("subtype") == "init")
        finally:
            process.kill()  # it would go on asking the closed port


def test_an_extension_of_gemini_is_a_valid_plugin_with_every_part(claude: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    converted(planted(tmp_path / "source", TREE), "claude", out, "gemini")
    verdict = json.loads(ran([*claude, "plugin", "validate", "--json", str(out)], tmp_path))
    assert verdict["success"], verdict
    found = loaded(claude, out)
    assert not found.get("plugin_errors")
    assert {"demo:notes", "demo:git:commit"} <= set(found["slash_commands"])
    assert "demo:reader" in found["agents"]
    assert "demo:notes" in found["skills"]
