"""Output of programs made safe to show and to hand on: text, line ends, tabs and, where wanted, colours. Nothing else.

Cursor movement, titles, links, clipboard writes, device queries, 8-bit controls and characters that reorder text are
removed; bytes that are not UTF-8 become U+FFFD. A carriage return becomes a line end, so that what a progress line
overwrote stays readable. How the bytes were cut into chunks makes no difference, and memory stays bounded.
"""

from __future__ import annotations

import codecs
import re

_ESC = b"\x1b"
_RESET = b"\x1b[0m"
_LONGEST = 80  # no sequence that is held back for its end is longer

_CSI = rb"\[[0-?]{0,64}[ -/]{0,8}"
_PLAIN = rb"[ -/]{0,8}"
# Titles and links end with their line at the latest, so that a forgotten end does not swallow the rest. Data for the
# terminal itself (images, for example) may have line ends in it. A new escape ends both.
_LINE = re.compile(b"[\x07\n\x18\x1a\x1b]")
_BLOCK = re.compile(b"[\x07\x18\x1a\x1b]")
_STRINGS = {b"]": _LINE, b"k": _LINE, b"P": _BLOCK, b"X": _BLOCK, b"^": _BLOCK, b"_": _BLOCK}
_SEQUENCE = (
    rb"(?:\[[0-;]{0,64}m|" + _CSI + b"[@-~]?"
    b"|[\\]k][^\x07\n\x18\x1a\x1b]*[\x07\x18\x1a]?"
    b"|[PX^_][^\x07\x18\x1a\x1b]*[\x07\x18\x1a]?"
    b"|" + _PLAIN + b"[0-~]?)"
)
# 8 hides text, so it is not a colour; as a part of `38;5;8` it is one.
_COLOUR = (
    rb"\[(?:[0-79;:]{0,64}m|(?=[0-9;:]{0,64}m)(?:"
    rb"(?:[345]8;5;[0-9]{1,3}|[345]8;2;[0-9]{0,3};[0-9]{0,3};[0-9]{0,3}|[345]8(?::[0-9]*)+|"
    rb"(?!0*(?:8|[345]8)[;:m])[0-9]*(?::[0-9]*)*)(?:;|(?=m)))*m)"
)
_ESCAPES = re.compile(_ESC + _SEQUENCE)
_ESCAPES_BUT_COLOURS = re.compile(_ESC + b"(?!" + _COLOUR + b")" + _SEQUENCE)
_UNFINISHED = re.compile(_ESC + b"(?:" + _CSI + b"|" + _PLAIN + b")")
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 27), *range(28, 32), 127])  # without ESC and the carriage return
_SAFE = bytes([9, 10, *range(32, 127)])
# In UTF-8: U+0080 to U+009F, which terminals take for controls; U+061C, U+200E and F, U+202A to E, U+2066 to 9.
_ODD = re.compile(rb"\xc2[\x80-\x9f]|\xd8\x9c|\xe2(?:\x80[\x8e\x8f\xaa-\xae]|\x81[\xa6-\xa9])")
_RETURNS = re.compile(b"\r+\n?")


class Cleaner:
    """Bytes of one stream in, safe UTF-8 out, as they come. `colours` keeps colours and undoes them at the end."""

    def __init__(self, *, colours: bool = False) -> None:
        self._escapes = _ESCAPES_BUT_COLOURS if colours else _ESCAPES
        self._is_idle = True  # nothing is held back: plain text may pass as it is
        self._character = b""  # a character without its end
        self._held = b""  # an escape sequence without its end
        self._string: re.Pattern[bytes] | None = None  # inside of a title, a link, ...: what ends it
        self._is_after_return = False
        self._is_coloured = False

    def clean(self, chunk: bytes) -> bytes:
        if self._is_idle and not chunk.translate(None, _SAFE):
            return chunk
        safe = self._cleaned(self._utf8(chunk))
        self._is_idle = not (self._held or self._string or self._is_after_return or self._character)
        return safe

    def end(self) -> bytes:
        """What is still to be said when the stream has ended. The cleaner can be used anew then."""
        safe = self._cleaned(self._character.decode("utf-8", "replace").encode())
        if self._is_coloured:
            safe += _RESET
        self._character, self._held, self._string = b"", b"", None
        self._is_after_return, self._is_coloured, self._is_idle = False, False, True
        return safe

    def _utf8(self, chunk: bytes) -> bytes:
        """Whole characters, and none that hide a control or reorder text."""
        data = self._character + chunk
        if data.isascii():
            whole, used = data, len(data)
        else:
            whole, used = _valid(data)
        self._character = data[used:]
        return whole if whole.isascii() else _ODD.sub(_harmless, whole)

    def _cleaned(self, data: bytes) -> bytes:
        data = self._whole(self._after_string(self._held + data))
        if _ESC in data:
            data = self._escapes.sub(b"", data)
            self._note_colour(data)
        return self._with_line_ends(data.translate(None, _CONTROLS))

    def _after_string(self, data: bytes) -> bytes:
        """What follows the title or link that began earlier."""
        if self._string is None:
            return data
        end = self._string.search(data)
        if end is None:
            return b""
        self._string = None
        return data[end.start() :] if end[0] in (b"\n", _ESC) else data[end.end() :]

    def _whole(self, data: bytes) -> bytes:
        """All but an escape sequence at the end that may go on in the next chunk."""
        self._held = b""
        last = data.rfind(_ESC)
        if last < 0:
            return data
        string = _STRINGS.get(data[last + 1 : last + 2])
        if string is not None and string.search(data, last + 2) is None:
            self._string = string
            return data[:last]
        if len(data) - last <= _LONGEST and _UNFINISHED.fullmatch(data, last):
            self._held = data[last:]
            return data[:last]
        return data

    def _note_colour(self, data: bytes) -> None:
        last = data.rfind(_ESC)
        if last >= 0:
            self._is_coloured = data[last + 2 : data.index(b"m", last)].strip(b"0;") != b""

    def _with_line_ends(self, data: bytes) -> bytes:
        if self._is_after_return:
            rest = data.lstrip(b"\r")
            if not rest:
                return b""
            data = rest[1:] if rest.startswith(b"\n") else rest
        self._is_after_return = data.endswith(b"\r")
        if b"\r" not in data:
            return data
        ends = data.replace(b"\r\n", b"\n")
        return _RETURNS.sub(b"\n", data) if b"\r" in ends else ends


def cleaned(text: str | bytes) -> str:
    """A whole text without colours."""
    cleaner = Cleaner()
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return (cleaner.clean(data) + cleaner.end()).decode()


def _valid(data: bytes) -> tuple[bytes, int]:
    """Whole characters as UTF-8, and how many bytes they are made of."""
    try:
        used = codecs.utf_8_decode(data, "strict", False)[1]
    except UnicodeDecodeError:
        text, used = codecs.utf_8_decode(data, "replace", False)
        return text.encode(), used
    return data[:used], used


def _harmless(odd: re.Match[bytes]) -> bytes:
    """U+009B means the same as ESC [, and so on; what reorders text is left out."""
    return _ESC + bytes([odd[0][1] - 0x40]) if odd[0].startswith(b"\xc2") else b""
