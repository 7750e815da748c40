"""Real MCP clients on `pisces mcp serve`: they list, call, are denied by a Claude plugin's hook, and get prompts.

Each runs in a home of its own on a model API on loopback, and starts the server as its own configuration says.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pisces import Places, Verdict, install
from tests.conformance.fake_models import FakeModel, fake_model
from tests.peer_programs import CLAUDE, CODEX, GEMINI, MODULES, PEERS
from tests.serving.served import SERVE, World
from tests.serving.test_http import TOKEN, listening

SECONDS = 180
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "cli" / "build" / "cli.js"
GEMINI_FILE = GEMINI / "bundle" / "gemini.js"
NODE = shutil.which("node")
WHY = "not on my boat"
GUARD = f"""
import json, sys
call = json.load(sys.stdin)
if call["tool_name"] == "shout" and "rm" in call["tool_input"]["text"]:
    print("{WHY}", file=sys.stderr)
    sys.exit(2)
"""
GOOD, BAD = {"text": "ahoy"}, {"text": "rm -rf"}


class ClientWorld(World):
    """A module's tool and a command to be served, and a Claude plugin that guards the tool. Clients live elsewhere."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.client = folder / "client"
        self.client.mkdir()
        self.tools()
        self.allow("shout")
        self.skill("review", "Read the diff.")
        self.command("ship", "---\ndescription: Ships it\narguments: [place]\n---\nShip it to $place now")
        self._plugin()

    def _plugin(self) -> None:
        plugin = "~/plugins/guard"
        self.write(f"{plugin}/.claude-plugin/plugin.json", '{"name": "guard", "version": "1.0.0"}')
        self.write(f"{plugin}/guard.py", GUARD)
        command = f'"{sys.executable}" "${{CLAUDE_PLUGIN_ROOT}}/guard.py"'
        hooks = {"PreToolUse": [{"matcher": "shout", "hooks": [{"type": "command", "command": command}]}]}
        self.write(f"{plugin}/hooks/hooks.json", json.dumps({"hooks": hooks}))
        places = Places(str(self.home), str(self.cwd), self.env)
        install(str(self.home / "plugins" / "guard"), places, lambda *_: Verdict.allow("the test agrees"))

    @property
    def entry(self) -> dict[str, Any]:
        return {"command": SERVE[0], "args": list(SERVE[1:]), "env": self.env}

    def put(self, name: str, value: object) -> Path:
        """A file of the client."""
        path = self.client / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
        return path

    def run(self, words: Sequence[object], **env: str) -> str:
        given = {"PATH": os.environ["PATH"], "HOME": str(self.client), **env}
        done = subprocess.run(
            [str(each) for each in words],
            cwd=self.cwd,
            env=given,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def judged(self) -> list[tuple[str, str]]:
        found = [each for each in self.records() if each["what"] == "judged"]
        return [(each["name"], each["decision"]) for each in found if each["kind"] == "tool"]


@pytest.fixture
def world(tmp_path: Path) -> ClientWorld:
    return ClientWorld(tmp_path.resolve())


def _one_call_ran_and_one_was_denied(world: ClientWorld, model: FakeModel) -> None:
    assert "AHOY" in model.read
    assert WHY in model.read
    assert "RM -RF" not in model.read
    assert world.judged() == [("shout", "allow"), ("shout", "deny")]


def _claude(world: ClientWorld, model: FakeModel, prompt: str) -> None:
    file = world.put("mcp.json", {"mcpServers": {"pisces": {"type": "stdio", **world.entry}}})
    words = [CLAUDE, "-p", prompt, "--mcp-config", file, "--strict-mcp-config", "--allowedTools", "mcp__pisces__shout"]
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    world.run(words, ANTHROPIC_BASE_URL=model.address, ANTHROPIC_API_KEY="dummy", **quiet)


@pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not installed")
def test_claude_code_calls_and_is_denied(world: ClientWorld) -> None:
    with fake_model(("mcp__pisces__shout", GOOD), ("mcp__pisces__shout", BAD)) as model:
        _claude(world, model, "go")
    _one_call_ran_and_one_was_denied(world, model)


@pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not installed")
def test_claude_code_expands_a_prompt(world: ClientWorld) -> None:
    with fake_model() as model:
        _claude(world, model, "/mcp__pisces__ship harbour")
    assert "Ship it to harbour now" in model.read


def _codex(world: ClientWorld, model: FakeModel) -> None:
    entry = world.entry
    env = "".join(f"{name} = {json.dumps(value)}\n" for name, value in entry["env"].items())
    world.put(
        "codex/config.toml",
        f"""
model = "gpt-5"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "{model.address}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[mcp_servers.pisces]
command = {json.dumps(entry["command"])}
args = {json.dumps(entry["args"])}
startup_timeout_sec = 60
[mcp_servers.pisces.env]
{env}""",
    )
    words = [CODEX, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "go"]
    world.run(words, FAKE_KEY="dummy", CODEX_HOME=str(world.client / "codex"))


@pytest.mark.skipif(CODEX is None, reason="Codex is not installed")
def test_codex_calls_and_is_denied(world: ClientWorld) -> None:
    with fake_model(("mcp__pisces/shout", GOOD), ("mcp__pisces/shout", BAD)) as model:
        _codex(world, model)
    _one_call_ran_and_one_was_denied(world, model)


def _gemini(world: ClientWorld, model: FakeModel, prompt: str) -> None:
    servers = {"pisces": {**world.entry, "trust": True}}
    auth = {"auth": {"selectedType": "gemini-api-key"}}
    world.put(".gemini/settings.json", {"mcpServers": servers, "security": auth, "telemetry": {"enabled": False}})
    words = [NODE, GEMINI_FILE, "-m", "gemini-2.5-pro", "-p", prompt, "--approval-mode", "yolo"]
    trusted = {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"}
    world.run(words, GOOGLE_GEMINI_BASE_URL=model.address, GEMINI_API_KEY="dummy", **trusted)


_NEEDS_GEMINI = pytest.mark.skipif(not NODE or not GEMINI_FILE.is_file(), reason="Gemini CLI is not installed")


@_NEEDS_GEMINI
def test_gemini_lists_calls_and_is_denied(world: ClientWorld) -> None:
    with fake_model(("mcp_pisces_shout", GOOD), ("mcp_pisces_shout", BAD)) as model:
        _gemini(world, model, "go")
    _one_call_ran_and_one_was_denied(world, model)
    declared = [each["name"] for tool in model.bodies[0]["tools"] for each in tool.get("functionDeclarations", ())]
    assert {"mcp_pisces_shout", "mcp_pisces_activate_skill"} <= set(declared)


@_NEEDS_GEMINI
def test_gemini_expands_a_prompt(world: ClientWorld) -> None:
    with fake_model() as model:
        _gemini(world, model, '/ship --place="the old harbour"')
    assert "Ship it to the old harbour now" in model.read


@pytest.mark.skipif(not NODE or not INSPECTOR.is_file(), reason="the MCP inspector is not installed")
def test_the_inspector_lists_calls_is_denied_and_gets_prompts_and_resources(world: ClientWorld) -> None:
    file = world.put("mcp.json", {"mcpServers": {"pisces": world.entry}})

    def asked(*words: str) -> Any:
        said = world.run([NODE, INSPECTOR, "--cli", "--config", file, "--server", "pisces", "--method", *words])
        return json.loads(said)

    assert "shout" in [each["name"] for each in asked("tools/list")["tools"]]
    assert asked("tools/call", "--tool-name", "shout", "--tool-arg", "text=ahoy")["content"][0]["text"] == "AHOY"
    denied = asked("tools/call", "--tool-name", "shout", "--tool-arg", "text=rm -rf")
    assert denied["isError"] is True
    assert WHY in denied["content"][0]["text"]
    assert "ship" in [each["name"] for each in asked("prompts/list")["prompts"]]
    got = asked("prompts/get", "--prompt-name", "ship", "--prompt-args", "place=harbour")
    assert got["messages"][0]["content"]["text"] == "Ship it to harbour now"
    assert "skill://review/SKILL.md" in [each["uri"] for each in asked("resources/list")["resources"]]
    assert "Read the diff." in asked("resources/read", "--uri", "skill://review/SKILL.md")["contents"][0]["text"]
    assert asked("resources/templates/list")["resourceTemplates"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_sdk_lists_calls_is_denied_is_asked_and_hears_progress(world: ClientWorld, mode: str) -> None:
    mcp = pytest.importorskip("mcp")
    types = pytest.importorskip("mcp_types")
    stdio = pytest.importorskip("mcp.client.stdio")
    world.allow("shout", "slow")
    asked: list[str] = []
    heard: list[Any] = []

    async def elicit(_context: Any, params: Any) -> Any:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"decision": "allow"})

    async def progress(done: float, total: float | None, text: str | None) -> None:
        heard.append((done, total, text))

    async def main() -> None:
        parameters = stdio.StdioServerParameters(
            command=SERVE[0], args=list(SERVE[1:]), env=world.env, cwd=str(world.cwd)
        )
        transport = stdio.stdio_client(parameters)
        async with mcp.Client(transport, mode=mode, elicitation_callback=elicit, read_timeout_seconds=60) as client:
            tools = await client.list_tools()
            assert tools.next_cursor is None
            assert {"shout", "activate_skill"} <= {each.name for each in tools.tools}
            called = await client.call_tool("shout", GOOD)
            assert called.content[0].text == "AHOY"
            assert called.structured_content is None
            denied = await client.call_tool("shout", BAD)
            assert denied.is_error
            assert WHY in denied.content[0].text
            assert (await client.call_tool("noisy", {})).content[0].text == "quiet"
            await client.call_tool("slow", {"seconds": 0}, progress_callback=progress)
            got = await client.get_prompt("ship", {"place": "harbour"})
            assert got.messages[0].content.text == "Ship it to harbour now"
            read = await client.read_resource("skill://review/SKILL.md")
            assert "Read the diff." in read.contents[0].text
            assert (await client.list_resource_templates()).resource_templates

    asyncio.run(main())
    assert len(asked) == 1
    assert "noisy" in asked[0]
    assert heard == [(1, 2, "half")]


def test_the_official_sdk_over_http_with_the_token_and_not_without(world: ClientWorld) -> None:
    mcp = pytest.importorskip("mcp")
    httpx = pytest.importorskip("httpx2")
    http = pytest.importorskip("mcp.client.streamable_http")
    types = pytest.importorskip("mcp_types")
    asked: list[str] = []

    async def elicit(_context: Any, params: Any) -> Any:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"decision": "allow"})

    async def tools(port: int, token: str) -> list[str]:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(headers=headers) as web:
            transport = http.streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=web)
            async with mcp.Client(transport, mode="legacy", elicitation_callback=elicit) as client:
                assert (await client.call_tool("shout", GOOD)).content[0].text == "AHOY"
                denied = await client.call_tool("shout", BAD)
                assert WHY in denied.content[0].text
                while (called := await client.call_tool("noisy", {})).is_error:  # its stream may not be open yet
                    assert "nobody can be asked" in called.content[0].text
                return [each.name for each in (await client.list_tools()).tools]

    with listening(world) as (port, _process):
        assert "shout" in asyncio.run(tools(port, TOKEN))
        assert len(asked) == 1
        with pytest.raises(BaseException, match=r".*") as refused:
            asyncio.run(tools(port, "wrong-token-of-some-length"))
        assert not isinstance(refused.value, AssertionError)


FASTMCP = """
import asyncio, json, sys
import fastmcp

async def main():
    async with fastmcp.Client({"mcpServers": {"pisces": json.loads(sys.argv[1])}}) as client:
        names = [each.name for each in await client.list_tools()]
        good = await client.call_tool("shout", {"text": "ahoy"})
        bad = await client.call_tool("shout", {"text": "rm -rf"}, raise_on_error=False)
        prompt = await client.get_prompt("ship", {"place": "harbour"})
        texts = [good.content[0].text, bad.content[0].text, prompt.messages[0].content.text]
        print(json.dumps({"names": names, "texts": texts, "failed": bad.is_error}))

asyncio.run(main())
"""
PYTHON_OF_PEERS = PEERS / "servers" / "bin" / "python"


@pytest.mark.skipif(not PYTHON_OF_PEERS.exists(), reason="fastmcp is not installed")
def test_fastmcp_lists_calls_is_denied_and_gets_a_prompt(world: ClientWorld) -> None:
    entry = json.dumps({**world.entry, "cwd": str(world.cwd)})
    said = json.loads(world.run([PYTHON_OF_PEERS, "-c", FASTMCP, entry]).splitlines()[-1])
    assert {"shout", "activate_skill"} <= set(said["names"])
    assert said["texts"][0] == "AHOY"
    assert WHY in said["texts"][1]
    assert said["failed"] is True
    assert said["texts"][2] == "Ship it to harbour now"
