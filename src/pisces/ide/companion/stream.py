"""One client's stream of events: what it must hear waits for it, of what only the newest counts one is kept.

Writing never waits, so a client that does not read costs its own share of memory and nobody's time.
"""

from __future__ import annotations

from pisces.ide.companion.reply import STREAM_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Transport


class Stream:
    def __init__(self, transport: Transport, most_waiting: int) -> None:
        self._transport = transport
        self._left = most_waiting
        self._most = most_waiting
        self._waiting: list[bytes] = []
        self._newest = b""
        self._is_choked = False

    def send(self, frame: bytes) -> None:
        """A message that must arrive. A client that has let too many wait is let go."""
        if not self._is_choked:
            self._transport.write(frame)
            return
        self._left -= len(frame)
        self._waiting.append(frame)
        if self._left < 0:
            self._transport.abort()

    def offer(self, frame: bytes) -> None:
        """A state: while the client is busy, a newer one takes its place."""
        if self._is_choked:
            self._newest = frame
        else:
            self._transport.write(frame)

    def show_life(self, frame: bytes) -> None:
        """Only to who has nothing to read: a client that is busy hears enough."""
        if not self._is_choked:
            self._transport.write(frame)

    def choke(self) -> None:
        self._is_choked = True

    def unchoke(self) -> None:
        self._is_choked = False
        waiting, self._waiting, self._left = self._waiting, [], self._most
        for frame in waiting:
            self.send(frame)  # may choke again, and then waits again
        newest, self._newest = self._newest, b""
        if newest:
            self.offer(newest)

    def end(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(STREAM_END)
            self._transport.close()
