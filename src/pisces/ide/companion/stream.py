"""One client's event stream. While the client does not read, messages are queued, and of states only the newest.

Writing never blocks. A client that does not read costs a bounded amount of memory.
"""

from __future__ import annotations

from asyncio import Transport

from pisces.ide.companion.reply import STREAM_END


class Stream:
    def __init__(self, transport: Transport, most_waiting: int) -> None:
        self._transport = transport
        self._left = most_waiting
        self._most = most_waiting
        self._waiting: list[bytes] = []
        self._newest = b""
        self._is_paused = False

    def send(self, frame: bytes) -> None:
        """Sends a message that must arrive. Aborts the connection if too much is queued."""
        if not self._is_paused:
            self._transport.write(frame)
            return
        self._left -= len(frame)
        self._waiting.append(frame)
        if self._left < 0:
            self._transport.abort()

    def offer(self, frame: bytes) -> None:
        """Sends a state. While the client does not read, a newer state replaces it."""
        if self._is_paused:
            self._newest = frame
        else:
            self._transport.write(frame)

    def keep_alive(self, frame: bytes) -> None:
        """Only to a client that reads: another one has unread data."""
        if not self._is_paused:
            self._transport.write(frame)

    def pause(self) -> None:
        self._is_paused = True

    def resume(self) -> None:
        self._is_paused = False
        waiting, self._waiting, self._left = self._waiting, [], self._most
        for frame in waiting:
            self.send(frame)  # may pause again
        newest, self._newest = self._newest, b""
        if newest:
            self.offer(newest)

    def end(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(STREAM_END)
            self._transport.close()
