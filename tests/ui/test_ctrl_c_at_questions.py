"""A Ctrl-C at a question stops the program, whenever it comes: also just before the program begins to read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

from tests.terminal import Terminal

# `interrupt_main` notes the signal and does not end a system call, just as a signal does that comes before the call.
NOTED = """
import _thread, asyncio, sys, threading, time
from pisces.ui import asking
from pisces.ui.screen import screen_here

def interrupt():
    while "{reads}" not in names(sys._current_frames()[threading.main_thread().ident]):
        time.sleep(0.001)
    time.sleep(0.05)  # by now it waits in the system call
    _thread.interrupt_main()

def names(frame):
    found = []
    while frame is not None:
        found.append(frame.f_code.co_name)
        frame = frame.f_back
    return found

threading.Thread(target=interrupt, daemon=True).start()
try:
    {asks}
except KeyboardInterrupt:
    print("stopped at once", flush=True)
"""
SECRET = """
from pisces.ui import asking
from pisces.ui.screen import screen_here
print("got", asking.secret_answer_to("Key: ", screen_here({})).upper(), flush=True)
"""
LINE = 'asking.answer_to("Sure? ", screen_here({}))'
ASKS = {
    "a line": ("_line", LINE),
    "a key": ("_key_after", "asking.shown_by_pages(map(str, range(99)), screen_here({}))"),
    "a secret": ("secret_answer_to", 'asking.secret_answer_to("Key: ", screen_here({}))'),
}
IN_A_LOOP = f"""
import asyncio
from pisces.ui import asking
from pisces.ui.screen import screen_here

async def main():
    {LINE}
    print("went on", flush=True)

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("stopped at once", flush=True)
"""


@pytest.mark.parametrize("what", ASKS)
def test_a_signal_that_comes_before_the_read_ends_the_wait(tmp_path: Path, what: str) -> None:
    reads, asks = ASKS[what]
    shell = Terminal(["-c", NOTED.format(reads=reads, asks=asks)], tmp_path, os.environ, (24, 80))
    shell.wait_for("stopped at once")
    assert shell.end() == 0, shell.shown


def test_the_first_ctrl_c_counts_where_a_loop_of_asyncio_runs(tmp_path: Path) -> None:
    shell = Terminal(["-c", IN_A_LOOP], tmp_path, os.environ, (24, 80))
    shell.wait_for("Sure?")
    shell.type(b"\x03")
    shell.wait_for("stopped at once")
    assert shell.end() == 0, shell.shown
    assert "went on" not in shell.shown


def test_a_secret_is_not_shown_and_the_terminal_is_as_before(tmp_path: Path) -> None:
    shell = Terminal(["-c", SECRET + "input('More? ')"], tmp_path, os.environ, (24, 80))
    shell.wait_for("Key: ")
    shell.type(b"hush\n")
    shell.wait_for("got HUSH")
    assert "hush" not in shell.shown
    shell.wait_for("More?")
    shell.type(b"seen\n")
    assert shell.end() == 0
    assert "seen" in shell.shown
