"""The one place that asks somebody at a terminal. What was typed before a question was shown does not answer it.

Every question throws away the terminal's input first, and reads past whatever Python has buffered of it.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress

from pisces.ui.ctrl_c import CtrlC
from pisces.ui.width import broken, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.ui.screen import Screen

_FEWEST_ROWS = 4  # a window with fewer shows no page
_STOPS = ("q", "Q", "\x03", "\x04", "\x1b", "")
_HASH = re.compile(r" {0,2}[a-z]{4,9} {1,3}sha256:[0-9a-f]{64}")
_LONGEST_KEY = 16  # bytes: an arrow is several, and begins with an escape


def can_ask(screen: Screen) -> bool:
    """Whether somebody reads what is shown and can answer."""
    return bool(sys.stdin and sys.stdin.isatty() and screen.err_is_terminal)


def answer_to(question: str, screen: Screen) -> str:
    """The line that somebody types; empty at the end of input. Ctrl-C raises."""
    typed = ""
    throw_away_input()
    with CtrlC() as ctrl_c:
        try:
            screen.question(question)
            typed = _line(ctrl_c)
        finally:
            if not typed.endswith("\n"):
                screen.note()
    return typed


def next_line() -> str:
    """The next line that somebody types, without a question; empty at the end of input."""
    with CtrlC() as ctrl_c:
        return _line(ctrl_c)


def secret_answer_to(question: str, screen: Screen) -> str:
    """The same for what must not be seen while it is typed."""
    if sys.platform == "win32":
        import getpass

        return getpass.getpass(question) + "\n"
    import termios

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    silent = [*before[:3], before[3] & ~termios.ECHO | termios.ECHONL, *before[4:]]
    try:
        termios.tcsetattr(number, termios.TCSAFLUSH, silent)
        return answer_to(question, screen)
    finally:
        termios.tcsetattr(number, termios.TCSAFLUSH, before)


def shown_by_pages(lines: Iterable[str], screen: Screen) -> bool:
    """Shows lines, at a terminal a page at a time. False if the reader stopped before the end.

    A line that is too long goes on further right than it began, so that no part of it looks like a line of its own.
    """
    rows = screen.err_height
    parts = (part for line in lines for each in line.split("\n") for part in _fitted(each, screen.err_width))
    if not can_ask(screen) or rows < _FEWEST_ROWS:
        for part in parts:
            screen.note(part)
        return True
    pages = list(_pages(parts, rows - 1, screen))
    for number, page in enumerate(pages, 1):
        for line in page:
            screen.note(line)
        if number < len(pages) and not _goes_on(number, len(pages), screen):
            return False
    return True


def throw_away_input() -> None:
    """Forgets what was typed so far, if it comes from a terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        return
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        with suppress(termios.error):  # the terminal is gone: then nothing can be read either
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _fitted(line: str, width: int) -> Iterable[str]:
    """A hash behind its label is not broken: somebody copies it."""
    return (line,) if _HASH.fullmatch(line) else broken(line, width)


def _pages(lines: Iterable[str], rows: int, screen: Screen) -> Iterator[list[str]]:
    page: list[str] = []
    used = 0
    for line in lines:
        height = max(1, -(-width_of(line) // screen.err_width)) if screen.err_width else 1
        if page and used + height > rows:
            yield page
            page, used = [], 0
        page.append(line)
        used += height
    yield page


def _goes_on(number: int, last: int, screen: Screen) -> bool:
    try:
        return _key_after(f"-- page {number} of {last}: any key for the next one, q to stop --", screen) not in _STOPS
    finally:
        screen.progress("")


def _line(ctrl_c: CtrlC) -> str:
    """From a terminal by a reader of its own: the buffer of `sys.stdin` may hold what was typed before."""
    stdin = sys.stdin
    if not stdin.isatty():
        return stdin.readline()
    try:
        ctrl_c.wait_for_input(stdin.fileno())
        with open(stdin.fileno(), encoding=stdin.encoding, errors="replace", closefd=False) as reader:
            return reader.readline()
    except OSError:  # the terminal is gone
        return ""


def _key_after(question: str, screen: Screen) -> str:
    """One key, without Enter; empty where the terminal is gone."""
    throw_away_input()
    if sys.platform == "win32":
        import msvcrt

        screen.question(question)
        return msvcrt.getwch()
    import termios
    import tty

    number = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(number)
        try:
            tty.setcbreak(number)  # before the question is shown, because this throws input away too
            with CtrlC() as ctrl_c:
                screen.question(question)
                ctrl_c.wait_for_input(number)
                key = os.read(number, _LONGEST_KEY).decode("utf-8", "replace")
            return key if key.startswith("\x1b") else key[:1]
        finally:
            termios.tcsetattr(number, termios.TCSAFLUSH, before)
    except (OSError, termios.error):
        return ""
