"""Faults while somebody watches: the session survives or resumes, nothing is lost, and the user is told."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

from tests.cli.agent_world import answer
from tests.models.recorder import Recorder
from tests.terminal import PATIENCE
from tests.ui.terminal.typist import ESCAPE, Typist

SLOW_ANSWER = " ".join(f"word-{number}" for number in range(2000))


def shell(command: str) -> list[dict[str, Any]]:
    return [{"call": "shell", "input": {"command": command}}]


def messages(folder: Path) -> list[dict[str, Any]]:
    """Of the only session below the folder, in the order of its file."""
    (path,) = (folder / ".pisces").rglob("sessions/**/*.jsonl")
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return [each["message"] for each in entries if each.get("type") == "message"]


def texts(folder: Path) -> str:
    return json.dumps(messages(folder))


def is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    stat = Path("/proc", str(number), "stat")
    return not stat.exists() or stat.read_text("utf-8", "replace").rpartition(")")[2].split()[0] != "Z"


def ends(number: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while is_alive(number):
        if time.monotonic() > deadline:
            return False
    return True


def started(path: Path, person: Typist) -> int:
    """The id that a command wrote into a file."""
    person.wait_until(lambda: path.exists() and path.read_text().endswith("\n"), "the process")
    return int(path.read_text())


def test_a_stream_that_is_cut_is_said_and_asked_for_again(tmp_path: Path) -> None:
    whole = answer("the whole answer")
    with Recorder() as model:
        model.body = whole[: len(whole) // 2]
        env = {"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": model.url}
        person = Typist(tmp_path, env=env, words=["--model", "anthropic/claude-sonnet-4-5"])
        person.is_ready()
        person.type(b"go\r")
        person.sees("the stream ended before the answer was complete")
        model.body = whole
        person.wait_until(lambda: "the whole answer" in person.lines, "the answer")
        person.settle()
        assert sum(line == "the whole answer" for line in person.everything) <= 2  # the cut one stays where it was
        person.leave()
    assert [each["role"] for each in messages(tmp_path)] == ["user", "model"]


@pytest.mark.parametrize("status", [429, 500])
def test_a_provider_that_refuses_for_good_is_said_and_the_line_is_not_lost(tmp_path: Path, status: int) -> None:
    failures = [{"error": f"refused with {status}", "status": status}]
    person = Typist(tmp_path, [*failures, "at last"])
    person.is_ready()
    person.type(b"my long question\r")
    person.sees(f"error: refused with {status}")
    person.settle()
    person.type(b"try again\r")
    person.sees("at last")
    person.leave()
    assert "my long question" in texts(tmp_path)


def test_a_tool_that_hangs_is_stopped_with_escape_and_its_process_ends(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    person = Typist(
        tmp_path,
        [shell(f"echo $$ > {path}; trap '' TERM INT; while :; do sleep 1; done"), "and on"],
        words=["--approve-mode", "all"],
    )
    person.is_ready()
    person.type(b"hang\r")
    number = started(path, person)
    person.type(ESCAPE)
    person.sees("…  stopped")
    assert ends(number)
    person.type(b"go on\r")
    person.sees("and on")
    person.leave()


def test_a_terminal_that_is_closed_while_a_tool_runs_ends_the_tool_and_keeps_the_session(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    person = Typist(tmp_path, [[*shell(f"echo $$ > {path}; sleep 1000")], "never"], words=["--approve-mode", "all"])
    person.is_ready()
    person.type(b"a line to keep\r")
    number = started(path, person)
    person.hang_up()
    assert ends(number)
    assert "a line to keep" in texts(tmp_path)
    again = Typist(tmp_path, ["and on"], words=["--resume", "last"])
    again.is_ready()
    again.sees("a line to keep")
    again.type(b"go on\r")
    again.sees("and on")
    again.leave()
    calls = [part for each in messages(tmp_path) for part in each["parts"]]
    assert [part["type"] for part in calls if part["type"] in ("call", "result")] == ["call", "result"]


def test_a_terminal_that_is_closed_while_it_answers_keeps_what_was_said(tmp_path: Path) -> None:
    person = Typist(tmp_path, [SLOW_ANSWER], pace=0.02)
    person.is_ready()
    person.type(b"a line to keep\r")
    person.sees("word-20")
    person.hang_up()
    stored = texts(tmp_path)
    assert "a line to keep" in stored
    assert "word-20" in stored


@pytest.mark.parametrize("when", ["answering", "calling"])
def test_a_killed_program_resumes_with_everything_that_was_settled(tmp_path: Path, when: str) -> None:
    path = tmp_path / "pid"
    turns: dict[str, list[Any]] = {"answering": [SLOW_ANSWER], "calling": [shell(f"echo $$ > {path}; sleep 1000")]}
    person = Typist(tmp_path, ["settled", *turns[when]], pace=0.02, words=["--approve-mode", "all"])
    person.is_ready()
    person.type(b"the first line\r")
    person.sees("settled")
    person.settle()
    person.type(b"the second line\r")
    if when == "answering":
        person.sees("word-5")
    else:
        number = started(path, person)
    person.signal(signal.SIGKILL)
    person.end()
    if when == "calling":
        os.kill(number, signal.SIGKILL)
    again = Typist(tmp_path, ["and on"], words=["--resume", "last"])
    again.is_ready()
    for text in ("> the first line", "settled", "> the second line", "was not finished"):
        again.sees(text)
    again.type(b"go on\r")
    again.sees("and on")
    again.leave()
    roles = [each["role"] for each in messages(tmp_path)]
    assert roles[0] == "user"
    assert roles[-1] == "model"


def test_a_full_disk_is_said_on_the_screen_and_the_conversation_goes_on(tmp_path: Path) -> None:
    """Nothing more fits into any file, which a module sees to in the middle of a session."""
    module = tmp_path / "module.py"
    module.write_text(
        "import resource\n\n\ndef extension(pisces):\n"
        "    @pisces.command('full')\n"
        "    async def full(_text):\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))\n"
        "        return 'the disk is full'\n"
        "    @pisces.command('free')\n"
        "    async def free(_text):\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "        return 'there is room'\n",
        encoding="utf-8",
    )
    person = Typist(tmp_path, ["answer one", "answer two", "answer three"], words=["-e", str(module)])
    person.is_ready()
    for line, seen in (
        (b"first", "answer one"),
        (b"/full", "the disk is full"),
        (b"second", "answer two"),
        (b"/free", "there is room"),
        (b"third", "answer three"),
    ):
        person.type(line)
        person.settle()
        person.type(b"\r")
        person.sees(seen)
        person.settle()
    assert any("goes on in memory" in line for line in person.everything)
    assert person.leave() == 0
    spoken = [part["text"] for each in messages(tmp_path) for part in each["parts"] if part["type"] == "text"]
    assert spoken == ["first", "answer one", "second", "answer two", "third", "answer three"]


def test_a_module_that_fails_at_every_word_is_said_once(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "from pisces.events import MessageUpdate\n\n\ndef extension(pisces):\n"
        "    @pisces.on(MessageUpdate)\n"
        "    def update(event):\n"
        "        raise ValueError('I broke')\n",
        encoding="utf-8",
    )
    person = Typist(tmp_path, ["one two three four five six", "the second answer"], words=["-e", str(module)])
    person.is_ready()
    for line, seen in ((b"go\r", "five six"), (b"again\r", "the second answer")):
        person.type(line)
        person.sees(seen)
        person.settle()
    person.leave()
    text = "".join(person.everything).replace(" ", "")  # the line may be broken anywhere
    assert text.count("module.pyfailedinMessageUpdate:ValueError:Ibroke") == 1


def test_a_window_of_twenty_by_five_is_used_to_the_end(tmp_path: Path) -> None:
    """Resized in the middle of an answer, with a question after it, and back."""
    (tmp_path / "outside.txt").write_text("x")
    call = {"call": "read", "input": {"path": str(tmp_path / "outside.txt")}}
    person = Typist(tmp_path, [" ".join(f"w{number}" for number in range(80)), [call], "all done"], pace=0.01)
    person.is_ready()
    person.type(b"go\r")
    person.sees("w5")
    person.resize(20, 5)
    person.wait_until(lambda: any("scripted" in line for line in person.lines), "the status")
    person.sees("w79")
    person.settle()
    person.type(b"read\r")
    person.wait_until(lambda: any(line.startswith("y/") for line in person.lines), "the letters of the card")
    person.settle(0.5)
    person.type(b"n")
    person.sees("all done")
    person.resize(80, 24)
    person.wait_until(lambda: any("──────" in line and len(line) == 80 for line in person.lines), "the frame")
    assert person.leave() == 0
