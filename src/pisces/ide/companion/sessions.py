"""The sessions of clients: each has at most one stream. A session without a stream ends after a timeout.

A client that reconnects to its session gets the messages that it missed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from pisces.ide.companion.http import STREAM_END
from pisces.ide.companion.options import CompanionOptions


class Stream:
    """The events of one client. While it does not read, messages are queued, and of states only the newest.

    Writing never blocks. A client that does not read costs a bounded amount of memory.
    """

    def __init__(self, transport: asyncio.Transport, most_waiting: int) -> None:
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


class CompanionSession:
    """Calls `stream_changed` whenever a stream is attached or detached."""

    __slots__ = ("_left", "_missed", "_stream_changed", "id", "last_seen", "stream")

    def __init__(self, stream_changed: Callable[[CompanionSession], None], most_missed: int) -> None:
        self.id = secrets.token_hex(16)
        self.stream: Stream | None = None
        self.last_seen = 0.0
        self._stream_changed = stream_changed
        self._missed: list[bytes] = []
        self._left = most_missed

    def attach(self, stream: Stream) -> None:
        """The newest stream replaces the old one, whose connection may be dead."""
        old, self.stream = self.stream, stream
        if old:
            old.end()
        missed, self._missed = self._missed, []
        for frame in missed:
            self._left += len(frame)
            stream.send(frame)
        self._stream_changed(self)

    def detach(self, stream: Stream) -> None:
        if self.stream is stream:
            self.stream = None
            self._stream_changed(self)

    def send(self, frame: bytes) -> None:
        if self.stream:
            self.stream.send(frame)
        elif self._left >= len(frame):
            self._left -= len(frame)
            self._missed.append(frame)


class Sessions:
    """`first_frame` is what a new stream gets first. `ended` is called for each session that ends."""

    def __init__(
        self, options: CompanionOptions, first_frame: Callable[[], bytes], ended: Callable[[CompanionSession], None]
    ) -> None:
        self._options = options
        self._first_frame = first_frame
        self._ended = ended
        self._sessions: dict[str, CompanionSession] = {}
        self._listening = 0
        self.listeners_changed: Callable[[int], None] = lambda _count: None

    def __contains__(self, session: CompanionSession) -> bool:
        return session.id in self._sessions

    def create(self) -> CompanionSession:
        self.reap()
        while len(self._sessions) >= self._options.most_connections:
            self.end(min(self._sessions.values(), key=lambda each: (each.stream is not None, each.last_seen)))
        session = CompanionSession(self._stream_changed, self._options.most_waiting)
        session.last_seen = asyncio.get_running_loop().time()
        self._sessions[session.id] = session
        return session

    def find(self, id: str) -> CompanionSession | None:
        session = self._sessions.get(id)
        if session:
            session.last_seen = asyncio.get_running_loop().time()
        return session

    def end(self, session: CompanionSession) -> None:
        if self._sessions.pop(session.id, None) is None:
            return
        if session.stream:
            session.stream.end()
        self._ended(session)

    def reap(self) -> None:
        """Ends sessions without a stream after the timeout."""
        oldest = asyncio.get_running_loop().time() - self._options.session_timeout
        for session in [each for each in self._sessions.values() if not each.stream and each.last_seen < oldest]:
            self.end(session)

    def clear(self) -> None:
        """Drops all sessions without calling `ended`."""
        self._sessions.clear()
        self._listening = 0

    def offer(self, frame: bytes) -> None:
        for stream in self._streams():
            stream.offer(frame)

    def keep_alive(self, frame: bytes) -> None:
        for stream in self._streams():
            stream.keep_alive(frame)

    def send(self, frame: bytes, only: CompanionSession | None = None) -> None:
        """To one session if it still exists, else to all."""
        for session in [only] if only and only in self else list(self._sessions.values()):
            session.send(frame)

    def _streams(self) -> list[Stream]:
        return [session.stream for session in self._sessions.values() if session.stream]

    def _stream_changed(self, session: CompanionSession) -> None:
        session.last_seen = asyncio.get_running_loop().time()
        if session.stream:
            session.stream.offer(self._first_frame())
        count = len(self._streams())
        if count != self._listening:
            self._listening = count
            self.listeners_changed(count)
