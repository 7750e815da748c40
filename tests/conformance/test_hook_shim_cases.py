"""Recorded cases of Claude Code's hooks, converted for Gemini CLI and run by its real runner.

What Claude Code denied is denied, what it let pass is let pass, what it rewrote is rewritten. `STRICTER` has the cases
in which a guard meant to refuse and Claude Code did not see it: here it is seen.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.converted_hooks import HookCase, converted, needs_gemini, verdicts
from tests.conformance.corpus import corpus_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = corpus_folder() / "hook-cases.jsonl"
LINES = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]

pytestmark = [needs_gemini, pytest.mark.skipif(not ROWS, reason="needs hook-cases.jsonl in PISCES_CORPUS")]

# Of other parts of a session: rules, switches, trust, other hooks' scopes, what a model says.
_ELSEWHERE = ("args", "project_settings", "local_settings", "side", "answer", "trusted", "prompts")
_TOOLS = {"Bash": "run_shell_command", "Write": "write_file", "Read": "read_file", "Agent": "invoke_agent"}
_KEYS = {"subagent_type": "agent_name"}
STRICTER = frozenset(
    """
    exit0-deny-bad-sibling exit0-deny-log-after exit0-deny-log-before exit0-deny-toplevel exit0-deny-unknown-value
    onFailure-json-then-log timeout-after-deny json-array
    """.split()
)
REFUSED_BY_THE_TOOL = ("updated-wrong-type",)  # which checks its arguments when the hooks are done


def _hooks_of(row: dict[str, Any]) -> Any:
    config = row["config"]
    if "plugins" in config:
        (files,) = config["plugins"].values()
        return files.get("hooks/hooks.json", {}).get("hooks")
    return (config.get("settings") or {}).get("hooks")


def _is_ours(row: dict[str, Any]) -> bool:
    config = row["config"]
    settings = config.get("settings") or {}
    if row["dialect"] != "claude" or row["kind"] not in ("hook", "event") or not row.get("calls"):
        return False
    if any(key in config for key in _ELSEWHERE) or set(settings) - {"hooks"}:
        return False
    types = {hook.get("type") for group in _groups(row) for hook in group.get("hooks") or ()}
    return bool(row.get("call")) and bool(_groups(row)) and types <= {"command", "http"}


def _groups(row: dict[str, Any]) -> list[dict[str, Any]]:
    hooks = _hooks_of(row)
    return [group for groups in (hooks or {}).values() for group in groups if isinstance(group, dict)]


CASES = {row["id"]: row for row in ROWS if _is_ours(row)}


class _Answers(BaseHTTPRequestHandler):
    answers: dict[str, Any]

    def do_POST(self) -> None:
        found = self.answers.get(self.path, {"status": 404, "body": {}})
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(found["status"])
        self.end_headers()
        self.wfile.write(json.dumps(found["body"]).encode())

    def log_message(self, format: str, *args: Any) -> None:  # its name there
        pass


@pytest.fixture
def address() -> Iterator[str]:
    answers = {path: each for row in CASES.values() for path, each in row["config"].get("http", {}).items()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Answers", (_Answers,), {"answers": answers}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def _case(row: dict[str, Any], folder: Path, address: str) -> HookCase:
    def placed(value: Any) -> Any:
        text = json.dumps(value).replace("@WORK@", str(folder)).replace("@HTTP@", address)
        return json.loads(text)

    folder.mkdir()
    for name, content in row["config"].get("files", {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content["text"] if isinstance(content, dict) else content, "utf-8")
        path.chmod(int(content.get("mode", "755"), 8) if isinstance(content, dict) else 0o755)
    call = placed(row["call"])
    tool = call["tool"]
    fields = {
        "tool_name": _TOOLS.get(tool) or "_".join(tool.split("__")),
        "tool_input": {_KEYS.get(key, key): value for key, value in call["input"].items()},
    }
    if tool.startswith("mcp__"):
        _, server, name = tool.split("__")
        fields["mcp_context"] = {"server_name": server, "tool_name": name}
    extension = converted(folder, placed(_hooks_of(row)))
    return {"id": row["id"], "extension": str(extension), "event": "BeforeTool", "cwd": str(folder), "fields": fields}


def _expected(row: dict[str, Any]) -> str:
    """A question that a hook did not ask is put by rules, of which there are none here."""
    (call,) = row["calls"]
    if row["id"] in STRICTER or call["verdict"] == "never reached":
        return "deny"
    if row["id"] in REFUSED_BY_THE_TOOL:
        return "allow"
    asks = '"ask"' in json.dumps(_hooks_of(row)).replace("\\", "")
    if call["verdict"] == "denied" and row["config"].get("headless") and not asks:
        return "allow"  # the question that nobody can answer
    return "ask" if asks and call["verdict"] != "ran" else "deny" if call["verdict"] == "denied" else "allow"


def test_recorded_cases_end_as_in_claude_code_or_stricter(tmp_path: Path, address: str) -> None:
    cases = [_case(row, tmp_path / str(number), address) for number, row in enumerate(CASES.values())]
    found = verdicts(cases, tmp_path)
    wanted = {name: _expected(row) for name, row in CASES.items()}
    assert len(wanted) >= 100
    assert {name: found[name].get("decision", "allow") for name in wanted} == wanted
    rewritten = {
        name: row["calls"][0]["ran_with"]
        for name, row in CASES.items()
        if row["calls"][0]["ran_with"] not in (None, row["call"]["input"])
    }
    assert {name: found[name]["input"] for name in rewritten} == rewritten
