"""A server's words, folder and named variables are those with which the real program starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.registry import discover
from pisces.mcp.plan import ServerPlan
from pisces.mcp.planned import plan_of
from pisces.places import Places
from tests.conformance.workspaces import claude, opencode
from tests.peer_programs import CLAUDE, CODEX, GEMINI, OPENCODE

RECORDER = str(Path(__file__).parents[1] / "mcp" / "servers" / "plan_recorder.py")
WORDS = [
    "$FOO",
    "${FOO}",
    "${NOPE}",
    "${NOPE:-dflt}",
    "${EMPTY:-dflt}",
    "${env:FOO}",
    "{env:FOO}",
    "{env:NOPE}",
    "$NOPE",
]
VARIABLES = {"T1": "$FOO", "T2": "${FOO}", "T3": "${NOPE:-d}", "T4": "${NOPE}", "T5": "{env:FOO}", "T6": "a $NOPE b"}
QUIET = {
    **claude.ENV,
    **opencode.ENV,
    "ANTHROPIC_API_KEY": "sk-x",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "GEMINI_CLI_TRUST_WORKSPACE": "true",
}
PROVIDER = 'model_providers.fake={name="f",base_url="http://127.0.0.1:9/v1",wire_api="responses"}'


class Workspace:
    def __init__(self, root: Path) -> None:
        self.home, self.work, self.record = root / "home", root / "work", root / "record.jsonl"
        (self.work / "sub").mkdir(parents=True)
        self.home.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "FOO": "foo", "EMPTY": "", "TERM": "dumb"}

    def write(self, path: str, value: object) -> None:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))

    def words(self, name: str) -> list[str]:
        return [RECORDER, str(self.record), name, *WORDS]

    def started(self, *argv: str) -> dict[str, dict[str, Any]]:
        """What the program started, by the name that is the first of its own words."""
        command = ["timeout", "-k", "1", "45", *argv]
        subprocess.run(
            command, cwd=self.work, env={**self.env, **QUIET}, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        )
        lines = self.record.read_text().splitlines() if self.record.exists() else []
        return {each["argv"][0]: each for each in map(json.loads, lines)}

    def plans(self) -> dict[str, ServerPlan]:
        places = Places(str(self.home), str(self.work), self.env)
        plans = [plan_of(found, places) for found in discover(MCP_SERVERS, places).items]
        return {plan.name.rpartition(":")[2]: plan for plan in plans if isinstance(plan, ServerPlan)}

    def compare(self, *argv: str) -> None:
        real, plans = self.started(*argv), self.plans()
        assert real, "the program started no server"
        for name, started in real.items():
            plan = plans[name]
            assert list(plan.argv[3:]) == started["argv"], name
            assert plan.cwd == started["cwd"], name
            named = {key: value for key, value in started["env"].items() if key in VARIABLES}
            assert {key: plan.env.get(key) for key in named} == named, name
            assert set(plan.env_names) & set(VARIABLES) == set(named), name


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def entry(workspace: Workspace, name: str, **more: object) -> dict[str, object]:
    return {"command": sys.executable, "args": workspace.words(name), "env": VARIABLES, **more}


@pytest.mark.skipif(not GEMINI.exists() or not shutil.which("node"), reason="Gemini CLI is not here")
def test_gemini_cli_starts_servers_as_they_are_planned(workspace: Workspace) -> None:
    own = {"own": entry(workspace, "own", cwd="sub"), "far": entry(workspace, "far", url="http://127.0.0.1:9/x")}
    workspace.write(".gemini/settings.json", {"mcpServers": own})
    theirs = {**entry(workspace, "theirs")}
    theirs["args"] = [*workspace.words("theirs"), "${extensionPath}${/}x"]
    manifest = {"name": "box", "version": "1.0.0", "mcpServers": {"theirs": theirs}}
    workspace.write(".gemini/extensions/box/gemini-extension.json", manifest)
    workspace.compare("node", str(GEMINI / "bundle" / "gemini.js"), "mcp", "list")
    assert workspace.plans()["far"].argv == ()


@pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not here")
def test_claude_code_starts_servers_as_they_are_planned(workspace: Workspace) -> None:
    state = {"hasCompletedOnboarding": True, "projects": {str(workspace.work): {"hasTrustDialogAccepted": True}}}
    own = {"own": entry(workspace, "own", cwd=str(workspace.work / "sub"))}
    workspace.write(".claude.json", {**state, "mcpServers": own})
    workspace.write(".claude/settings.json", {"enableAllProjectMcpServers": True})
    project = {"mcpServers": {"shared": entry(workspace, "shared")}}
    (workspace.work / ".mcp.json").write_text(json.dumps(project))
    workspace.compare("timeout", "15", str(CLAUDE), "-p", "hi", "--output-format", "stream-json", "--verbose")


@pytest.mark.skipif(CODEX is None, reason="Codex is not here")
def test_codex_starts_servers_as_they_are_planned(workspace: Workspace) -> None:
    def table(name: str, more: str) -> str:
        words, env = json.dumps(workspace.words(name)), ", ".join(f'{key}="{text}"' for key, text in VARIABLES.items())
        return f'[mcp_servers.{name}]\ncommand="{sys.executable}"\nargs={words}\nenv={{{env}}}\n{more}\n'

    workspace.write(".codex/config.toml", table("own", 'env_vars=["FOO"]') + table("below", 'cwd="sub"'))
    (workspace.work / ".git").mkdir()
    options = ["--skip-git-repo-check", "-c", PROVIDER, "-c", "model_provider=fake", "-c", "model=x"]
    workspace.compare("timeout", "12", str(CODEX), "exec", *options, "hi")
    assert workspace.plans()["own"].env["FOO"] == "foo"


@pytest.mark.skipif(OPENCODE is None, reason="OpenCode is not here")
def test_opencode_starts_servers_as_they_are_planned(workspace: Workspace) -> None:
    def local(name: str, **more: object) -> dict[str, object]:
        command = [sys.executable, *workspace.words(name)]
        return {"type": "local", "command": command, "environment": VARIABLES, **more}

    servers = {"own": local("own"), "below": local("below", cwd="sub")}
    workspace.write(".config/opencode/opencode.json", {"mcp": servers})
    workspace.compare(str(OPENCODE), "mcp", "list")
