"""A person at a terminal with the program on it: types, waits for text, reads the screen and the scrollback."""

from __future__ import annotations

import copy
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    raise ImportError("needs POSIX terminals")

import fcntl
import struct
import termios

import pyte

from tests.terminal import PATIENCE, Terminal

_ALTERNATE = 1049
ENTER, ESCAPE, UP, CTRL_C, CTRL_D, CTRL_S, CTRL_O = b"\r", b"\x1b", b"\x1b[A", b"\x03", b"\x04", b"\x13", b"\x0f"


def script_in(folder: Path, turns: Sequence[Any], pace: float = 0.0) -> Path:
    path = folder / "script.json"
    path.write_text(json.dumps({"turns": turns, "pace": pace}), encoding="utf-8")
    return path


def pasted(text: str) -> bytes:
    """As a terminal sends it that knows bracketed paste."""
    return b"\x1b[200~" + text.replace("\n", "\r").encode() + b"\x1b[201~"


class TwoScreens(pyte.HistoryScreen):
    """pyte knows no alternate screen: here it is one."""

    def set_mode(self, *modes: int, **options: bool) -> None:
        if _ALTERNATE in modes and options.get("private"):
            self._main = ({at: copy.copy(line) for at, line in self.buffer.items()}, self.cursor.y, self.cursor.x)
            self.erase_in_display(2)
        super().set_mode(*modes, **options)

    def reset_mode(self, *modes: int, **options: bool) -> None:
        if _ALTERNATE in modes and options.get("private"):
            lines, row, column = self._main
            self.erase_in_display(2)
            self.buffer.update(lines)
            self.cursor_position(row + 1, column + 1)
            self.dirty.update(range(self.lines))
        super().reset_mode(*modes, **options)


class Typist(Terminal):
    """`env` is added to a small environment of its own. The home is `folder`, the workspace below it."""

    def __init__(  # noqa: PLR0913  # a test names only what it is about
        self,
        folder: Path,
        turns: Sequence[Any] = (),
        *,
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        words: Sequence[str] = (),
        pace: float = 0.0,
    ) -> None:
        work = folder / "work"
        work.mkdir(exist_ok=True)
        columns, rows = size
        self.screen = TwoScreens(columns, rows, history=5000, ratio=0.5)
        self._stream = pyte.ByteStream(self.screen)
        self._fed = 0
        model = [] if "--model" in words else ["--model", f"scripted/{script_in(folder, turns, pace)}"]
        variables = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            **(env or {}),
        }
        super().__init__(["-m", "pisces", *model, *words], work, variables, (rows, columns))

    @property
    def bytes_shown(self) -> int:
        return len(self._shown)

    @property
    def lines(self) -> list[str]:
        """What is on the screen."""
        self._feed()
        return [line.rstrip() for line in self.screen.display]

    @property
    def everything(self) -> list[str]:
        """The scrollback, and then the screen."""
        self._feed()
        above = [
            "".join(line[at].data for at in range(self.screen.columns)).rstrip() for line in self.screen.history.top
        ]
        return [*above, *self.lines]

    @property
    def cursor(self) -> tuple[int, int]:
        self._feed()
        return (self.screen.cursor.y, self.screen.cursor.x)

    def wait_until(self, is_true: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_true():
            assert time.monotonic() < deadline, f"{what} never came:\n" + "\n".join(self.lines)
            assert self._read_all() or is_true(), f"it ended before {what}:\n" + "\n".join(self.lines)

    def sees(self, text: str) -> None:
        """Waits until the text is on the screen or in the scrollback."""
        self.wait_until(lambda: any(text in line for line in self.everything), repr(text))

    def is_ready(self) -> None:
        self.sees("/help")
        self.wait_until(lambda: not any("starting" in line for line in self.lines), "the session")

    def settle(self, seconds: float = 0.3) -> int:
        """Reads until nothing has come for so long; how many bytes have come in all."""
        quiet_since, before = time.monotonic(), self.bytes_shown
        while time.monotonic() - quiet_since < seconds and self._read():
            if self.bytes_shown != before:
                quiet_since, before = time.monotonic(), self.bytes_shown
        return self.bytes_shown

    def resize(self, columns: int, rows: int) -> None:
        """pyte does not break long lines anew, as old terminals do not; tmux does."""
        self._feed()
        self.screen.resize(rows, columns)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self._process.pid, signal.SIGWINCH)

    def signal(self, number: int) -> None:
        os.kill(self._process.pid, number)

    def modes(self) -> int:
        """The local modes of the terminal."""
        local: int = termios.tcgetattr(self._master)[3]
        return local

    def hang_up(self) -> int:
        """Closes the terminal and waits for the end of the program."""
        os.close(self._master)
        return self._process.wait(timeout=PATIENCE)

    def leave(self) -> int:
        self.type(CTRL_C)
        self.type(CTRL_C)
        return self.end()

    def _read_all(self) -> bool:
        """All that is there by now: looking at the screen for each piece takes longer than the program needs."""
        is_open = self._read()
        while is_open and select.select([self._master], [], [], 0)[0]:
            is_open = self._read()
        return is_open

    def _feed(self) -> None:
        self._stream.feed(self._shown[self._fed :])
        self._fed = len(self._shown)
