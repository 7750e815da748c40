"""Cards and commands in the program itself, on a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

pytest.importorskip("pyte")

from pisces.agent.transcript import read_transcript
from pisces.shapes.message import ImagePart
from tests.ui.terminal.test_pastes import PNG
from tests.ui.terminal.typist import CTRL_O, ENTER, Typist

CTRL_V = b"\x16"


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


def test_a_command_that_the_user_changes_on_the_card_runs_as_changed(tmp_path: Path) -> None:
    person = Typist(tmp_path, [shell("touch wrong"), "all is done"])
    person.is_ready()
    person.type(b"go" + ENTER)
    person.sees("change the command")
    person.settle(0.5)
    person.type(b"c")
    person.sees("enter sends it")
    person.type(b"\x15touch right" + ENTER)  # Ctrl-U
    person.sees("all is done")
    assert (tmp_path / "work" / "right").exists()
    assert not (tmp_path / "work" / "wrong").exists()
    assert person.leave() == 0


def test_an_answer_that_is_stored_is_no_change_of_extensions(tmp_path: Path) -> None:
    person = Typist(tmp_path, [shell("git add one"), "all is done", "the next answer"])
    person.is_ready()
    person.type(b"go" + ENTER)
    person.sees("Run this command?")
    person.settle(0.5)
    person.type(b"a")
    person.sees("all is done")
    person.settle()
    person.type(b"more" + ENTER)
    person.sees("the next answer")
    assert list(tmp_path.glob(".pisces/agent/workspaces/*/rules.toml"))
    assert not any("files of extensions changed" in line for line in person.everything)
    (tmp_path / "work" / "AGENTS.md").write_text("Be brief.")
    person.type(b"/cost" + ENTER)
    person.sees("files of extensions changed")
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


def clipboard_in(folder: Path, **programs: str) -> dict[str, str]:
    """An environment in which these programs read the clipboard."""
    (folder / "bin").mkdir()
    (folder / "picture.png").write_bytes(PNG)
    for name, line in programs.items():
        (folder / "bin" / name.replace("_", "-")).write_text(f"#!/bin/sh\n{line}\n")
        (folder / "bin" / name.replace("_", "-")).chmod(0o755)
    return {"PATH": f"{folder / 'bin'}:/usr/bin:/bin"}


def test_a_picture_in_the_clipboard_goes_with_the_line(tmp_path: Path) -> None:
    """The first program that reads clipboards has no picture: the next one is asked."""
    env = clipboard_in(tmp_path, wl_paste="echo no picture; exit 1", xclip=f"cat {tmp_path}/picture.png")
    person = Typist(tmp_path, ["I see it"], env=env)
    person.is_ready()
    person.type(b"what is ")
    person.type(CTRL_V)
    person.sees("> what is [image #1]")
    person.settle()
    person.type(ENTER)
    person.sees("I see it")
    assert person.leave() == 0
    (path,) = tmp_path.glob(".pisces/agent/sessions/*/*.jsonl")
    parts = [part for message in read_transcript(str(path)).messages for part in message.parts]
    assert [part.mime for part in parts if isinstance(part, ImagePart)] == ["image/png"]


def test_a_clipboard_without_a_picture_is_said_and_the_box_stays_as_it_is(tmp_path: Path) -> None:
    env = clipboard_in(tmp_path, wl_paste="echo text", xclip="exit 1")
    person = Typist(tmp_path, ["answered"], env=env)
    person.is_ready()
    person.type(b"words")
    person.type(CTRL_V)
    person.sees("no picture in the clipboard")
    person.settle()
    person.type(ENTER)
    person.sees("answered")
    assert person.leave() == 0
