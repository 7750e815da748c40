"""The terminal program on a real terminal, with a model that follows a script."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

import os
import signal
import termios

from tests.ui.terminal.typist import CTRL_C, CTRL_D, CTRL_O, CTRL_S, ENTER, ESCAPE, UP, Typist, pasted

SLOW = 0.05  # seconds between words, where something has to be typed meanwhile
LONG_ANSWER = "\n\n".join(f"Paragraph {number} of a long answer with some words in it." for number in range(60))


def test_the_box_is_there_and_an_answer_is_printed_above_it(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["# Hello\n\nSome **bold** text.\n\n```python\nprint(1)\n```\n"])
    person.is_ready()
    person.type(b"hi")
    person.type(ENTER)
    person.sees("print(1)")
    assert [line for line in person.everything if line][:5] == [
        person.everything[0],
        "> hi",
        "Hello",
        "Some bold text.",
        "print(1)",
    ]
    assert person.leave() == 0


def test_the_frame_is_three_lines_and_the_cursor_is_at_the_caret(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    person.type("a漢字b".encode())
    person.sees("a漢")
    row, column = person.cursor
    assert person.lines[row].replace(" ", "") == ">a漢字b"
    assert column == len("> ab") + 4
    assert person.lines[row - 1].startswith("───")
    assert person.lines[row + 1].startswith("scripted-1")
    assert not any(person.lines[row + 2 :])
    person.leave()


def test_nothing_is_drawn_while_idle(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    before = person.settle()
    assert person.settle(1.0) == before
    person.leave()


def test_a_line_typed_while_it_works_is_queued_and_up_takes_it_back(tmp_path: Path) -> None:
    person = Typist(tmp_path, [LONG_ANSWER, "second answer"], pace=SLOW)
    person.is_ready()
    person.type(b"first\r")
    person.sees("Paragraph 0")
    person.type(b"next")
    person.sees("enter queues")
    person.type(ENTER)
    person.sees("queued: next")
    person.type(UP)
    person.wait_until(lambda: "> next" in person.lines, "the line in the box")
    assert not any("queued:" in line for line in person.lines)
    person.type(b" one")
    person.type(ENTER)
    person.sees("queued: next one")
    person.type(ESCAPE)
    person.sees("second answer")
    person.leave()


def test_escape_stops_the_answer_and_the_session_goes_on(tmp_path: Path) -> None:
    person = Typist(tmp_path, [LONG_ANSWER, "the second answer"], pace=SLOW)
    person.is_ready()
    person.type(b"first\r")
    person.sees("Paragraph 1")
    person.type(ESCAPE)
    person.sees("stopped")
    person.type(b"again\r")
    person.sees("the second answer")
    text = "\n".join(person.everything)
    assert text.count("Paragraph 0") == 1
    person.leave()


def test_ctrl_s_sends_to_the_running_agent(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    person = Typist(
        tmp_path, ["one two three four five six seven eight nine ten " * 3, "and now the steered answer"], pace=SLOW
    )
    person.is_ready()
    person.type(b"first\r")
    person.sees("one two")
    person.type(b"rather this")
    person.type(CTRL_S)
    person.sees("> rather this")
    person.sees("and now the steered answer")
    person.leave()


def test_the_first_ctrl_c_clears_and_the_second_leaves(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    person.type(b"some text")
    person.sees("> some text")
    person.type(CTRL_C)
    person.sees("ctrl+c again leaves")
    assert "> some text" not in person.lines
    person.type(CTRL_C)
    assert person.end() == 0


def test_ctrl_d_leaves_on_an_empty_box_only(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    person.type(b"x")
    person.sees("> x")
    person.type(CTRL_D)
    person.type(b"\x7f")
    person.wait_until(lambda: ">" in person.lines, "an empty box")
    person.type(CTRL_D)
    assert person.end() == 0


def test_a_long_paste_is_folded_and_sent_whole(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["got it"])
    person.is_ready()
    person.type(pasted("\n".join(f"line {number}" for number in range(120))))
    person.sees("[pasted 120 lines #1]")
    person.type(b" ok")
    person.sees("#1] ok")
    person.type(ENTER)
    person.sees("got it")
    transcript = next((tmp_path / ".pisces").rglob("*.jsonl"))
    stored = [path.read_text() for path in (tmp_path / ".pisces").rglob("sessions/**/*.jsonl")]
    assert transcript
    assert any("line 0\\nline 1\\n" in text and "line 119 ok" in text for text in stored)
    person.leave()


def test_lines_that_come_at_once_are_a_paste_where_the_terminal_does_not_say_so(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["answered"])
    person.is_ready()
    person.type(b"one\rtwo\rthree")
    person.sees("  three")
    assert "> one" in person.lines
    assert "  two" in person.lines
    assert "answered" not in person.lines
    person.leave()


def test_newlines_by_key_and_by_backslash(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["answered"])
    person.is_ready()
    person.type(b"one\x1b\rtwo\x0athree\\\rfour")
    person.sees("  four")
    row = person.lines.index("> one")
    assert person.lines[row : row + 4] == ["> one", "  two", "  three", "  four"]
    person.leave()


def test_escape_codes_of_the_model_do_nothing(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["before \x1b[2J\x1b[31mred\x1b]0;title\x07 \x9b5A after\n\n```\n\x1b[1;1Hcode\n```\n"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("code")
    person.settle()
    assert "\x1b[2J" not in person.shown.replace("\r", "")
    assert "title" not in person.shown
    assert any("before" in line and "after" in line for line in person.lines)
    person.leave()


def test_a_tool_is_printed_once_and_ctrl_o_shows_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("".join(f"row {number}\n" for number in range(30)))
    person = Typist(tmp_path, [[{"call": "read", "input": {"path": "a.txt"}}], "it has rows"])
    person.is_ready()
    person.type(b"read\r")
    person.sees("it has rows")
    assert sum("● read a.txt" in line for line in person.everything) == 1
    assert not any("row 29" in line for line in person.everything)
    person.type(CTRL_O)
    person.sees("row 29")
    person.leave()


def test_a_failure_of_the_model_is_shown_and_the_session_goes_on(tmp_path: Path) -> None:
    person = Typist(tmp_path, [{"error": "the key was refused", "status": 401}, "better now"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("error: the key was refused")
    person.type(b"again\r")
    person.sees("better now")
    person.leave()


def test_the_users_own_shell_line_runs_and_the_model_reads_it(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["noted"])
    person.is_ready()
    person.type(b"!echo $((40+2)) apples\r")
    person.sees("42 apples")
    person.type(b"go on\r")
    person.sees("noted")
    stored = [path.read_text() for path in (tmp_path / ".pisces").rglob("sessions/**/*.jsonl")]
    assert any("42 apples" in text for text in stored)
    person.leave()


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (80, 24)])
def test_every_word_is_there_in_a_small_window(tmp_path: Path, size: tuple[int, int]) -> None:
    person = Typist(tmp_path, ["\n\n".join(f"answer number {number}" for number in range(20))], size=size)
    person.wait_until(lambda: any("scripted" in line for line in person.lines), "the status")
    person.type(b"go\r")
    person.sees("number 19")
    for number in range(20):
        assert sum(f"number {number}" == line.removeprefix("answer ") for line in person.everything) == 1
    assert all(len(line) <= size[0] for line in person.lines)
    person.leave()


def test_no_colour_means_no_codes_for_colours(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["**bold** `code`\n\n```python\nx = 1\n```\n"], env={"NO_COLOR": "1"})
    person.is_ready()
    person.type(b"go\r")
    person.sees("x = 1")
    assert set(re.findall(r"\x1b\[([0-9;]*)m", person.shown)) == {"0"}
    person.leave()


def test_a_locale_without_utf8_gets_plain_marks(tmp_path: Path) -> None:
    person = Typist(
        tmp_path, ["plain"], env={"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    )
    person.is_ready()
    person.type(b"go\r")
    person.sees("plain")
    assert any(line.startswith("--") for line in person.lines)
    person.leave()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_given_back_on_signals(tmp_path: Path, number: int) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    before = person.modes()
    assert not before & termios.ECHO
    person.signal(number)
    person.wait_until(lambda: bool(person.modes() & termios.ECHO), "the echo")
    assert person.end() == 128 + number
    assert "\x1b[?2004l" in person.shown


def test_a_closed_terminal_ends_the_program_and_the_session_is_stored(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["an answer to keep"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("an answer to keep")
    person.hang_up()
    stored = [path.read_text() for path in (tmp_path / ".pisces").rglob("sessions/**/*.jsonl")]
    assert any("an answer to keep" in text for text in stored)


def test_after_a_kill_the_next_start_resets_the_terminal(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    assert person.shown.index("\x1b[?25h") < person.shown.index("───")
    assert "\x1b[?1000h" not in person.shown
    assert "\x1b[?1002h" not in person.shown
    assert "\x1b[3J" not in person.shown
    person.leave()


def test_history_is_private_and_comes_back_with_up(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["first answer"])
    person.is_ready()
    person.type(b"a line to remember\r")
    person.sees("first answer")
    person.leave()
    (path,) = (tmp_path / ".pisces" / "agent" / "history").iterdir()
    assert oct(os.stat(path).st_mode & 0o777) == "0o600"
    person = Typist(tmp_path)
    person.is_ready()
    person.settle()
    person.type(UP)
    person.sees("> a line to remember")
    person.leave()


def test_a_line_typed_before_the_session_is_open_runs_when_it_is(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["answer to an early line"])
    person.type(b"early\r")
    person.sees("answer to an early line")
    person.leave()


def test_an_unknown_model_is_an_error_before_anything_else(tmp_path: Path) -> None:
    person = Typist(tmp_path, words=["--model", "scripted/nowhere.json"])
    assert person.end() == 2
    assert "cannot be read" in person.shown


def test_a_question_is_a_card_in_the_live_area_and_one_letter_answers(tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("the secret\n")
    call = {"call": "read", "input": {"path": str(tmp_path / "outside.txt")}}
    person = Typist(tmp_path, [[call], "now I know it"])
    person.is_ready()
    person.type(b"read it\r")
    person.sees("yes, once")
    person.settle(0.5)  # what is typed as a question appears is no answer
    person.type(b"y")
    person.sees("now I know it")
    assert not any("yes, once" in line for line in person.everything)
    assert sum("● read" in line for line in person.everything) == 1
    person.leave()


def test_commands_are_completed_while_they_are_typed(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    person.is_ready()
    person.type(b"/the")
    person.sees("the colours")
    person.type(b"\t")
    person.sees("> /theme")
    person.type(b" none\r")
    person.settle()  # two lines at once would be a paste
    person.type(b"/nonsense\r")
    person.sees("`/help` shows the commands of pisces")
    person.settle()
    person.type(b"/modle\r")
    person.sees("did you mean `/mode` or `/model`?")
    person.type(b"/sess")
    person.sees("sessions of this workspace")
    person.settle()
    person.type(ENTER)
    person.sees("> /sessions")
    assert not any("`/resume ID`" in line for line in person.everything), "it is not sent yet"
    person.settle()
    person.type(ENTER)
    person.sees("`/resume ID`")
    person.leave()


def test_ctrl_r_finds_what_was_typed_before(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["one", "two"])
    person.is_ready()
    for text in (b"a first line\r", b"another thing\r"):
        person.type(text)
        person.settle()
    person.type(b"\x12")
    person.sees("history:")
    person.type(b"first")
    person.wait_until(lambda: "history: first" in person.lines, "the search")
    person.type(ENTER)
    person.wait_until(lambda: "> a first line" in person.lines and "history: first" not in person.lines, "it")
    person.leave()


def test_the_editor_gets_the_text_and_gives_it_back(tmp_path: Path) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/draft/final/" "$1"\n')
    editor.chmod(0o755)
    person = Typist(tmp_path, ["answered"], env={"EDITOR": str(editor)})
    person.is_ready()
    person.type(b"a draft text")
    person.sees("> a draft text")
    person.type(b"\x07")
    person.sees("> a final text")
    person.type(ENTER)
    person.sees("answered")
    person.leave()


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 3), (300, 4)])
def test_an_absurd_window_breaks_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    person = Typist(tmp_path, ["words " * 40, "second"], size=size)
    person.type("go 漢字\r".encode())
    person.settle(1.0)
    person.resize(80, 24)
    person.type(b"again\r")
    person.sees("second")
    assert person.leave() == 0


def test_a_megabyte_without_a_line_end_is_shown(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["x" * 300_000 + " end\n\n```\n" + "y" * 100_000 + "\n```\nover"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("over")
    person.leave()


def test_a_huge_paste_is_taken_at_once(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["thanks"])
    person.is_ready()
    person.type(b"\x1b[200~")
    for _ in range(200):
        person.type(b"some words of a huge text\r" * 100)
        person._read()
    person.type(b"\x1b[201~")
    person.sees("[pasted 20000 lines #1]")
    person.settle()
    person.type(ENTER)
    person.sees("thanks")
    person.leave()


def test_a_session_that_goes_on_shows_where_it_was(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["the **first** answer"])
    person.is_ready()
    person.type(b"remember me\r")
    person.sees("the first answer")
    person.leave()
    person = Typist(tmp_path, ["more"], words=["--continue"])
    person.is_ready()
    person.sees("the first answer")
    assert "> remember me" in person.lines
    person.type(b"go on\r")
    person.sees("more")
    person.leave()


def test_a_line_in_the_shell_is_stopped_with_escape(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["fine"])
    person.is_ready()
    person.type(b"!echo begun; sleep 1000\r")
    person.sees("  begun")
    person.type(ESCAPE)
    person.sees("stopped")
    person.type(b"go on\r")
    person.sees("fine")
    person.leave()


def test_a_retry_is_one_line(tmp_path: Path) -> None:
    person = Typist(tmp_path, [{"error": "overloaded", "status": 529, "passing": True}, "after the retry"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("after the retry")
    assert sum("overloaded" in line for line in person.everything) == 1
    person.leave()
