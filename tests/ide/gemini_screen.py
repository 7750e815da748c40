"""The screen of a Gemini CLI that a person sits at: what it shows, and keys typed at it."""

from __future__ import annotations

import threading
from pathlib import Path
from time import monotonic
from types import TracebackType

import pytest

from tests.ide.gemini_terminal import PTY_HOST, Home, Terminal, until

LINES, COLUMNS = 45, 120

PASTED_WITHIN = 0.15  # seconds, with a margin

pyte = pytest.importorskip("pyte", reason="needs pyte to see the screen of Gemini CLI")


class _Screen(pyte.Screen):  # type: ignore[name-defined,misc]
    def select_graphic_rendition(self, *attributes: int, private: bool = False) -> None:
        """Some sequences of newer keyboards end like colours do; pyte has no argument for them."""
        if not private:
            super().select_graphic_rendition(*attributes)


class GeminiScreen:
    def __init__(self, home: Home, cwd: Path, *arguments: str, **env: str) -> None:
        self._screen = _Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        self._terminal = Terminal(home, cwd, *arguments, host=PTY_HOST, **env)
        self._seen = 0

    def __enter__(self) -> GeminiScreen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._terminal.__exit__(kind, error, at)

    def text(self) -> str:
        with self._lock:
            new = bytes(self._terminal.output[self._seen :])
            self._seen += len(new)
            self._stream.feed(new)
            return "\n".join(self._screen.display)

    def shows(self, words: str) -> None:
        assert until(lambda: words in self.text()), f"{words!r} was never shown:\n{self.text()}"

    def hides(self, words: str) -> None:
        assert until(lambda: words not in self.text()), f"{words!r} is still shown:\n{self.text()}"

    def type(self, keys: str) -> None:
        self._terminal.type(keys)

    def submit(self, prompt: str) -> None:
        """Return is typed apart: together with the text, or within 30 ms of it, it would count as pasted."""
        self.type(prompt)
        self.shows(prompt)
        shown = monotonic()
        until(lambda: monotonic() - shown > PASTED_WITHIN)
        self.type("\r")
