"""One TCP connection: requests one after the other, each with a timeout, or a stream of events until it closes."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from pisces.ide.companion.http import (
    CONTINUE,
    MOST_HEAD,
    STREAM_HEAD,
    BadRequest,
    Head,
    HttpReply,
    reply_head,
    taken_head,
    text_reply,
)
from pisces.ide.companion.sessions import CompanionSession, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:  # the server imports this module
    from pisces.ide.companion.server import Server

_IDLE = 75.0  # seconds between two requests on one connection
_LINGER = 2.0  # seconds in which a refused client may finish sending and read why
_MOST_IGNORED = 1024 * 1024


class ServerConnection(asyncio.Protocol):
    def __init__(self, server: Server) -> None:
        self._server = server
        self._buffer = bytearray()
        self._head: Head | None = None
        self._answering: asyncio.Task[HttpReply] | None = None
        self._session: CompanionSession | None = None
        self._stream: Stream | None = None
        self._is_listening = True
        self._is_paused = False
        self._ignored = 0
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._set_timeout(self._server.options.head_within)
        self._server.connected(self)

    def data_received(self, data: bytes) -> None:
        if not self._is_listening:
            self._ignored += len(data)
            if self._ignored > _MOST_IGNORED:
                self.abort()
            return
        self._buffer += data
        if self._answering and len(self._buffer) > MOST_HEAD:
            self._transport.pause_reading()  # pipelined requests wait in the kernel
        self._advance()

    def connection_lost(self, _error: Exception | None) -> None:
        self._stop_timer()
        self._is_listening = False
        if self._answering:
            self._answering.cancel()
        if self._session and self._stream:
            self._session.detach(self._stream)
        self._server.disconnected(self)

    def eof_received(self) -> bool:
        return self._answering is not None  # a client may close its side and still wait for the answer

    def pause_writing(self) -> None:
        self._is_paused = True
        if self._stream:
            self._stream.pause()
        else:
            self._set_timeout(self._server.options.body_within)

    def resume_writing(self) -> None:
        self._is_paused = False
        if self._stream:
            self._stream.resume()
        elif self._is_listening:
            self._set_timeout(_IDLE)
            self._advance()

    def abort(self) -> None:
        self._transport.abort()

    def end(self) -> None:
        """Closes after what is written."""
        if self._stream:
            self._stream.end()
        else:
            self._transport.close()

    def _advance(self) -> None:
        """Handles as many requests as have arrived completely."""
        while self._is_listening and not self._answering and not self._is_paused:
            try:
                head = self._head or self._next_head()
            except BadRequest as refused:
                self._refuse(text_reply(refused.status, refused.message))
                return
            if head is None or len(self._buffer) < head.length:
                return
            self._stop_timer()
            self._answering = asyncio.ensure_future(self._server.answer(head, self._taken_body(head.length)))
            self._answering.add_done_callback(self._answered)

    def _taken_body(self, length: int) -> bytearray:
        """Splits the body from the next request in the buffer without copying it: a diff may have many megabytes."""
        body, self._buffer = self._buffer, self._buffer[length:]
        del body[length:]
        return body

    def _next_head(self) -> Head | None:
        if not self._buffer:
            return None
        head = taken_head(self._buffer)
        if head is None:
            return None
        if reply := self._server.refusal(head):
            self._refuse(reply)
            return None
        self._server.authenticated(self)
        if head.length > self._server.options.most_body:
            raise BadRequest(413, f"a body may have {self._server.options.most_body} bytes")
        if head.headers.get("expect", "").lower() == "100-continue" and len(self._buffer) < head.length:
            self._transport.write(CONTINUE)
        self._head = head
        self._set_timeout(self._server.options.body_within)
        return head

    def _answered(self, task: asyncio.Task[HttpReply]) -> None:
        head, self._head, self._answering = self._head, None, None
        if task.cancelled() or self._transport.is_closing():
            return
        assert head is not None
        if task.exception():
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"{head.method} {head.target} failed", "exception": task.exception()}
            )
            self._refuse(text_reply(500, "the companion failed"))
        elif task.result().stream:
            self._open_stream(task.result())
        elif head.keeps_open:
            self._set_timeout(_IDLE)
            self._write(task.result(), keeps_open=True)  # sets a shorter timeout for a slow client
            self._transport.resume_reading()
            self._advance()
        else:
            self._refuse(task.result())

    def _open_stream(self, reply: HttpReply) -> None:
        self._is_listening = False
        self._buffer.clear()
        session = reply.stream
        assert session is not None
        fields = "".join(f"{name}: {value}\r\n" for name, value in reply.headers) + "\r\n"
        self._transport.write(STREAM_HEAD + fields.encode("latin-1"))
        self._session, self._stream = session, Stream(self._transport, self._server.options.most_waiting)
        session.attach(self._stream)
        self._transport.resume_reading()

    def _refuse(self, reply: HttpReply) -> None:
        """Sends the last answer. What the client still sends is discarded for a while, so that it can read why."""
        self._is_listening = False
        self._buffer.clear()
        if self._transport.is_closing():
            return
        self._write(reply, keeps_open=False)
        if self._transport.can_write_eof():
            with suppress(OSError):  # the client may be gone
                self._transport.write_eof()
        self._set_timeout(_LINGER)
        self._transport.resume_reading()

    def _write(self, reply: HttpReply, *, keeps_open: bool) -> None:
        self._transport.write(reply_head(reply, keeps_open=keeps_open))
        if reply.body:
            self._transport.write(reply.body)

    def _set_timeout(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._timed_out)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _timed_out(self) -> None:
        is_waiting_for_more = self._is_listening and (self._head or self._buffer) and not self._is_paused
        if is_waiting_for_more:
            self._refuse(text_reply(408, "the request took too long"))
        else:
            self.abort()
