"""A client of the smallest kind, for tests: plain HTTP, one session, and what arrives on its stream."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import socket
import threading
from typing import Any, TypeVar

T = TypeVar("T")
Answer = tuple[int, dict[str, str], T]  # status, headers by lower-case name, body
PATIENCE = 15.0
UPDATE = "ide/contextUpdate"


class Client:
    """Speaks to `127.0.0.1`; closes everything at the end of its block."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token
        self.session = ""
        self.heard: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.comments: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.stream_ended = threading.Event()
        self._streams: list[tuple[socket.socket, threading.Thread]] = []
        self._ids = iter(range(1, 1_000_000))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.hang_up()

    def request(self, method: str, body: bytes = b"", path: str = "/mcp", **headers: str) -> Answer[bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body or None, self._headers(headers))
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def post(self, message: Any, **headers: str) -> Answer[Any]:
        status, fields, body = self.request("POST", json.dumps(message).encode(), **headers)
        return status, fields, json.loads(body) if body.startswith((b"{", b"[")) else body.decode()

    def connect(self, version: str = "2025-06-18") -> Client:
        """Up to the stream, in the order of Gemini CLI."""
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        status, fields, told = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        assert status == 200, told
        self.session = fields["mcp-session-id"]
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})[0] == 202
        self.open_stream()
        return self

    def ask(self, method: str, **params: Any) -> Any:
        status, _, told = self.post({"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params})
        assert status == 200, told
        return told

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def open_stream(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/mcp", headers=self._headers({"Accept": "text/event-stream"}))
        sock = connection.sock  # which is the answer's alone where the server says that it will close
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.getheader("Content-Type") == "text/event-stream"
        self.stream_ended.clear()
        listener = threading.Thread(target=self._listen, args=(answer, connection), daemon=True)
        self._streams.append((sock, listener))
        listener.start()

    def hang_up(self) -> None:
        for sock, listener in self._streams:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            listener.join(PATIENCE)
        self._streams.clear()

    def next(self, method: str = UPDATE) -> Any:
        """The params of the next message of this kind; others before it are dropped."""
        while True:
            message = self.heard.get(timeout=PATIENCE)
            if message["method"] == method:
                return message["params"]

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"Mcp-Session-Id": self.session} if self.session else {}
        return {**headers, **{name.replace("_", "-"): value for name, value in more.items()}}

    def _listen(self, answer: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> None:
        try:
            for line in answer:
                if line.startswith(b"data: "):
                    self.heard.put(json.loads(line[6:]))
                elif line.startswith(b":"):
                    self.comments.put(line[1:].decode().strip())
        except (OSError, http.client.HTTPException):
            return
        finally:
            answer.close()
            connection.close()
            self.stream_ended.set()
