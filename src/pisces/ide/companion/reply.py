"""HTTP responses, and the frames of an event stream."""

from __future__ import annotations

import json
from http import HTTPStatus

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.ide.companion.sessions import CompanionSession

STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache, no-transform\r\n"
    b"X-Content-Type-Options: nosniff\r\nTransfer-Encoding: chunked\r\n"
)
STREAM_END = b"0\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Reply(Value):
    """If `stream` is set, the connection becomes the event stream of that session."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    stream: CompanionSession | None = None


def text_reply(status: int, text: str) -> Reply:
    return Reply(status, text.encode(), "text/plain; charset=utf-8")


def json_reply(status: int, value: Any, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    return Reply(status, json_bytes(value), headers=headers)


def json_bytes(value: Any) -> bytes:
    """ASCII, so that a lone surrogate from an editor's buffer can be encoded."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def reply_head(reply: Reply, *, keeps_open: bool) -> bytes:
    lines = [f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}", f"Content-Length: {len(reply.body)}"]
    if reply.body:
        lines += [f"Content-Type: {reply.content_type}", "X-Content-Type-Options: nosniff"]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    lines += [] if keeps_open else ["Connection: close"]
    return "\r\n".join([*lines, "\r\n"]).encode("latin-1")


def notification_frame(method: str, params: Any) -> bytes:
    """One notification as one event in one chunk."""
    message = json_bytes({"jsonrpc": "2.0", "method": method, "params": params})
    return chunk(b"event: message\ndata: " + message + b"\n\n")


def comment_frame(comment: str) -> bytes:
    """A comment, which clients ignore but which resets their timeouts."""
    return chunk(f": {comment}\n\n".encode())


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)
