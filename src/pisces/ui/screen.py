"""Where output goes: one object with the two streams, and colour only where somebody is looking."""

from __future__ import annotations

import os
import sys

from pisces.by_name import export_of
from pisces.formats.visible import visible as visible  # whoever writes to a screen needs it too
from pisces.ui.width import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TextIO

    from pisces.diagnostics import Diagnostic

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}

_ASSUMED = 80  # what test runners and the like set for their children, without meaning it


class Screen:
    """`colour` is decided once: a terminal on stdout, no NO_COLOR, or FORCE_COLOR.

    `width` is that of the terminal, or what COLUMNS says; 0 where there is none. Lines for people are folded to it.
    """

    __slots__ = ("_err", "_has_progress", "_out", "colour", "err_width", "width")

    def __init__(self, out: TextIO, err: TextIO, env: Mapping[str, str]) -> None:
        self._out = out
        self._err = err
        wanted = _is_terminal(out) and env.get("TERM") != "dumb"
        self.colour = bool(env.get("FORCE_COLOR")) or (wanted and not env.get("NO_COLOR"))
        self.width = _width(out, env)
        self.err_width = _width(err, env)
        self._has_progress = False

    @property
    def is_terminal(self) -> bool:
        return _is_terminal(self._out)

    @property
    def err_is_terminal(self) -> bool:
        return _is_terminal(self._err)

    @property
    def err_height(self) -> int:
        """How many rows the terminal of notes has; 0 where nobody knows."""
        try:
            return os.get_terminal_size(self._err.fileno()).lines if self.err_is_terminal else 0
        except (OSError, ValueError, AttributeError):  # not a real stream
            return 0

    def line(self, text: str = "") -> None:
        """One line of data."""
        self.lines((text,))

    def lines(self, lines: Iterable[str]) -> None:
        """Lines of data, all at once: the stream is asked once instead of for each."""
        every = list(lines)
        if self.width:
            every = [part for text in every for line in text.split("\n") for part in folded(line, self.width)]
        if every:
            self._write("\n".join(every) + "\n")

    def text(self, text: str) -> None:
        """A piece of data, with whatever line ends it has."""
        self._write(text)

    def piece(self, text: str) -> None:
        """A piece of data that is shown at once."""
        self._write(text)
        self._out.flush()

    def json(self, value: Any) -> None:
        """Data for programs."""
        self._write(export_of("pisces.ui", "json_text", "json_text")(value) + "\n")

    def event(self, value: Any) -> None:
        """Data for programs that follow along: one line, at once."""
        text: str = export_of("pisces.ui", "json_text", "json_text")(value)
        self._write(" ".join(line.strip() for line in text.split("\n")) + "\n")
        self._out.flush()

    def failed(self, message: str, hint: str = "") -> None:
        """Why nothing was done, where no diagnostic says it."""
        self.note(message)
        if hint:
            self.note(f"  hint: {hint}")

    def reported(self, diagnostic: Diagnostic) -> None:
        """A diagnostic is about to be shown. Who reads lines needs no more."""

    def finish(self, status: int) -> None:
        """The command has ended with this exit code."""

    def finish_part(self, status: int) -> None:
        """One of several answers has ended with this exit code, and nothing else was printed for it."""

    def note(self, text: str = "") -> None:
        """One line about the data: diagnostics, counts, advice. The progress line gives way to it."""
        self._out.flush()
        if self._has_progress:
            self.progress("")
        for part in self.noted(text):
            self._err.write(_encodable(part, self._err) + "\n")

    def noted(self, text: str) -> list[str]:
        """The lines that a note is shown as."""
        return [part for line in text.split("\n") for part in folded(line, self.err_width)]

    def _write(self, text: str) -> None:
        if self._has_progress:
            self.progress("")
        self._out.write(_encodable(text, self._out))

    def progress(self, text: str) -> None:
        """Replaces the progress line; empty text removes it."""
        self._has_progress = bool(text)
        self._err.write(f"\r\x1b[2K{text}")
        self._err.flush()

    def question(self, text: str) -> None:
        """Text that an answer is typed behind, in place of the progress line."""
        self._err.write(_encodable(f"\r\x1b[2K{text}" if self.err_is_terminal else text, self._err))
        self._err.flush()

    def styled(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def screen_here(env: Mapping[str, str], output_format: str = "text") -> Screen:
    made: type[Screen] = export_of("pisces.ui", "json_screen", "JsonScreen") if output_format == "json" else Screen
    return made(sys.stdout, sys.stderr, env)


def _encodable(text: str, stream: TextIO) -> str:
    if text.isascii():
        return text
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _width(stream: TextIO, env: Mapping[str, str]) -> int:
    """What COLUMNS says, but no more than the terminal has. Lines that go elsewhere fold only for a narrow reader.

    A COLUMNS of another window would let the terminal itself break lines, at places that we do not know.
    """
    text = env.get("COLUMNS", "")
    wanted = int(text) if text.isascii() and text.isdigit() else 0
    if not _is_terminal(stream):
        return wanted if wanted < _ASSUMED else 0
    try:
        real = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # not a real stream
        real = 0
    return min(wanted, real) if wanted and real else wanted or real


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed, or not a real stream
        return False
