"""What people complain about in other terminal agents, tried here: docs/concepts/complaints.md has the list."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

import os
import signal
import termios

import pyte

from tests.ui.terminal.tmux import ShellPerson, TmuxPerson
from tests.ui.terminal.typist import ENTER, ESCAPE, Typist, pasted

BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
ANSWER = "\n\n".join(
    f"## Heading {number}\n\nSome **bold** words, {number}.\n\n```python\nx = {number}\n```" for number in range(12)
)
HEADINGS = [f"Heading {number}" for number in range(12)]


class Film:
    """Shows again what a terminal was sent, one update after the other."""

    def __init__(self, shown: str, columns: int = 80, rows: int = 24) -> None:
        self._screen = pyte.HistoryScreen(columns, rows, history=5000)
        self._stream = pyte.Stream(self._screen)
        self.between = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", "", shown, flags=re.DOTALL)
        self._updates = shown.split(END)

    def __iter__(self) -> Film:
        self._left = iter(self._updates)
        return self

    def __next__(self) -> tuple[list[str], int]:
        """All lines above the frame, and the row of the cursor counted from the frame's rule."""
        self._stream.feed(next(self._left) + END)
        columns = range(self._screen.columns)
        above = ["".join(line[at].data for at in columns).rstrip() for line in self._screen.history.top]
        lines = [*above, *(line.rstrip() for line in self._screen.display)]
        rules = [at for at, line in enumerate(lines) if line.startswith("──")]
        frame = rules[-1] if rules else len(lines)
        return lines[:frame], len(above) + self._screen.cursor.y - frame


def test_updates_are_atomic_and_at_most_twenty_a_second(tmp_path: Path) -> None:
    """Flicker: all that moves the cursor is between the marks, and no update clears the screen."""
    person = Typist(tmp_path, ["word " * 120], pace=0.01)
    person.is_ready()
    start = len(person.shown)
    person.type(b"go\r")
    person.sees("tokens")
    shown = person.shown[start:]
    assert shown.count(BEGIN) == shown.count(END)
    assert not re.search(r"\x1b\[[0-9;]*[A-HJKSTf]", Film(shown).between)
    assert "\x1b[2J" not in shown
    drawn = [each for each in shown.split(END) if "word" in each]
    assert len(drawn) < 120, "a frame for each word"
    person.leave()


def test_no_line_above_the_live_area_is_ever_written_again(tmp_path: Path) -> None:
    """Scrollback that jumps, and a cursor that leaves the caret while the answer comes."""
    person = Typist(tmp_path, [ANSWER, "and an end"], pace=0.002)
    person.is_ready()
    person.settle()
    person.type(b"go")
    person.settle()
    start = person.shown.index(BEGIN)
    person.type(ENTER)
    person.sees("Heading 0")
    person.type(b"typed meanwhile")
    person.sees("x = 11")
    person.type(ENTER)
    person.sees("and an end")
    person.settle()
    printed: list[str] = []
    for above, caret in Film(person.shown[start : person.shown.rindex(END)]):
        finished = [line for line in above if line in HEADINGS]
        assert finished == HEADINGS[: len(finished)], "a heading twice, or none"
        assert finished[: len(printed)] == printed, "a line that was printed has changed"
        printed = finished[:-1]  # the last one may be in the live area yet
        assert caret == 1, "the cursor is not in the box"
    assert printed == HEADINGS[:-1]
    person.leave()


def test_nothing_wipes_the_scrollback(tmp_path: Path) -> None:
    with TmuxPerson(tmp_path, [ANSWER, "another answer"]) as person:
        person.sees("/help")
        person.type("go")
        person.key("Enter")
        person.sees("x = 11")
        before = [line for line in person.everything if line in HEADINGS]
        person.key("C-l")
        person.type("/help")
        person.key("Enter")
        person.sees("/theme")
        person.key("Escape")
        person.type("again")
        person.key("Enter")
        person.sees("another answer")
        assert before == HEADINGS
        assert [line for line in person.everything if line in HEADINGS] == HEADINGS


def test_the_conversation_stays_on_the_terminal_when_the_program_has_ended(tmp_path: Path) -> None:
    """Native scroll, selection and copy: the main screen, and no mouse mode."""
    with ShellPerson(tmp_path, [ANSWER]) as person:
        person.sees_prompt()
        person.type(person.words)
        person.key("Enter")
        person.sees("/help")
        person.type("go")
        person.key("Enter")
        person.sees("x = 11")
        modes = person._said("display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{mouse_standard_flag}")
        assert modes.split() == ["0", "0", "0"]
        person.key("C-d")
        person.sees_prompt()
        assert [line for line in person.everything if line in HEADINGS] == HEADINGS
        assert not any("─────" in line for line in person.everything)


def test_an_answer_writes_as_many_bytes_late_as_early(tmp_path: Path) -> None:
    """Slower the longer it runs: what a frame costs does not depend on what was said before."""
    words = "Some **words**.\n\n```python\nfor each in all:\n    print(each)\n```\n\nOver {:03}"
    person = Typist(tmp_path, [words.format(number) for number in range(40)])
    person.is_ready()
    sizes = []
    for number in range(40):
        before = person.settle(0.06)
        person.type(b"go\r")
        person.sees(f"Over {number:03}")
        sizes.append(person.settle(0.06) - before)
    early, late = sorted(sizes[2:10])[4], sorted(sizes[-8:])[4]
    assert late < early * 1.3
    person.leave()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nobody counts how often a process wakes")
def test_it_does_not_wake_while_nobody_types(tmp_path: Path) -> None:
    """CPU at rest: no timer runs, so the process sleeps until a key comes."""
    person = Typist(tmp_path, ["an answer"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("an answer")
    person.settle(3.0)  # remarks in the frame go away by themselves

    def wakes() -> int:
        folder = Path("/proc", str(person._process.pid), "task")
        texts = [path.read_text("ascii") for path in folder.glob("*/status")]
        return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if "ctxt_switches" in line)

    before = wakes()
    person.settle(3.0)
    assert wakes() - before <= 1
    person.leave()


def test_a_paste_is_one_line_to_send_and_can_be_unfolded(tmp_path: Path) -> None:
    person = Typist(tmp_path, ["got it"])
    person.is_ready()
    person.type(pasted("\n".join(f"pasted line {number}" for number in range(12))))
    person.sees("[pasted 12 lines #1]")
    person.type(b"\x1bp")
    person.sees("pasted line 11")
    person.wait_until(lambda: not any("[pasted" in line for line in person.lines), "the text itself")
    assert "got it" not in "".join(person.everything)
    person.settle()
    person.type(ENTER)
    person.sees("got it")
    sent = [text for path in (tmp_path / ".pisces").rglob("sessions/**/*.jsonl") for text in [path.read_text()]]
    assert sum(text.count("pasted line 0\\npasted line 1\\n") for text in sent) == 1
    person.leave()


def test_copied_code_has_no_margin_and_no_broken_lines(tmp_path: Path) -> None:
    long = "value = [" + ", ".join(map(str, range(60))) + "]"
    answer = f"Look:\n\n```python\nif True:\n    {long}\n```\n\nThat was it"
    with TmuxPerson(tmp_path, [answer], size=(60, 20)) as person:
        person.sees("/help")
        person.type("go")
        person.key("Enter")
        person.sees("That was it")
        assert "if True:" in person.everything
        assert f"    {long}" in person.everything


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_every_mode_that_was_switched_on_is_off_when_it_ends_in_the_middle(tmp_path: Path, number: int) -> None:
    person = Typist(tmp_path, [ANSWER], pace=0.05)
    person.is_ready()
    person.type(b"go\r")
    person.sees("Heading 0")
    person.signal(number)
    assert person.end() == 128 + number
    last = dict(re.findall(r"\x1b\[\?([0-9]+)([hl])", person.shown))
    assert last.pop("25") == "h", "the cursor is hidden"
    assert {mode for mode, state in last.items() if state == "h"} == set()


@pytest.mark.parametrize("what", ["SystemExit(3)", "KeyboardInterrupt", "MemoryError('no room')", "RecursionError"])
def test_a_module_that_ends_the_program_does_not_take_the_terminal_with_it(tmp_path: Path, what: str) -> None:
    module = tmp_path / "module.py"
    head = "from pisces.events import TurnEnd\n\n\ndef extension(pisces):\n    @pisces.on(TurnEnd)\n"
    module.write_text(f"{head}    def end(event):\n        raise {what}\n", encoding="utf-8")
    person = Typist(tmp_path, ["first", "second"], words=["-e", str(module)])
    person.is_ready()
    person.type(b"go\r")
    person.sees("first")
    person.settle()
    if person._process.poll() is None:
        person.type(b"again\r")
        person.sees("second")
        person.leave()
    else:
        person.end()
    last = dict(re.findall(r"\x1b\[\?([0-9]+)([hl])", person.shown))
    assert (last["2004"], last["25"]) == ("l", "h")


def test_after_a_kill_the_next_run_leaves_a_terminal_that_works(tmp_path: Path) -> None:
    with ShellPerson(tmp_path, ["answered"]) as person:
        person.sees_prompt()
        person.type(f"{person.words}; echo gone $?")
        person.key("Enter")
        person.sees("/help")
        pane = person._said("display-message", "-p", "#{pane_pid}").strip()
        children = Path(f"/proc/{pane}/task/{pane}/children")
        if not children.exists():
            pytest.skip("nobody says which children a process has")
        for child in children.read_text("ascii").split():
            os.kill(int(child), signal.SIGKILL)
        person.sees("gone 137")
        person.type(f"{person.words} hello; echo over")
        person.key("C-j")  # Enter does nothing in the raw mode that was left behind
        person.sees("answered")
        person.key("C-d")
        person.sees("over")
        person.sees_prompt()
        person.type("echo se$((1+1))en")
        person.key("Enter")
        person.sees("se2en")
        assert any(line.endswith("echo se$((1+1))en") for line in person.everything), "no echo"


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system does not count what is read")
def test_a_long_session_is_not_read_to_show_its_end(tmp_path: Path) -> None:
    def read_by(person: Typist) -> int:
        return int(Path("/proc", str(person._process.pid), "io").read_text("ascii").split()[1])

    person = Typist(tmp_path, ["stored words"])
    person.is_ready()
    person.type(b"go\r")
    person.sees("stored words")
    before = read_by(person)
    person.leave()
    (path,) = (tmp_path / ".pisces").rglob("sessions/**/*.jsonl")
    parent = json.loads(path.read_text("utf-8").splitlines()[-1])["id"]
    with path.open("a", encoding="utf-8") as file:
        for number in range(100_000):
            message = {"role": ("user", "model")[number % 2], "parts": [{"type": "text", "text": f"answer {number}"}]}
            entry = {"type": "message", "id": f"{number:08x}", "parent": parent, "at": 1.5, "message": message}
            file.write(json.dumps(entry) + "\n")
            parent = f"{number:08x}"
    person = Typist(tmp_path, ["more"], words=["--resume", "last"])
    person.is_ready()
    person.sees("answer 99999")
    assert read_by(person) - before < path.stat().st_size / 4
    person.leave()


def test_the_box_says_what_enter_does_now(tmp_path: Path) -> None:
    person = Typist(tmp_path, [ANSWER, "second"], pace=0.02)
    person.is_ready()
    assert not any("queues" in line for line in person.lines)
    person.type(b"go\r")
    person.sees("esc stops")
    person.type(b"more")
    person.sees("enter queues · ctrl+s sends now · esc stops")
    person.type(ENTER)
    person.sees("queued: more")
    person.type(ESCAPE)
    person.sees("second")
    person.leave()


def test_raw_mode_is_left_on_the_way_out(tmp_path: Path) -> None:
    person = Typist(tmp_path)
    before = termios.ECHO | termios.ICANON | termios.ISIG
    person.is_ready()
    assert not person.modes() & before
    person.type(b"\x04")
    person.wait_until(lambda: person.modes() & before == before, "the modes of before")
    assert person.end() == 0
