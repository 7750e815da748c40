"""A person in tmux, which breaks long lines anew when its window gets narrower, as most terminals do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from tests.ui.terminal.typist import script_in

PATIENCE = 30.0


class TmuxPerson:
    """Skips the test where tmux is missing. `close` ends the server."""

    def __init__(self, folder: Path, turns: Sequence[Any], size: tuple[int, int] = (80, 24), pace: float = 0.0) -> None:
        program = shutil.which("tmux")
        if program is None:
            pytest.skip("tmux is not installed")
        (folder / "work").mkdir(exist_ok=True)
        self._tmux = [program, "-S", str(folder / "s"), "-f", os.devnull]
        self.words = f"{sys.executable} -m pisces --model scripted/{script_in(folder, turns, pace)}"
        env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        new = ["new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "-c", str(folder / "work"), self.started]
        subprocess.run([*self._tmux, *new], env=env, check=True, cwd=folder / "work")

    @property
    def started(self) -> str:
        return self.words

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def _said(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], check=True, capture_output=True, encoding="utf-8").stdout

    @property
    def everything(self) -> list[str]:
        """The scrollback, and then the screen; lines that the terminal broke are whole."""
        return [line.rstrip() for line in self._said("capture-pane", "-p", "-J", "-S", "-").split("\n")]

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._said("capture-pane", "-p").split("\n")]

    @property
    def cursor(self) -> tuple[int, int]:
        row, column = self._said("display-message", "-p", "#{cursor_y} #{cursor_x}").split()
        return int(row), int(column)

    def type(self, text: str) -> None:
        self._said("send-keys", "-l", text)

    def key(self, name: str) -> None:
        self._said("send-keys", name)

    def resize(self, columns: int, rows: int) -> None:
        self._said("resize-window", "-x", str(columns), "-y", str(rows))

    def sees(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not any(text in line for line in self.everything):
            assert time.monotonic() < deadline, f"{text!r} never came:\n" + "\n".join(self.everything)

    def sees_here(self, text: str) -> None:
        """On the screen, whatever the scrollback has."""
        deadline = time.monotonic() + PATIENCE
        while not any(text in line for line in self.lines):
            assert time.monotonic() < deadline, f"{text!r} is not on the screen:\n" + "\n".join(self.lines)

    def settle(self, seconds: float) -> None:
        """Looks until nothing has changed for so long: a key that comes just after a question does not answer it."""
        seen, since = self.lines, time.monotonic()
        while time.monotonic() - since < seconds:
            if self.lines != seen:
                seen, since = self.lines, time.monotonic()

    def sees_status(self, width: int) -> None:
        """The frame has been drawn for this width."""
        deadline = time.monotonic() + PATIENCE
        while [line for line in self.lines if "──" in line] != ["─" * width]:
            assert time.monotonic() < deadline, "no frame:\n" + "\n".join(self.lines)


class ShellPerson(TmuxPerson):
    """The same with a shell, in which the program is yet to be started."""

    @property
    def started(self) -> str:
        return "sh -i"

    def sees_prompt(self) -> None:
        """The shell waits for a command."""
        deadline = time.monotonic() + PATIENCE
        while self.lines[self.cursor[0]] not in ("#", "$"):
            assert time.monotonic() < deadline, "no prompt:\n" + "\n".join(self.lines)
