"""What is written for Codex, installed by the real program: it lists every skill, command, hook and server.

The program runs with a home of its own and without a network; it starts nothing of a plugin when it lists one.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.converting.generated_plugins import plugin_tree
from tests.converting.test_round_trip import converted, planted
from tests.peer_programs import CODEX

pytestmark = pytest.mark.skipif(CODEX is None, reason="needs Codex: npm install --prefix .peers @openai/codex")
MANIFEST = b'{"name": "%s", "version": "1.0.0", "description": "A demo"}'
BODIES = {
    "plain": "Do it.\n",
    "arguments": "Fix $ARGUMENTS\n",
    "numbers": "Fix $1 with $2\n",
    "line": "State: !`git status`\n",
    "mention": "See @README.md and {{x}}\n",
    "long": "x" * 5000,
}
HOOKS = {
    "hooks": {
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {
                        "type": "command",
                        "command": '"${CLAUDE_PLUGIN_ROOT}"/guard.sh',
                        "timeout": 1.5,
                        "if": "Bash(git:*)",
                    },
                    {"type": "http", "url": "https://example.com/hook"},
                ],
            },
            {"matcher": "Write, Edit", "hooks": [{"type": "command", "command": "guard", "once": True}]},
        ],
        "Stop": [{"hooks": [{"type": "prompt", "prompt": "Done?"}, {"type": "command", "command": "done"}]}],
        "FileChanged": [{"matcher": "*.ts", "hooks": [{"type": "command", "command": "lint"}]}],
    }
}
SERVERS = {
    "own": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/s.js"], "env": {"TOKEN": "${TOKEN}"}},
    "web": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${KEY}", "A": "b"}},
}


class Codex:
    """The program with the plugins of one folder installed from a marketplace of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "home/.codex").mkdir(parents=True)

    def install(self, *names: str) -> None:
        entries = [{"name": each, "source": {"source": "local", "path": f"./plugins/{each}"}} for each in names]
        index = self._folder / "market/.agents/plugins/marketplace.json"
        index.parent.mkdir(parents=True)
        index.write_text(json.dumps({"name": "local", "plugins": entries}), "utf-8")
        self.run("plugin", "marketplace", "add", str(self._folder / "market"))
        for each in names:
            self.run("plugin", "add", f"{each}@local")

    def run(self, *words: str) -> str:
        done = subprocess.run(
            [str(CODEX), *words],
            env=self._env(),
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def listed(self, *methods: str) -> list[Any]:
        """The answers of its server for editors, which says what it loads."""
        start = {"clientInfo": {"name": "test", "title": "test", "version": "1"}}
        asked = [("initialize", start), *((method, {"cwds": [str(self._folder)]}) for method in methods)]
        with subprocess.Popen(
            [str(CODEX), "app-server"],
            env=self._env(),
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdin
            assert process.stdout
            answers = []
            try:
                for number, (method, params) in enumerate(asked):
                    process.stdin.write(json.dumps({"id": number, "method": method, "params": params}) + "\n")
                    process.stdin.flush()
                    lines = map(json.loads, process.stdout)
                    answers.append(next(line["result"] for line in lines if line.get("id") == number))
            finally:
                process.kill()
        return [each["data"][0] for each in answers[1:]]

    def _env(self) -> dict[str, str]:
        return {"HOME": str(self._folder / "home"), "PATH": os.environ["PATH"]}


def names_in(listed: Any, plugin: str) -> set[str]:
    prefix = f"{plugin}:"
    return {each["name"].removeprefix(prefix) for each in listed["skills"] if each["name"].startswith(prefix)}


def test_every_command_hook_and_server_arrives(tmp_path: Path) -> None:
    commands = {f"commands/{name}.md": body.encode() for name, body in BODIES.items()}
    source = planted(
        tmp_path / "source",
        {
            ".claude-plugin/plugin.json": MANIFEST % b"demo",
            "skills/hidden/SKILL.md": b"---\ndescription: d\ndisable-model-invocation: true\n---\nHidden\n",
            "hooks/hooks.json": json.dumps(HOOKS).encode(),
            ".mcp.json": json.dumps({"mcpServers": SERVERS}).encode(),
            "guard.sh": b"#!/bin/sh\nexit 2\n",
            **commands,
        },
    )
    converted(source, "codex", tmp_path / "market/plugins/demo")
    codex = Codex(tmp_path)
    codex.install("demo")
    skills, hooks = codex.listed("skills/list", "hooks/list")
    assert skills["errors"] == []
    assert names_in(skills, "demo") == {*BODIES, "hidden"}
    assert (hooks["warnings"], hooks["errors"]) == ([], [])
    found = {(each["eventName"], each["matcher"]) for each in hooks["hooks"]}
    assert found == {("preToolUse", "Bash"), ("preToolUse", "apply_patch|Bash"), ("stop", None)}
    servers = {each["name"]: each["transport"] for each in json.loads(codex.run("mcp", "list", "--json"))}
    assert servers["own"]["args"] == ["./s.js"]
    assert servers["own"]["cwd"].rstrip("/.").endswith("demo/1.0.0")
    assert servers["own"]["env_vars"] == ["TOKEN"]
    assert servers["web"]["http_headers"] == {"A": "b"}
    assert servers["web"]["bearer_token_env_var"] == "KEY"


def test_generated_plugins_load_whole(tmp_path: Path) -> None:
    names = []
    for seed in range(8):
        tree = {**plugin_tree(seed), ".claude-plugin/plugin.json": MANIFEST % f"p{seed}".encode()}
        converted(planted(tmp_path / f"source{seed}", tree), "codex", tmp_path / f"market/plugins/p{seed}")
        names.append(f"p{seed}")
    codex = Codex(tmp_path)
    codex.install(*names)
    skills, hooks = codex.listed("skills/list", "hooks/list")
    assert (skills["errors"], hooks["warnings"], hooks["errors"]) == ([], [], [])
    for name in names:
        folders = {each.parent.name for each in (tmp_path / f"market/plugins/{name}").glob("skills/*/SKILL.md")}
        assert names_in(skills, name) == folders
