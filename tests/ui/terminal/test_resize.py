"""What was printed stays as it is when the window changes: counted line by line, with the scrollback."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

from tests.ui.terminal.tmux import ShellPerson, TmuxPerson
from tests.ui.terminal.typist import Typist

ANSWER = "\n\n".join(f"## Heading {number}\n\nWords of part {number}." for number in range(30))
SIZES = ((60, 20), (100, 30), (40, 12), (20, 5), (80, 24), (30, 40), (80, 24))


def counts(lines: list[str]) -> dict[str, int]:
    return {f"Heading {number}": sum(f"Heading {number}" == line for line in lines) for number in range(30)}


def has_rule(person: Typist, width: int) -> bool:
    return "─" * width in person.lines


def test_resizes_in_tmux_write_nothing_again_and_leave_nothing_behind(tmp_path: Path) -> None:
    with TmuxPerson(tmp_path, [ANSWER]) as person:
        person.sees("/help")
        person.type("go")
        person.key("Enter")
        person.sees("Words of part 29.")
        person.type("some text in the box")
        person.sees("> some text in the box")
        for columns, rows in SIZES:
            person.resize(columns, rows)
            person.sees_status(columns)
        lines = person.everything
        assert set(counts(lines).values()) == {1}
        assert sum("──" in line for line in lines) == 1
        assert sum("some text in the box" in line for line in lines) == 1
        assert sum("scripted-1" in line for line in lines) == 2  # the first line, and the status
        row, column = person.cursor
        assert person.lines[row] == "> some text in the box"
        assert column == len("> some text in the box")


def test_resizes_while_it_answers(tmp_path: Path) -> None:
    with TmuxPerson(tmp_path, [ANSWER], pace=0.02) as person:
        person.sees("/help")
        person.type("go")
        person.key("Enter")
        for number, (columns, rows) in enumerate(SIZES):
            person.sees(f"Heading {number * 3}")
            person.resize(columns, rows)
        person.sees("Words of part 29.")
        assert set(counts(person.everything).values()) == {1}


TALL = "; ".join(f"echo part {number} of a long line for the card" for number in range(40))
OUTPUT = "for i in 1 2 3 4 5 6 7 8 9; do echo live $i ................................................... end; done"
WAITS = f"{TALL}; {OUTPUT}; while [ ! -e go ]; do sleep 0.05; done"
RESIZED = {
    "narrower": [(40, 24)],
    "wider and narrower": [(100, 24), (70, 24)],
    "shorter": [(80, 12)],
    "taller": [(80, 40)],
    "small and back": [(60, 20), (20, 5), (80, 24)],
}


def card_in(folder: Path) -> TmuxPerson:
    """A question that fills the window, about a tool that runs until there is a file `go`."""
    person = TmuxPerson(folder, ["words before", [{"call": "shell", "input": {"command": WAITS}}], "all done now"])
    person.sees("/help")
    person.type("first")
    person.key("Enter")
    person.sees("words before")
    person.type("second")
    person.key("Enter")
    person.sees_here("Run this command?")
    return person


def answer(person: TmuxPerson, key: str, seen: str) -> None:
    person.settle(0.5)
    person.key(key)
    person.sees(seen)


def assert_nothing_is_left(person: TmuxPerson, lines: int) -> None:
    """The card and the live output are gone; the tool is printed once, with so many lines of output."""
    everything = person.everything
    assert not [line for line in everything if "Run this command?" in line or "yes, once" in line]
    assert sum("──" in line for line in everything) == 1
    assert sum(line.startswith("● shell") for line in everything) == 1
    assert sum(line.startswith("  live ") for line in everything) == lines
    assert [line for line in everything if line in ("words before", "> second")] == ["words before", "> second"]


@pytest.mark.parametrize("how", ["narrower", "wider and narrower", "shorter", "taller"])
def test_a_resize_after_a_tall_question_leaves_no_live_line_behind(tmp_path: Path, how: str) -> None:
    with card_in(tmp_path) as person:
        answer(person, "y", "live 9")
        for columns, rows in RESIZED[how]:
            person.resize(columns, rows)
            person.settle(0.3)
        (tmp_path / "work" / "go").touch()
        person.sees("all done now")
        person.sees_status(columns)
        assert_nothing_is_left(person, 5)


@pytest.mark.parametrize("how", RESIZED)
def test_a_resize_while_a_tall_question_is_open_leaves_nothing_of_it_behind(tmp_path: Path, how: str) -> None:
    with card_in(tmp_path) as person:
        for columns, rows in RESIZED[how]:
            person.resize(columns, rows)
            person.sees_here("Run this command?")
            person.settle(0.3)
        (tmp_path / "work" / "go").touch()
        answer(person, "y", "all done now")
        person.sees_status(columns)
        assert_nothing_is_left(person, 5)


def test_several_resizes_at_once_and_ctrl_c_at_a_tall_question(tmp_path: Path) -> None:
    with card_in(tmp_path) as person:
        for columns, rows in SIZES:
            person.resize(columns, rows)
        answer(person, "C-c", "all done now")
        person.sees_status(columns)
        assert_nothing_is_left(person, 0)


def test_a_terminal_that_does_not_break_lines_anew_loses_nothing(tmp_path: Path) -> None:
    person = Typist(tmp_path, [ANSWER], env={"XTERM_VERSION": "XTerm(390)"})
    person.is_ready()
    person.type(b"go\r")
    person.sees("Words of part 29.")
    for columns in (60, 40, 80):
        person.resize(columns, 24)
        person.wait_until(partial(has_rule, person, columns), "a frame")
    assert set(counts(person.everything).values()) == {1}
    person.leave()


def test_a_suspended_program_comes_back_with_its_box(tmp_path: Path) -> None:
    with ShellPerson(tmp_path, ["answered"]) as person:
        person.type(f" {person.words}")
        person.key("Enter")
        person.sees("/help")
        person.type("half a line")
        person.sees("> half a line")
        person.key("C-z")
        person.sees("Stopped")
        person.type("echo sh$((1+1))ll; fg")
        person.key("Enter")
        person.sees("sh2ll")
        person.sees("> half a line")
        person.key("Enter")
        person.sees("answered")
        person.key("C-d")
        person.sees_prompt()
        person.type("stty -a | tr -d '\\n'; echo over$((1+1))")
        person.key("Enter")
        person.sees("over2")
        assert any(" echo " in line and " icanon " in line for line in person.everything)
