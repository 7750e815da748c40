"""What an interactive program may not do to the user's terminal: write the clipboard, change titles, ask for them.

All else passes as it is: a full-screen program needs it. Modes that it switched on are remembered, so that they can be
undone when it was killed before it could do so itself.
"""

from __future__ import annotations

import re

_OSC = rb"(?:\x1b\]|\xc2\x9d)"
_CSI = rb"(?:\x1b\[|\xc2\x9b)"
# Titles (0, 1, 2, no number, Sun's letters), fonts (50), the clipboard (52, 5522). A number may begin with zeros; one
# that is too long to be held back for its end is not let through, whatever it is.
_BLOCKED = rb"(?:0*(?:[012]|50|52|5522)?(?=[;\x07\x18\x1a\x1b\xc2])|[lLI]|[0-9]{17})"
_START = re.compile(_OSC + _BLOCKED + rb"|\x1bk|" + _CSI + rb"0{0,32}2[01](?:;[0-9;]{0,32})?t")
_STOP = re.compile(rb"\x07|\x1b\\|\xc2\x9c|\x18|\x1a|(?=\x1b[^\\])")
_UNFINISHED = re.compile(rb"(?:\x1b|\xc2|" + _OSC + rb"[0-9]{0,16}|" + _CSI + rb"\??[0-9;]{0,66})\Z")
_LONGEST = 80
_NOTHING = b"\x1b\\"  # stands for what was left out: without it, what was before and after could become a sequence
_MODE = re.compile(rb"\x1b\[\?([0-9;]{1,64})([hl])")
_SHOWN_BY_DEFAULT = {b"25", b"7"}  # the cursor, and lines that wrap
_KNOWN = {b"1", b"7", b"9", b"25", b"47", b"1000", b"1002", b"1003", b"1004", b"1005", b"1006", b"1015"} | {
    b"1047",
    b"1049",
    b"2004",
}


class ScreenGuard:
    """Bytes of the program in, bytes for the user's terminal out; a sequence that was cut in two is put together."""

    def __init__(self) -> None:
        self._held = b""
        self._is_inside = False  # of something that is left out
        self._changed: dict[bytes, bytes] = {}

    def passed(self, chunk: bytes) -> bytes:
        data = self._held + chunk
        self._held = b""
        parts = []
        while data:
            if self._is_inside:
                data = self._after_stop(data)
                continue
            start = _START.search(data)
            if start is None:
                parts.append(self._whole(data))
                break
            parts += [data[: start.start()], _NOTHING]
            self._is_inside = not start[0].endswith(b"t")
            data = data[start.end() :]
        passed = b"".join(parts)
        self._note_modes(passed)
        return passed

    def undo(self) -> bytes:
        """Ends every mode that the program left behind, and colours."""
        switched = [
            b"\x1b[?" + mode + (b"h" if mode in _SHOWN_BY_DEFAULT else b"l")
            for mode, state in self._changed.items()
            if (state == b"h") != (mode in _SHOWN_BY_DEFAULT)
        ]
        self._changed = {}
        return b"".join(switched) + (b"\x1b[0m" if switched else b"")

    def _after_stop(self, data: bytes) -> bytes:
        stop = _STOP.search(data)
        if stop is not None:
            self._is_inside = False
            return data[stop.end() :]
        if data[-1:] in (b"\x1b", b"\xc2"):
            self._held = data[-1:]
        return b""

    def _whole(self, data: bytes) -> bytes:
        unfinished = _UNFINISHED.search(data, max(0, len(data) - _LONGEST))
        if unfinished is None:
            return data
        self._held = unfinished[0]
        return data[: unfinished.start()]

    def _note_modes(self, data: bytes) -> None:
        for numbers, state in _MODE.findall(data):
            self._changed.update({mode: state for mode in numbers.split(b";") if mode in _KNOWN})
