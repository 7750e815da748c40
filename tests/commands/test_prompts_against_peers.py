"""Our expansion of Markdown commands beside that of the programs that they were written for, where these are installed.

pi and omp are asked for their own functions; Claude Code runs whole, against a model on this machine that only listens.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.commands.markdown_command import Workspace
from tests.peer_programs import CLAUDE, MODULES

PI = MODULES / "@mariozechner" / "pi-coding-agent"
OMP = MODULES / "@oh-my-pi" / "pi-coding-agent"
BUN = next(iter(sorted(MODULES.glob("@oven/bun-*/bin/bun"))), None)

ARGS = [
    "",
    "a",
    'a "b c" d',
    "it's one two",
    "'' \"\" x",
    'a\tb  c\\ d "e\\"f"',
    "\u00fc \U0001f41f <b> & `id` $(id)",
]
PI_TEXTS = [
    "Do $1, then $2 and $9.",
    "All: $@ / $ARGUMENTS / $ARGUMENTSX",
    "${@:2} ${@:2:1} ${@:1:0} ${@:0} ${@:7} ${@:x} ${@}",
    "$0 $10 $$1 \\$1 ${1} $1$2",
    "---\ndescription: x\n---\n\n  Indented $1\n\n",
    "\n  No header $1\n\n",
    "No place",
]
OMP_TEXTS = [
    "Do $1, then $2 and $9.",
    "All: $@ / $ARGUMENTS / $ARGUMENTSX",
    "$@[2] $@[2:1] $@[1:0] $@[0] $@[7] $@[2:] $@[x] x",
    "$0 $10 $$1 \\$1 ${1} $1$2.",
    "{{ARGUMENTS}} / {{ arguments }} / {{arg 2}} / {{arg 9}} / {{args}} / {{{ARGUMENTS}}}.",
    "---\ndescription: x\n---\n\nIndented $1.\n\n",
    "No place",
]
PI_DRIVER = """
import { readFileSync } from "node:fs";
const { loadPromptTemplates, expandPromptTemplate } = await import(process.argv[2] + "/dist/core/prompt-templates.js");
const dir = process.argv[3];
const templates = loadPromptTemplates({ cwd: dir, agentDir: dir, promptPaths: [], includeDefaults: true });
const lines = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(lines.map((line) => expandPromptTemplate(line, templates))));
"""
OMP_DRIVER = """
const root = process.argv[2];
const { expandSlashCommand } = await import(root + "/src/extensibility/slash-commands.ts");
const { parseFrontmatter } = await import(root + "/../pi-utils/src/frontmatter.ts");
const cases = JSON.parse(await Bun.stdin.text());
console.log(JSON.stringify(cases.map(([text, args]) => {
  const content = parseFrontmatter(text, { level: "off" }).body;
  return expandSlashCommand(`/do ${args}`, [{ name: "do", description: "", source: "", content }]);
})));
"""


def answers(argv: list[str], asked: object, folder: Path) -> list[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    done = subprocess.run(
        argv, input=json.dumps(asked), capture_output=True, text=True, check=True, env=env, cwd=folder, timeout=60
    )
    told: list[str] = json.loads(done.stdout.strip().splitlines()[-1])
    return told


@pytest.mark.skipif(
    not (PI.exists() and shutil.which("node")),
    reason="needs pi: npm install --prefix .peers @mariozechner/pi-coding-agent@0.73.1, or PISCES_PEERS",
)
def test_templates_expand_as_in_pi(tmp_path: Path) -> None:
    driver = tmp_path / "driver.mjs"
    driver.write_text(PI_DRIVER)
    (tmp_path / "prompts").mkdir()
    for number, text in enumerate(PI_TEXTS):
        (tmp_path / "prompts" / f"p{number}.md").write_text(text, encoding="utf-8")
    cases = [(number, args) for number in range(len(PI_TEXTS)) for args in ARGS]
    told = answers(
        ["node", str(driver), str(PI), str(tmp_path)], [f"/p{number} {args}" for number, args in cases], tmp_path
    )
    workspace = Workspace(tmp_path)
    ours = [workspace.run("pi", PI_TEXTS[number], args).text for number, args in cases]
    assert dict(zip(cases, ours, strict=True)) == dict(zip(cases, told, strict=True))


@pytest.mark.skipif(
    BUN is None or not OMP.exists(),
    reason="needs omp: npm install --prefix .peers bun@1 @oh-my-pi/pi-coding-agent@18.2.3, or PISCES_PEERS",
)
def test_commands_expand_as_in_omp(tmp_path: Path) -> None:
    driver = tmp_path / "driver.ts"
    driver.write_text(OMP_DRIVER)
    cases = [(text, args) for text in OMP_TEXTS for args in ARGS]
    told = answers([str(BUN), str(driver), str(OMP)], cases, tmp_path)
    workspace = Workspace(tmp_path)
    ours = [workspace.run("omp", text, args).text for text, args in cases]
    assert {case: text.rstrip() for case, text in zip(cases, ours, strict=True)} == dict(zip(cases, told, strict=True))


class Model(BaseHTTPRequestHandler):
    """Hears what Claude Code would say to a model, and says `ok`."""

    heard: list[dict[str, Any]]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer("application/json", "{}")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.heard += asked.get("messages", [])
        message: dict[str, Any] = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [],
            "stop_reason": None,
        }
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": {**message, "usage": {"input_tokens": 1, "output_tokens": 1}}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
        told = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._answer("text/event-stream", told)

    def _answer(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


CLAUDE_CASES = [
    (
        r"All <$ARGUMENTS> <$0> <$1> <$ARGUMENTS[1]> <$ARGUMENTS[9]> <$$0> <\$0> <\\$0> <$0x> <$ARGUMENTSX> <$HOME>",
        'a "b c" d',
    ),
    ("---\ndescription: x\n---\n\n  No place.\n\n", "a  b"),
    ("---\narguments: [issue, branch]\n---\n$issue on $branch, $issues, \\$issue, ${issue}", "42"),
    ("a !`echo one` b:!`echo no`\n```!\necho two\necho $0\n```\n`!`echo no`` !`printf '%s|' \"$1\" $0` !``", "x 'y z'"),
]


@pytest.mark.skipif(
    CLAUDE is None, reason="needs Claude Code: npm install --prefix .peers @anthropic-ai/claude-code@2.1.325"
)
def test_commands_expand_as_in_claude_code(tmp_path: Path) -> None:
    heard: list[dict[str, Any]] = []
    model = type("Here", (Model,), {"heard": heard})
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    workspace = Workspace(work)
    with ThreadingHTTPServer(("127.0.0.1", 0), model) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for text, args in CLAUDE_CASES:
            ours = workspace.run("claude", text, args, name=".claude/commands/do.md").text
            heard.clear()
            _claude(f"/do {args}", server.server_port, work, home)
            assert ours in _texts(heard)
        server.shutdown()


def _claude(line: str, port: int, work: Path, home: Path) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    argv = [str(CLAUDE), "-p", line, "--allowedTools", "Bash"]
    subprocess.run(argv, cwd=work, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)


def _texts(heard: list[dict[str, Any]]) -> list[str]:
    contents = [message["content"] for message in heard if message["role"] == "user"]
    return [
        part.get("text", "")
        for content in contents
        for part in ([{"text": content}] if isinstance(content, str) else content)
    ]
