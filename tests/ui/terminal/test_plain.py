"""`TERM=dumb`: lines only, nothing is redrawn."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

from tests.ui.terminal.typist import CTRL_C, CTRL_D, Typist

DUMB = {"TERM": "dumb"}


def test_lines_are_written_once_and_without_codes(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["# Head\n\nSome **bold** words.\n\n```python\nx = 1\n```\n"], env=DUMB)
    person.wait_for("/help")
    person.wait_for("> ")
    person.type(b"hello\n")
    person.wait_for("x = 1")
    person.wait_for("> ", 2)
    person.type(CTRL_D)
    assert person.end() == 0
    assert "\x1b" not in person.shown
    assert [line for line in person.shown.splitlines() if line.strip()][1:] == [
        "> hello",
        "Head",
        "Some bold words.",
        "x = 1",
        "> ",
    ]


def test_a_question_is_lines_and_a_letter(tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("secret")
    call = {"call": "read", "input": {"path": str(tmp_path / "outside.txt")}}
    person = Typist(tmp_path, [[call], "it was denied"], env=DUMB)
    person.wait_for("/help")
    person.type(b"hello\n")
    person.wait_for("e  explain")
    person.settle(0.5)  # what is typed as a question appears is no answer
    person.type(b"n\n")
    person.wait_for("it was denied")
    person.wait_for("> ", 3)
    person.type(CTRL_D)
    assert person.end() == 0
    assert re.search(r"read .*outside", person.shown)


def test_ctrl_c_stops_what_is_under_way_and_then_leaves(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["never said"], env=DUMB)
    person.wait_for("/help")
    person.type(b"!echo ready$((1+1)); sleep 1000\n")
    person.wait_for("> ", 1)
    person.settle(1.0)
    person.type(CTRL_C)
    person.wait_for("stopped")
    person.wait_for("> ", 2)
    person.type(CTRL_C)
    assert person.end() == 0
    assert "Traceback" not in person.shown
