"""HTTP/1.1 of the companion: requests, replies and the frames of an event stream.

Any program on this machine may connect, so heads of requests are read strictly and with limits. Ambiguous requests are
refused: repeated headers, folded lines, bodies without a length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:  # sessions import this module
    from pisces.ide.companion.sessions import CompanionSession

MOST_HEAD = 16 * 1024
MOST_HEADERS = 100

_START = re.compile(rb"([A-Z]{1,16}) (/[\x21-\x7e]*) HTTP/1\.([01])")
_HEADER = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)")
_ONLY_ONCE = {"authorization", "content-length", "host", "mcp-session-id", "origin", "transfer-encoding"}
STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache, no-transform\r\n"
    b"X-Content-Type-Options: nosniff\r\nTransfer-Encoding: chunked\r\n"
)
STREAM_END = b"0\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class BadRequest(Exception):
    """The request gets an answer with this status, and nothing else is read from the connection."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Head(Value):
    """`headers` by lower-case name. `length` is the length of the body."""

    method: str
    target: str
    headers: Mapping[str, str]
    length: int
    keeps_open: bool


def taken_head(buffer: bytearray) -> Head | None:
    """Removes the head from the front of the buffer; None while it is incomplete."""
    end = buffer.find(b"\r\n\r\n", 0, MOST_HEAD)
    if end < 0:
        if len(buffer) >= MOST_HEAD:
            raise BadRequest(431, f"the head is longer than {MOST_HEAD} bytes")
        return None
    lines = bytes(buffer[:end]).split(b"\r\n")
    del buffer[: end + 4]
    start = _START.fullmatch(lines[0])
    if not start:
        raise BadRequest(400, "not an HTTP request")
    headers = _headers(lines[1:])
    is_new = start[3] == b"1"
    connection = headers.get("connection", "" if is_new else "close").lower()
    return Head(start[1].decode(), start[2].decode(), headers, _length(headers), is_new and "close" not in connection)


def _headers(lines: list[bytes]) -> dict[str, str]:
    if len(lines) > MOST_HEADERS:
        raise BadRequest(431, f"more than {MOST_HEADERS} headers")
    headers: dict[str, str] = {}
    for line in lines:
        match = _HEADER.fullmatch(line)
        if not match:
            raise BadRequest(400, "a header is malformed")
        name, value = match[1].decode().lower(), match[2].strip(b" \t").decode("latin-1")
        if name in headers and name in _ONLY_ONCE:
            raise BadRequest(400, f"`{name}` is given twice")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _length(headers: dict[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise BadRequest(411, "a body needs a Content-Length")
    digits = headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,15}", digits):
        raise BadRequest(400, "the Content-Length is not a number")
    return int(digits)


class HttpReply(Value):
    """If `stream` is set, the connection becomes the event stream of that session."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    stream: CompanionSession | None = None


def text_reply(status: int, text: str) -> HttpReply:
    return HttpReply(status, text.encode(), "text/plain; charset=utf-8")


def json_reply(status: int, value: Any, headers: tuple[tuple[str, str], ...] = ()) -> HttpReply:
    return HttpReply(status, json_bytes(value), headers=headers)


def json_bytes(value: Any) -> bytes:
    """ASCII, so that a lone surrogate from an editor's buffer can be encoded."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def reply_head(reply: HttpReply, *, keeps_open: bool) -> bytes:
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
