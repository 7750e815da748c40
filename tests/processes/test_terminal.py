"""An interactive program has a real terminal, and the user gets theirs back: at a pseudoterminal, and in tmux."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given, settings, strategies as st

if sys.platform == "win32":
    pytest.skip("pseudoterminals", allow_module_level=True)

from pisces.processes.launch import Launch, Limits
from pisces.processes.systems import windows
from pisces.processes.systems.screen_guard import ScreenGuard
from pisces.processes.terminal import UserTerminal
from tests.processes.person import PATIENCE, RUN, at_terminal

ASKS = "import getpass; name = input('name: '); word = getpass.getpass('word: '); print(f'<{name}:{word[::-1]}>')"
SIZE = """
import os, signal, sys
def show(*_):
    size = os.get_terminal_size()
    os.write(1, f"size {size.columns} {size.lines}\\n".encode())
signal.signal(signal.SIGWINCH, show)
show()
for line in sys.stdin:
    break
"""
INTERRUPTED = """
import os, signal
def note(*_):
    os.write(1, b"interrupted\\n")
    os._exit(5)
signal.signal(signal.SIGINT, note)
print("ready", flush=True)
signal.pause()
"""


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-c", code)


def is_gone(pid: int) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False).stdout.strip()
    return not shown or shown.startswith(b"Z")


def eventually(is_true: Callable[[], bool]) -> bool:
    deadline = monotonic() + PATIENCE
    while not is_true() and monotonic() < deadline:
        threading.Event().wait(0.02)
    return is_true()


def test_the_program_is_on_a_terminal_with_the_users_size(tmp_path: Path) -> None:
    with at_terminal(
        tmp_path, *python("import os; print(*map(os.isatty, (0, 1, 2)), os.ttyname(0)); exit(4)")
    ) as person:
        person.sees("True True True /dev/")
        person.sees("code 4 signal  reason  failure ]")


def test_questions_and_passwords_are_answered_and_passwords_not_shown(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *python(ASKS)) as person:
        person.sees("name: ")
        person.types("ada\r")
        person.sees("ada\r\n")
        person.sees("word: ")
        person.types("s3cret\r")
        shown = person.sees("<ada:terc3s>")
        person.sees("code 0")
        assert b"s3cret" not in shown.string


def test_ctrl_c_is_for_the_program(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *python(INTERRUPTED)) as person:
        person.sees("ready")
        person.types("\x03")
        person.sees("interrupted")
        person.sees("code 5 signal  reason  ")


def test_ctrl_c_kills_a_program_that_does_not_mind_it(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "sh", "-c", "echo ready; exec sleep 30") as person:
        person.sees("ready")
        person.types("\x03")
        person.sees("code None signal SIGINT")


def test_ctrl_d_is_the_end_of_input(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "sh", "-c", "echo ready; cat; echo over") as person:
        person.sees("ready")
        person.types("line\r")
        person.sees("line\r\nline\r\n")
        person.types("\x04")
        person.sees("over")
        person.sees("code 0")


def test_ctrl_z_leaves_nothing_stopped(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "sh", "-c", "echo ready; read x; kill -STOP $$; echo got $x") as person:
        person.sees("ready")
        person.types("\x1a")
        person.types("word\r")
        person.sees("got word")
        person.sees("code 0")


def test_a_new_window_size_is_passed_on(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *python(SIZE)) as person:
        person.sees("size 80 24")
        person.resize(50, 132)
        person.sees("size 132 50")
        person.types("\r")
        person.sees("code 0")


@pytest.mark.parametrize("ending", ["exit 0", "kill -SEGV $$", "kill -KILL $$", "stty raw -echo; exit 1"])
def test_the_terminal_is_given_back_however_the_program_ends(tmp_path: Path, ending: str) -> None:
    with at_terminal(tmp_path, "sh", "-c", f"echo ready; read x; {ending}") as person:
        before = person.modes()
        person.sees("ready")
        assert person.modes() != before
        person.types("\r")
        person.sees("code ")
        assert person.modes() == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_terminal_is_given_back_and_the_program_ended_when_we_are(tmp_path: Path, number: signal.Signals) -> None:
    with at_terminal(tmp_path, "sh", "-c", "echo pid $$.; trap '' TERM HUP; while :; do sleep 0.1; done") as person:
        before = person.modes()
        pid = int(person.sees(r"pid (\d+)\.")[1])
        person.program.send_signal(number)
        person.program.wait(PATIENCE)
        assert person.modes() == before
        assert eventually(lambda: is_gone(pid))


def test_what_cannot_be_started_leaves_the_terminal_alone(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "/no/such/program") as person:
        before = person.modes()
        person.sees("code None signal  reason  failure No such file or directory")
        assert person.modes() == before


def test_when_the_users_terminal_goes_away_so_does_the_program(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "sh", "-c", "echo pid $$.; trap '' HUP; while :; do sleep 0.1; done") as person:
        pid = int(person.sees(r"pid (\d+)\.")[1])
        person.hangs_up()
        assert eventually(lambda: is_gone(pid))
        person.program.wait(PATIENCE)


def test_time_and_output_are_limited_here_too(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "sleep", "30", seconds=0.2) as person:
        person.sees("signal SIGTERM reason timeout")
    with at_terminal(tmp_path, "yes", output=1000) as person:
        person.sees("reason too much output")


def test_suspending_us_gives_the_terminal_back_until_we_go_on(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "cat") as person:
        before = person.modes()
        person.types("one\r")
        person.sees("one\r\none\r\n")
        raw = person.modes()
        person.program.send_signal(signal.SIGTSTP)
        assert os.WIFSTOPPED(os.waitpid(person.program.pid, os.WUNTRACED)[1])
        assert person.modes() == before != raw
        person.program.send_signal(signal.SIGCONT)
        assert eventually(lambda: person.modes() == raw)
        person.types("two\r")
        person.sees("two\r\ntwo\r\n")
        person.types("\x04")
        person.sees("code 0")


def test_modes_that_a_killed_program_left_are_undone(tmp_path: Path) -> None:
    line = r"printf '\033[?1049h\033[?25l\033[?2004h ready'; kill -KILL $$"
    with at_terminal(tmp_path, "sh", "-c", line) as person:
        person.sees("ready")
        person.sees(r"\x1b\[\?1049l\x1b\[\?25h\x1b\[\?2004l\x1b\[0m")
        person.sees("signal SIGKILL")


def test_a_pipe_instead_of_a_keyboard_ends_like_one(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, "10", "0", "cat"]
    done = subprocess.run(
        command, input=b"from a pipe\n", capture_output=True, cwd=tmp_path, timeout=PATIENCE, check=True
    )
    assert b"from a pipe\r\nfrom a pipe\r\n" in done.stdout
    assert b"[code 0 " in done.stdout


def test_more_is_typed_than_the_program_reads(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "sh", "-c", "stty -echo -icanon; echo ready; head -c 200000 | wc -c") as person:
        person.sees("ready")
        keys = threading.Thread(target=person.types, args=("x" * 200_000,), daemon=True)
        keys.start()
        person.sees("200000")
        keys.join(PATIENCE)
        person.sees("code 0")


@pytest.mark.parametrize(
    ("written", "passed"),
    [
        (b"a\x1b]52;c;cm0=\x07b", b"a\x1b\\b"),
        (b"a\x1b]52;c;cm0=\x1b\\b", b"a\x1b\\b"),
        (b"a\x1b]0;title\x07\x1b]2;title\x1b\\b", b"a\x1b\\\x1b\\b"),
        (b"a\x1b]0052;c;cm0=\x07\x1b]00000000000000000000052;c;cm0=\x07b", b"a\x1b\\\x1b\\b"),
        (b"a\x1b];title\x07b", b"a\x1b\\b"),
        (b"a\x1bktitle\x1b\\b", b"a\x1b\\b"),
        (b"a\xc2\x9d52;c;cm0=\xc2\x9cb", b"a\x1b\\b"),
        (b"a\x1b[21t\x1b[020;1tb", b"a\x1b\\\x1b\\b"),
        (b"a\x1b]5\x1b[21t2;c;cm0=\x07b", b"a\x1b]5\x1b\\2;c;cm0=\x07b"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"),
        (
            b"\x1b]11;?\x07\x1b[?1049h\x1b[2J\x1b[1;1H\x1b[31m\xc3\xa9\xff",
            b"\x1b]11;?\x07\x1b[?1049h\x1b[2J\x1b[1;1H\x1b[31m\xc3\xa9\xff",
        ),
        (b"\x1b]0;never ended\x1b[31mred", b"\x1b\\\x1b[31mred"),
    ],
)
def test_clipboard_and_titles_are_not_the_programs_to_write(written: bytes, passed: bytes) -> None:
    assert ScreenGuard().passed(written) == passed
    guard = ScreenGuard()
    assert b"".join(guard.passed(written[at : at + 1]) for at in range(len(written))) == passed


PIECES = [
    b"\x1b",
    b"\x1b]",
    b"\x1b]0;t",
    b"\x1b]52;c;eA==",
    b"\x1b]8;;x",
    b"\x1bk",
    b"\x1b\\",
    b"\x07",
    b"\xc2",
    b"\xc2\x9d",
]
PIECES += [
    b"52",
    b";",
    b"\x9d",
    b"2",
    b"1",
    b"\x1b[",
    b"\x1b[?1049h",
    b"\x1b[21t",
    b"t",
    b"text",
    b"\n",
    b"\xc3\xa9",
    b"\x18",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join), st.lists(st.integers(0, 5), max_size=12))
def test_a_sequence_that_is_cut_in_two_gets_through_no_better(data: bytes, sizes: list[int]) -> None:
    whole = ScreenGuard().passed(data)
    guard, rest, parts = ScreenGuard(), data, list[bytes]()
    for size in sizes:
        parts.append(guard.passed(rest[:size]))
        rest = rest[size:]
    assert b"".join([*parts, guard.passed(rest)]) == whole
    assert not re.search(rb"(\x1b\]|\xc2\x9d)0*(52|[012])?[;\x07]|\x1bk|\x1b\[0*2[01]t", whole)


def test_without_pseudoterminals_the_program_has_our_own(tmp_path: Path) -> None:
    launch = Launch(("sh", "-c", "echo here; exit 3"), str(tmp_path), dict(os.environ), Limits(seconds=10))
    read, write = os.pipe()
    ended = windows.run_in_terminal(launch, UserTerminal(screen=write))
    os.close(write)
    with open(read, "rb") as file:
        assert (file.read(), ended.code) == (b"here\n", 3)
    slow = launch.replace(argv=("sleep", "30"), limits=Limits(seconds=0.1, grace=1))
    assert windows.run_in_terminal(slow, UserTerminal()).reason == "timeout"


class Tmux:
    def __init__(self, folder: Path) -> None:
        self.prefix = ["tmux", "-S", str(folder / "socket"), "-f", os.devnull]

    def __call__(self, *words: str) -> str:
        return subprocess.run([*self.prefix, *words], capture_output=True, check=True, text=True, timeout=20).stdout

    def sees(self, text: str) -> None:
        deadline = monotonic() + PATIENCE
        while text not in (shown := self("capture-pane", "-p")):
            assert monotonic() < deadline, f"{text!r} did not appear: {shown}"
            threading.Event().wait(0.02)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed")
    server = Tmux(tmp_path)
    server("new-session", "-d", "-x", "80", "-y", "24", "env", "PS1=shell$ ", "ENV=", "sh")
    yield server
    subprocess.run([*server.prefix, "kill-server"], capture_output=True, check=False)


def test_a_person_in_tmux_answers_interrupts_and_resizes(tmux: Tmux, tmp_path: Path) -> None:
    tmux.sees("shell$")
    for name, code in (("asks", ASKS), ("size", SIZE), ("interrupted", INTERRUPTED), ("run", RUN)):
        (tmp_path / f"{name}.py").write_text(code)

    def starts(name: str) -> None:
        words = [sys.executable, str(tmp_path / "run.py"), "0", "0", sys.executable, str(tmp_path / f"{name}.py")]
        tmux("send-keys", "clear; " + shlex.join(words), "Enter")

    starts("asks")
    tmux.sees("name:")
    tmux("send-keys", "ada", "Enter")
    tmux.sees("word:")
    tmux("send-keys", "s3cret", "Enter")
    tmux.sees("<ada:terc3s>")
    tmux.sees("[code 0 signal  reason  failure ]\nshell$")
    assert "s3cret" not in tmux("capture-pane", "-p")
    starts("size")
    tmux.sees("size 80 24")
    tmux("resize-window", "-x", "100", "-y", "30")
    tmux.sees("size 100 30")
    tmux("send-keys", "Enter")
    tmux.sees("[code 0 signal  reason  failure ]\nshell$")
    starts("interrupted")
    tmux.sees("ready")
    tmux("send-keys", "C-c")
    tmux.sees("[code 5 signal  reason  failure ]\nshell$")
    tmux("send-keys", "echo alive and echoing", "Enter")
    tmux.sees("\nalive and echoing")
