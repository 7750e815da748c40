"""A parser of server-sent events: any line end, comments, several data lines, ids and the retry pause."""

from __future__ import annotations

import codecs

from pisces.value import Value

MOST_BYTES = 64 * 1024 * 1024  # of one event


class EventTooLarge(Exception):
    """An event has no end in sight."""


class ServerSentEvent(Value):
    name: str
    data: str


class Events:
    """`last_id` and `pause` (in seconds) are for resuming after the stream has ended."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self.last_id = ""
        self.pause = 1.0
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._pieces: list[str] = []  # of the incomplete last line
        self._piece_size = 0
        self._data_size = 0
        self._after_return = False
        self._name = ""
        self._data: list[str] = []

    def fed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this chunk completes. Raises `EventTooLarge`."""
        text = self._decoder.decode(chunk)
        if self._after_return and text.startswith("\n"):
            text = text[1:]
        if text:
            self._after_return = text.endswith("\r")
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        found = [event for line in self._completed(lines) if (event := self._line(line))]
        if self._piece_size + self._data_size > self._most_bytes:
            raise EventTooLarge(f"sent an event of more than {self._most_bytes:,} bytes")
        return found

    def _completed(self, lines: list[str]) -> list[str]:
        *ended, rest = lines
        if ended:
            ended[0] = "".join((*self._pieces, ended[0]))
            self._pieces, self._piece_size = [], 0
        if rest:
            self._pieces.append(rest)
            self._piece_size += len(rest)
        return ended

    def _line(self, line: str) -> ServerSentEvent | None:
        if not line:
            return self._event()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
            self._data_size += len(value) + 1  # with the line end, so that empty lines count
        elif field == "event":
            self._name = value
        elif field == "id" and "\0" not in value:
            self.last_id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            self.pause = min(max(int(value[:9]) / 1000, 0.1), 60.0)  # never a busy loop
        return None

    def _event(self) -> ServerSentEvent | None:
        name, data = self._name or "message", self._data
        self._name, self._data, self._data_size = "", [], 0
        return ServerSentEvent(name, "\n".join(data)) if data else None
