"""Cards and commands in the program itself, on a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

pytest.importorskip("pyte")

from tests.ui.terminal.typist import CTRL_O, ENTER, Typist


def shell(command: str) -> list[dict[str, object]]:
    return [{"call": "shell", "input": {"command": command}}]


def test_a_call_is_asked_about_and_an_answer_for_the_session_covers_the_next(tmp_path: Path) -> None:
    person = Typist(tmp_path, [shell("git add one"), shell("git add two"), "all is done"])
    person.is_ready()
    person.type(b"go" + ENTER)
    person.sees("Run this command?")
    person.sees("asked by: approval mode ask")
    person.sees('command = "git add"')
    person.settle(0.5)
    person.type(b"s")
    person.sees("all is done")
    assert not any("Run this command?" in line for line in person.everything), "a card leaves nothing behind"
    person.type(b"/mode" + ENTER)
    person.sees("approval modes")
    assert person.leave() == 0


def test_ctrl_o_twice_shows_the_whole_conversation_and_q_gives_the_screen_back(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["the answer to all"])
    person.is_ready()
    person.type(b"go" + ENTER)
    person.sees("the answer to all")
    person.type(CTRL_O)
    person.sees("ctrl+o again")
    person.type(CTRL_O)
    person.sees("q leaves")
    person.type(b"q")
    person.type(b"/cost" + ENTER)
    person.sees("this session")
    assert person.leave() == 0
