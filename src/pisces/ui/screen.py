"""Where output goes: one object with the two streams, and colour only where somebody is looking."""

from __future__ import annotations

import sys

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TextIO

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Screen:
    """`colour` is decided once: a terminal on stdout, no NO_COLOR, or FORCE_COLOR."""

    __slots__ = ("_err", "_out", "colour")

    def __init__(self, out: TextIO, err: TextIO, env: Mapping[str, str]) -> None:
        self._out = out
        self._err = err
        wanted = _is_terminal(out) and env.get("TERM") != "dumb"
        self.colour = bool(env.get("FORCE_COLOR")) or (wanted and not env.get("NO_COLOR"))

    @property
    def is_terminal(self) -> bool:
        return _is_terminal(self._out)

    @property
    def err_is_terminal(self) -> bool:
        return _is_terminal(self._err)

    def line(self, text: str = "") -> None:
        """One line of data."""
        self._out.write(_encodable(text, self._out) + "\n")

    def lines(self, lines: Iterable[str]) -> None:
        """Lines of data, all at once: the stream is asked once instead of for each."""
        every = list(lines)
        if every:
            self.line("\n".join(every))

    def text(self, text: str) -> None:
        """A piece of data, with whatever line ends it has."""
        self._out.write(_encodable(text, self._out))

    def json(self, value: Any) -> None:
        """Data for programs."""
        self.line(export_of("pisces.ui", "json_text", "json_text")(value))

    def note(self, text: str = "") -> None:
        """One line about the data: diagnostics, counts, advice."""
        self._out.flush()
        self._err.write(_encodable(text, self._err) + "\n")

    def progress(self, text: str) -> None:
        """Replaces the progress line; empty text removes it."""
        self._err.write(f"\r\x1b[2K{text}")
        self._err.flush()

    def styled(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def screen_here(env: Mapping[str, str]) -> Screen:
    return Screen(sys.stdout, sys.stderr, env)


def visible(text: object) -> str:
    """Text from a file made safe for a terminal: control characters, and those that reorder text, become escapes."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if char in named:
        return named[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def _encodable(text: str, stream: TextIO) -> str:
    if text.isascii():
        return text
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed, or not a real stream
        return False
