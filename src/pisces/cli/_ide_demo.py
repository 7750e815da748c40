"""`pisces ide serve --demo`: you are the editor, and say what you look at and what you think of a diff."""

from __future__ import annotations

import difflib
import os
import shlex

from pisces.cli._ide_pipes import input_lines
from pisces.cli._shell_command import FINE
from pisces.files import Unreadable, read_text, walk
from pisces.ide.companion.companion import Companion
from pisces.ide.companion.options import CompanionOptions, Editor, Window
from pisces.ide.companion.signals import stop_on_signals
from pisces.shapes.ide_context import MOST_FILES, Cursor
from pisces.ui.screen import Screen, visible

_MOST_LINE = 64 * 1024
_WORDS = "focus FILE [LINE [TEXT SELECTED]], close FILE, accept, reject, quit"


class Desk:
    """What a person at the terminal sees and says; the newest diff is the one that is talked about."""

    def __init__(self, window: Window, options: CompanionOptions, screen: Screen) -> None:
        self._screen = screen
        self._diffs: dict[str, str] = {}
        editor = Editor(
            self._show, lambda path: self._diffs.pop(path, None), lambda count: screen.note(f"{count} connected")
        )
        self.companion = Companion(window, editor, options)

    def say(self, line: str) -> bool:
        """Does what the words say; False when they say quit."""
        try:
            act, *words = shlex.split(line) or [""]
        except ValueError as error:
            act, words = f"({error})", []
        if act in ("quit", "exit"):
            return False
        if act == "focus" and words:
            line_number = int(words[1]) if len(words) > 1 and words[1].isdigit() else 1
            self.companion.open_files.focus(os.path.abspath(words[0]), Cursor(line_number, 1), " ".join(words[2:]))
        elif act == "close" and words:
            self.companion.open_files.close(os.path.abspath(words[0]))
        elif act in ("accept", "reject") and self._diffs:
            self._settle(act)
        elif act:
            self._screen.note(f"say one of: {_WORDS}")
        return True

    def _settle(self, act: str) -> None:
        path, content = self._diffs.popitem()
        done = self.companion.accept(path, content) if act == "accept" else self.companion.reject(path)
        self._screen.note(f"{act}ed {visible(path)}" if done else "that was settled in the terminal")

    def _show(self, path: str, content: str) -> None:
        self._diffs[path] = content
        try:
            before = read_text(path)
        except Unreadable:
            before = ""
        for each in difflib.unified_diff(before.splitlines(), content.splitlines(), path, "proposed", lineterm=""):
            self._screen.line(visible(each))
        self._screen.note("accept or reject?")


def demo(window: Window, options: CompanionOptions, screen: Screen) -> int:
    desk = Desk(window, options, screen)
    stop_on_signals(desk.companion)
    for path in _newest(window.workspace):
        desk.companion.open_files.focus(path)
    with desk.companion as companion:
        for problem in companion.problems:
            screen.note(visible(problem.message))
        screen.note("in another terminal, set these and start an agent there:")
        for name, value in companion.env.items():
            screen.line(f"export {name}={shlex.quote(value)}")
        screen.note(f"then say here: {_WORDS}")
        for line in input_lines(_MOST_LINE):
            if not desk.say(line.decode("utf-8", "replace")):
                break
    return FINE


def _newest(folders: tuple[str, ...]) -> list[str]:
    """Files that a person is likely to have open, the newest last."""
    files = [entry for folder in folders for entry in walk(folder, depth=3) if not entry.name.startswith(".")]
    return [entry.path for entry in sorted(files, key=_changed)[-MOST_FILES:]]


def _changed(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:  # it went while we looked
        return 0.0
