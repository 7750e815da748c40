"""Every kind of extension in one session, side by side: each does its part, and transcript, log and requests prove it.

The session runs once. Each test reads one kind's part of what it left behind.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelAsk
from pisces.places import Places
from pisces.session.options import SessionOptions
from pisces.session.session import open_session
from pisces.shapes.event import Event
from pisces.shapes.events.surroundings import CommandUpdate
from pisces.shapes.message import CallPart
from pisces.ui.quiet_ui import QuietUi
from tests.modules.js_session import bun

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its programs are shell scripts")

SERVER = Path(__file__).parents[1] / "mcp" / "servers" / "shell_server.py"
BOAT = "~/.gemini/extensions/boat"
GUARD = "~/plugins/guard"
PYTHON = json.dumps(sys.executable)

FILES = {
    # An extension for Gemini CLI: command, context, policy, MCP server, executable.
    f"{BOAT}/gemini-extension.json": json.dumps(
        {
            "name": "boat",
            "version": "1.0.0",
            "contextFileName": "BOAT.md",
            "mcpServers": {"sums": {"command": sys.executable, "args": [str(SERVER)]}},
            "commands": {"tides": {"type": "executable", "binary": "${extensionPath}/bin/tides", "description": "x"}},
        }
    ),
    f"{BOAT}/BOAT.md": "Depth is always given in metres.\n",
    f"{BOAT}/commands/log/entry.toml": 'prompt = "Log {{args}}, wind: !{printf %s west}"\n',
    f"{BOAT}/policies/boat.toml": (
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "scuttle"\ndecision = "deny"\npriority = 100\n'
    ),
    f"{BOAT}/bin/tides": '#!/bin/sh\necho "high in $1"\n',
    # A plugin for Claude Code: hook, skill, subagent, command.
    f"{GUARD}/.claude-plugin/plugin.json": '{"name": "guard", "version": "1.0.0", "description": "x"}',
    f"{GUARD}/hooks/hooks.json": json.dumps(
        {
            "hooks": {
                "PreToolUse": [
                    {
                        "matcher": "Bash",
                        "hooks": [{"type": "command", "command": f'{PYTHON} "${{CLAUDE_PLUGIN_ROOT}}/guard.py"'}],
                    }
                ]
            }
        }
    ),
    f"{GUARD}/guard.py": (
        "import json, sys\n"
        "if '--force' in json.load(sys.stdin)['tool_input']['command']:\n"
        "    print('history stays', file=sys.stderr)\n"
        "    sys.exit(2)\n"
    ),
    f"{GUARD}/skills/knots/SKILL.md": "---\nname: knots\ndescription: Which knot holds\n---\nA bowline holds.\n",
    f"{GUARD}/agents/charts.md": "---\nname: charts\ndescription: Reads charts\ntools: Read\n---\nYou read charts.\n",
    f"{GUARD}/commands/review.md": "---\ndescription: x\n---\nReview $ARGUMENTS with care\n",
    # A prompt of Codex.
    "~/.codex/prompts/moor.md": "Moor at berth $1\n",
    # A module in Python: a tool and a handler.
    "~/modules/python_module.py": (
        "from pisces.events import ToolResult\n"
        "def extension(pisces):\n"
        "    @pisces.tool()\n"
        "    def greet(name: str) -> str:\n"
        "        return f'Ahoy {name}'\n"
        "    @pisces.on(ToolResult)\n"
        "    def stamp(event):\n"
        "        return event.with_text(event.text + ' [stamped]') if event.tool == 'greet' else None\n"
    ),
    "chart.txt": "berth 4: 3.1 m\n",
}
TYPESCRIPT = """export default function (pi) {
  pi.registerTool({
    name: "kmh", label: "kmh", description: "knots to km/h",
    parameters: { type: "object", properties: { knots: { type: "number" } } },
    async execute(_id, { knots }) {
      return { content: [{ type: "text", text: `${(knots * 1.852).toFixed(1)} km/h` }], details: {} };
    },
  });
  pi.on("tool_call", async (event) => {
    if (event.toolName === "greet" && event.input.name === "Kraken") return { block: true, reason: "no monsters" };
  });
}
"""


def call(tool: str, /, **given: Any) -> tuple[CallPart]:
    return (CallPart(f"call-{tool}-{len(str(given))}", tool, given),)


ANSWERS: list[Any] = [
    "logged",  # /log:entry
    call("shell", command="git push --force"),
    call("shell", command="scuttle the ship"),
    call("shell", command="echo from the shell"),
    call("sums__add", a=1, b=2),
    call("greet", name="Ann"),
    call("greet", name="Kraken"),
    call("kmh", knots=12),
    call("activate_skill", name="guard:knots"),
    call("agent", name="guard:charts", prompt="How deep is berth 4?"),
    call("read", path="chart.txt"),  # of the subagent
    call("shell", command="rm chart.txt"),
    "3.1 m",
    "all done",
    "reviewed",  # /guard:review
    "moored",  # /moor
]
LINES = ("/log:entry Sundowner", "do all of it", "/tides Hamburg", "/guard:review the log", "/moor 4")


class Proof:
    """What a session left behind: its requests, the lines of its transcript, the records of its log, and what the user
    was asked.
    """

    def __init__(self, folder: Path) -> None:
        home = folder / "home"
        (home / "harbour").mkdir(parents=True)
        self.events: list[Event] = []
        self.questions: list[tuple[str, str]] = []
        self.model = ScriptedModel(ANSWERS)
        env = {"PATH": os.environ["PATH"], "TMPDIR": str(folder)}
        self.has_typescript = True
        try:
            env["PISCES_JS_RUNTIME"] = bun().argv[0]
        except pytest.skip.Exception:
            env["PISCES_JS_RUNTIME"], self.has_typescript = "/nowhere", False
        self.places = Places(str(home), str(home / "harbour"), env)
        for name, text in {**FILES, "~/modules/typescript_module.ts": TYPESCRIPT}.items():
            path = Path(self.places.absolute(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)
        asyncio.run(self._worked())
        log = home / ".pisces" / "audit" / "log.jsonl"
        self.log = [json.loads(line) for line in log.read_text("utf-8").splitlines()]

    async def _worked(self) -> None:
        def approve(request: Any, _questions: Any) -> bool:
            self.questions.append((request.KIND, request.exact))
            return True

        async def nobody(_question: str, _answers: object) -> None:
            return None

        modules = [self.places.absolute(f"~/modules/{name}") for name in ("python_module.py", "typescript_module.ts")]
        options = SessionOptions(
            approve,
            nobody,
            QuietUi(print),
            self.model,
            readers=(self.events.append,),
            packages=[self.places.absolute(GUARD)],
            modules=modules,
        )
        async with open_session(self.places, options) as session:
            await session.host.connect()
            self.answered = [await session.submit(line) for line in LINES]
            self.diagnostics = session.host.diagnostics
            path = session.transcript.path
        self.transcript = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]

    @property
    def parts(self) -> Iterator[dict[str, Any]]:
        """Of every message in the transcript."""
        for entry in self.transcript:
            yield from entry.get("message", {}).get("parts", ())

    def result(self, tool: str, nth: int = 0) -> dict[str, Any]:
        """What came back from a call, as the transcript has it."""
        return [each for each in self.parts if each["type"] == "result" and each["name"] == tool][nth]

    def text_of(self, tool: str, nth: int = 0) -> str:
        return "".join(each.get("text", "") for each in self.result(tool, nth)["parts"])

    def written(self, role: str) -> list[str]:
        """The texts of a side, in their order."""
        messages = [each["message"] for each in self.transcript if each["type"] == "message"]
        texts = ["".join(part.get("text", "") for part in each["parts"]) for each in messages if each["role"] == role]
        return [each for each in texts if each]

    def judged(self, text: str) -> dict[str, Any]:
        return next(each for each in self.log if each["what"] == "judged" and text in each.get("text", ""))

    def of_subagent(self) -> list[ModelAsk]:
        return [each for each in self.model.asked if each.system.startswith("You read charts.")]


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Proof:
    return Proof(tmp_path_factory.mktemp("kinds").resolve())


def test_nothing_is_wrong_and_the_conversation_is_whole(proof: Proof) -> None:
    assert proof.diagnostics == () or not proof.has_typescript
    assert proof.written("model") == ["logged", "all done", "reviewed", "moored"]
    asked = [each["id"] for each in proof.parts if each["type"] == "call"]
    assert asked == [each["id"] for each in proof.parts if each["type"] == "result"]
    assert len(asked) == 9


def test_a_command_of_gemini_cli_is_expanded_and_its_line_was_asked_about(proof: Proof) -> None:
    assert proof.written("user")[0] == "Log Sundowner, wind: west"
    assert ("shell", "printf %s west") in proof.questions
    record = proof.judged("printf %s west")
    assert (record["decision"], record["who"], record["name"]) == ("allow", "user", "/log:entry Sundowner")
    assert record["path"] == proof.places.absolute(f"{BOAT}/commands/log/entry.toml")


def test_a_context_file_of_gemini_cli_is_in_every_request(proof: Proof) -> None:
    own = [each for each in proof.model.asked if each not in proof.of_subagent()]
    assert all("Depth is always given in metres." in each.system for each in own)


def test_a_policy_of_gemini_cli_denies(proof: Proof) -> None:
    assert proof.result("shell", 1)["is_error"]
    record = proof.judged("scuttle the ship")
    assert record["decision"] == "deny"
    assert f"{BOAT}/policies/boat.toml:1" in record["who"]


def test_a_server_of_gemini_cli_starts_and_answers(proof: Proof) -> None:
    assert proof.text_of("sums__add") == "3"
    assert "sums__add" in [each.name for each in proof.model.asked[0].tools]
    states = [each["what"] for each in proof.log if each.get("kind") == "server"]
    assert states == ["judged", "started", "ended"]


def test_a_hook_of_a_claude_plugin_denies_and_lets_others_pass(proof: Proof) -> None:
    assert proof.result("shell")["is_error"]
    assert "history stays" in proof.text_of("shell")
    assert f"PreToolUse hook in {proof.places.absolute(GUARD)}" in proof.judged("--force")["who"]
    assert proof.text_of("shell", 2) == "from the shell"
    exits = [each["exit"] for each in proof.log if each["what"] == "hook"]
    assert exits == [2, 0, 0]


def test_nothing_that_was_denied_has_run(proof: Proof) -> None:
    assert [each["name"] for each in proof.log if each["what"] == "ran"].count("shell") == 1


def test_a_skill_of_a_claude_plugin_is_listed_and_activated(proof: Proof) -> None:
    assert "- guard:knots: Which knot holds" in proof.model.asked[0].system
    assert "A bowline holds." not in proof.model.asked[0].system
    assert "A bowline holds." in proof.text_of("activate_skill")


def test_a_subagent_of_a_claude_plugin_works_apart_with_its_own_tools(proof: Proof) -> None:
    first, *_, last = proof.of_subagent()
    assert [each.name for each in first.tools] == ["read"]
    assert "do all of it" not in str(first.messages)
    results = last.messages[-1].parts
    assert "there is no tool `shell` here" in str(results[0])
    assert Path(proof.places.absolute("chart.txt")).is_file()
    assert proof.text_of("agent") == "3.1 m"
    entry = next(each for each in proof.transcript if each["type"] == "subagent")
    assert entry["agent"] == "guard:charts"
    ran = [each["agent"] for each in proof.log if each["what"] == "ran" and each["name"] == "read"]
    assert ran == ["guard:charts"]


def test_a_command_of_a_claude_plugin_and_a_prompt_of_codex_are_expanded(proof: Proof) -> None:
    texts = [each.rstrip("\n") for each in proof.written("user")]
    assert texts[-2:] == ["Review the log with care", "Moor at berth 4"]


def test_an_executable_runs_without_the_model_and_is_in_the_transcript(proof: Proof) -> None:
    output = proof.answered[2].submitted.output
    assert output is not None
    assert (output.stdout, output.exit_code) == ("high in Hamburg\n", 0)
    assert [each.text for each in proof.events if isinstance(each, CommandUpdate)] == ["high in Hamburg\n"]
    notices = [each["text"] for each in proof.transcript if each["type"] == "notice"]
    assert notices == ["/tides Hamburg\nhigh in Hamburg"]
    program = proof.places.absolute(f"{BOAT}/bin/tides")
    assert ("program", f"{program} Hamburg") in proof.questions
    ran = next(each for each in proof.log if each["what"] == "ran" and each["kind"] == "program")
    assert (ran["name"], ran["text"], ran["exit"]) == ("/tides", f"{program} Hamburg", 0)
    assert not any("high in Hamburg" in str(each.messages) for each in proof.model.asked)


def test_a_module_in_python_brings_a_tool_and_a_handler(proof: Proof) -> None:
    assert proof.text_of("greet") == "Ahoy Ann [stamped]"
    assert "python_module" in [each["name"] for each in proof.log if each["what"] == "loaded"]


def test_a_module_in_typescript_brings_a_tool_and_a_handler(proof: Proof) -> None:
    bun()
    assert proof.text_of("kmh") == "22.2 km/h"
    assert (proof.text_of("greet", 1), proof.result("greet", 1)["is_error"]) == ("no monsters", True)
    assert proof.judged("Kraken")["who"] == proof.places.absolute("~/modules/typescript_module.ts")
