"""A process that is killed at any moment leaves a session that the next one goes on with."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pisces.agent.transcript import read_transcript
from pisces.session.prompt_run import CUT_ANSWER
from pisces.shapes.message import BY_MODEL, ChatMessage, ResultPart

ROUNDS = int(os.environ.get("PISCES_KILLS", "4"))


def run(folder: Path, *words: str) -> subprocess.Popen[str]:
    env = {"HOME": str(folder), "USERPROFILE": str(folder), "PATH": os.environ["PATH"]}
    env |= {name: os.environ[name] for name in ("SYSTEMROOT", "PYTHONPATH") if name in os.environ}
    command = [sys.executable, "-m", "pisces", *words, "--approve-mode", "all"]
    return subprocess.Popen(
        command,
        cwd=folder / "work",
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def script(folder: Path, name: str, turns: Sequence[object], pace: float = 0.0) -> str:
    path = folder / name
    path.write_text(json.dumps({"turns": turns, "pace": pace}), encoding="utf-8")
    return f"scripted/{path}"


def whole(messages: Sequence[ChatMessage]) -> bool:
    """Each call has its result in the next message."""
    for at, message in enumerate(messages):
        wanted = {call.id for call in message.calls} if message.role == BY_MODEL else set()
        parts = messages[at + 1].parts if at + 1 < len(messages) else ()
        if wanted - {part.id for part in parts if isinstance(part, ResultPart)}:
            return False
    return True


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_session_that_was_killed_at_any_event_goes_on(tmp_path: Path, seed: int) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("hello\n" * 2_000, encoding="utf-8")
    calls = [[{"call": "read", "input": {"path": "a.txt", "limit": 500 + number}}] for number in range(15)]
    model = script(tmp_path, "first.json", [*calls, "words " * 200], pace=0.001)
    process = run(tmp_path, "-p", "the first line", "--model", model, "--output-format", "jsonl")
    assert process.stdout is not None
    with process:
        # From the moment at which the user's line is stored on.
        for _ in range(random.Random(seed).randint(8, 120)):
            if not process.stdout.readline():
                break
        process.kill()
    (path,) = (tmp_path / ".pisces").rglob("sessions/**/*.jsonl")
    before = read_transcript(str(path)).messages
    assert before[0].text == "the first line"
    assert whole(before)
    again = run(tmp_path, "-p", "go on", "--resume", "last", "--model", script(tmp_path, "next.json", ["it went on"]))
    said, _ = again.communicate(timeout=60)
    assert again.returncode == 0, said
    assert "it went on" in said
    after = read_transcript(str(path)).messages
    assert [each.text for each in after[: len(before)]] == [each.text for each in before]
    assert whole(after)


def test_the_answer_that_grew_when_the_process_was_killed_is_there_afterwards(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    answer = " ".join(f"word{number}" for number in range(20_000))
    model = script(tmp_path, "first.json", [answer], pace=0.002)
    process = run(tmp_path, "-p", "the first line", "--model", model, "--output-format", "jsonl")
    assert process.stdout is not None
    with process:
        while not (written := [*(tmp_path / ".pisces").rglob("sessions/**/partial")]) or not written[0].stat().st_size:
            assert process.stdout.readline(), "it ended before it was killed"
        process.kill()
    (path,) = (tmp_path / ".pisces").rglob("sessions/**/*.jsonl")
    line, begun = read_transcript(str(path)).messages
    assert (line.text, begun.role) == ("the first line", BY_MODEL)
    assert begun.text.startswith("word0 word1 ")
    assert answer.startswith(begun.text)
    again = run(tmp_path, "-p", "go on", "--resume", "last", "--model", script(tmp_path, "next.json", ["it went on"]))
    said, _ = again.communicate(timeout=60)
    assert again.returncode == 0, said
    after = read_transcript(str(path)).messages
    assert [each.text for each in after[:2]] == [line.text, begun.text]
    assert CUT_ANSWER in after[2].parts[-1].text  # type: ignore[union-attr]
    assert after[3].text == "it went on"
    assert not written[0].exists()
