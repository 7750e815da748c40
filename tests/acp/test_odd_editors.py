"""Editors that break the protocol, or vanish: the agent answers what it can, allows nothing, and ends with them."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("acp")

from tests.acp.editor import places_in

PATIENCE = 30.0
TURNS = [[{"call": "shell", "input": {"command": "touch made"}}], "after that"]
NO_MESSAGES = [
    b"garbage",
    b"",
    b"[1, 2]",
    b'"text"',
    b"7",
    b"{}",
    b"\xff\xfe",
    b'{"id": {}, "result": 1}',
    b'{"method": 5}',
]


class RawEditor:
    """Writes lines and reads lines, with no library in between."""

    def __init__(self, folder: Path) -> None:
        self.cwd = places_in(folder).cwd
        (folder / "script.json").write_text(json.dumps({"turns": TURNS}))
        env = {"HOME": str(folder), "PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
        words = [sys.executable, "-m", "pisces", "acp", "--model", f"scripted/{folder / 'script.json'}"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, cwd=self.cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        self._number = 0

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: Any) -> int:
        self._number += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode())
        return self._number

    def messages(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield json.loads(line)

    def answer_to(self, number: int) -> dict[str, Any]:
        return next(each for each in self.messages() if each.get("id") == number and "method" not in each)

    def started(self) -> str:
        self.send("initialize", protocolVersion=1, clientCapabilities={})
        return str(self.answer_to(self.send("session/new", cwd=self.cwd, mcpServers=[]))["result"]["sessionId"])

    def asked(self, session: str, prompt: list[dict[str, str]] | None = None) -> tuple[int, int]:
        """The number of the prompt, and that of the question which comes then."""
        prompt = prompt or [{"type": "text", "text": "go"}]
        number = self.send("session/prompt", sessionId=session, prompt=prompt)
        found = next(each for each in self.messages() if each.get("method") == "session/request_permission")
        return number, int(found["id"])

    def leave(self) -> tuple[int, str]:
        """The exit code, and what was complained about."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said.decode()


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[RawEditor]:
    made = RawEditor(tmp_path)
    yield made
    made.process.kill()
    made.process.communicate()


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"code": -1, "message": "no"}},
        {"result": None},
        {"result": {}},
        {"result": {"outcome": "once"}},
        {"result": {"outcome": {"outcome": "selected"}}},
        {"result": {"outcome": {"outcome": "selected", "optionId": "everything"}}},
    ],
    ids=str,
)
def test_an_answer_that_is_none_allows_nothing(editor: RawEditor, answer: dict[str, Any]) -> None:
    prompt, question = editor.asked(editor.started())
    editor.write(json.dumps({"jsonrpc": "2.0", "id": question, **answer}).encode())
    assert editor.answer_to(prompt)["result"] == {"stopReason": "end_turn"}
    assert not os.path.exists(os.path.join(editor.cwd, "made"))


def test_an_editor_that_vanishes_at_a_question_takes_the_agent_along(editor: RawEditor) -> None:
    editor.asked(editor.started())
    assert editor.leave() == (0, "")
    assert not os.path.exists(os.path.join(editor.cwd, "made"))


def test_a_question_that_is_answered_after_cancel_allows_nothing(editor: RawEditor) -> None:
    session = editor.started()
    prompt, question = editor.asked(session)
    editor.write(json.dumps({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}).encode())
    assert editor.answer_to(prompt)["result"] == {"stopReason": "cancelled"}
    late = {"outcome": {"outcome": "selected", "optionId": "once"}}
    editor.write(json.dumps({"jsonrpc": "2.0", "id": question, "result": late}).encode())
    again = editor.send("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "and now?"}])
    assert editor.answer_to(again)["result"] == {"stopReason": "end_turn"}
    assert not os.path.exists(os.path.join(editor.cwd, "made"))


def test_lines_that_are_no_messages_are_skipped(editor: RawEditor) -> None:
    editor.started()
    for line in NO_MESSAGES:
        editor.write(line)
    assert "sessions" in editor.answer_to(editor.send("session/list"))["result"]
    assert editor.answer_to(editor.send("no/such/method"))["error"]["code"] == -32601
    assert editor.leave() == (0, "")


def test_a_line_of_megabytes_is_a_prompt(editor: RawEditor) -> None:
    picture = base64.b64encode(os.urandom(3_000_000)).decode()
    prompt, question = editor.asked(editor.started(), [{"type": "image", "mimeType": "image/png", "data": picture}])
    editor.write(
        json.dumps({"jsonrpc": "2.0", "id": question, "result": {"outcome": {"outcome": "cancelled"}}}).encode()
    )
    assert editor.answer_to(prompt)["result"] == {"stopReason": "end_turn"}


def test_folders_and_sessions_that_are_none_are_refused(editor: RawEditor) -> None:
    editor.started()
    for folder in (".", "relative", "", "/nowhere/x", "/etc/passwd"):
        assert "error" in editor.answer_to(editor.send("session/new", cwd=folder, mcpServers=[])), folder
    for session in ("../../../etc/passwd", "/etc/passwd", "", "*"):
        loaded = editor.send("session/load", sessionId=session, cwd=editor.cwd, mcpServers=[])
        assert editor.answer_to(loaded)["error"]["code"] == -32002, session
