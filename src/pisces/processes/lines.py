"""Puts lines together from chunks of bytes, however these were cut."""

from __future__ import annotations


class Lines:
    """`length` is that of the line which has not ended yet: the caller decides how long it may get."""

    def __init__(self, end: bytes = b"\n") -> None:
        self._end = end
        self._parts: list[bytes] = []
        self.length = 0

    def ended(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes, without their ends."""
        *lines, rest = chunk.split(self._end)
        if lines:
            lines[0] = b"".join((*self._parts, lines[0]))
            self._parts, self.length = [], 0
        if rest:
            self._parts.append(rest)
            self.length += len(rest)
        return lines

    @property
    def start(self) -> bytes:
        """How the line begins that has not ended yet."""
        return self._parts[0] if self._parts else b""

    def taken(self) -> bytes:
        """The line that has not ended yet, which is dropped here."""
        taken = b"".join(self._parts)
        self._parts, self.length = [], 0
        return taken
