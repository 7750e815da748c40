"""A server over streamable HTTP of a few lines. Its first argument is its one fault, the second its port."""

from __future__ import annotations

import gzip
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

FAULT = sys.argv[1]
EVENTS: Queue[bytes] = Queue()
INITIALIZED = {"capabilities": {"tools": {}}, "serverInfo": {"name": "http", "version": "1"}}


class Served(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, number = asked.get("method"), asked.get("id")
        if FAULT.startswith("refused"):
            self.refused(method, number, asked)
        elif number is None:
            self.answer(202, b"")
        elif method == "initialize":
            result = {**INITIALIZED, "protocolVersion": asked["params"]["protocolVersion"]}
            self.result(number, result, {"mcp-session-id": "one"})
        elif method == "tools/list":
            self.result(number, {"tools": []})
        elif asked["params"]["name"] == "echo":
            self.result(number, {"content": [{"type": "text", "text": "here"}]})
        else:
            getattr(self, FAULT)(number)

    def do_GET(self) -> None:
        """With the fault `refused` it is a server of the older kind, which takes nothing but the handshake."""
        if FAULT not in ("refused", "refused_at_start"):
            self.answer(405, b"")
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"event: endpoint\ndata: /messages\n\n")
        while True:
            self.wfile.write(b"event: message\ndata: " + EVENTS.get() + b"\n\n")

    def do_DELETE(self) -> None:
        if FAULT == "slow_end":
            self.rfile.read(1)  # never comes
        self.answer(200, b"")

    def log_message(self, *_given: Any) -> None:
        """Nothing."""

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def result(self, number: int, result: Any, headers: dict[str, str] | None = None) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()
        self.answer(200, body, {"content-type": "application/json", **(headers or {})})

    def refused(self, method: str, number: int | None, asked: dict[str, Any]) -> None:
        if method != "initialize" or FAULT == "refused_at_start":
            self.answer(202 if number is None else 500, b"")
            return
        result = {**INITIALIZED, "protocolVersion": asked["params"]["protocolVersion"]}
        EVENTS.put(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())
        self.answer(202, b"")

    def huge(self, _number: int) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        except OSError:
            self.close_connection = True

    def bomb(self, number: int) -> None:
        text = {"content": [{"type": "text", "text": "x" * (200 << 20)}]}
        body = gzip.compress(json.dumps({"jsonrpc": "2.0", "id": number, "result": text}).encode(), 1)
        self.answer(200, body, {"content-type": "application/json", "content-encoding": "gzip"})

    def huge_event(self, _number: int) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            self.wfile.write(b"event: message\ndata: ")
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            self.close_connection = True

    def not_json(self, _number: int) -> None:
        self.answer(200, b"<html>", {"content-type": "application/json"})

    def page(self, _number: int) -> None:
        self.answer(200, b"<html>", {"content-type": "text/html"})

    def forgotten(self, _number: int) -> None:
        self.answer(404, b"")

    def dies(self, _number: int) -> None:
        os._exit(1)

    def elsewhere(self, _number: int) -> None:
        self.answer(307, b"", {"location": "http://127.0.0.2:9/steal"})

    def slow_end(self, number: int) -> None:
        self.result(number, {"content": []})


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Served).serve_forever()
