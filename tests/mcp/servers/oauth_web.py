"""A web server on loopback whose every answer a test decides, and a small MCP server for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answered = tuple[int, dict[str, str], bytes]
Answer = Callable[[str, str, dict[str, str], bytes], Answered]


class Seen:
    """`answer` gets a request (method, path, headers, body) and returns status, headers and body."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.answer = answer
        self.url = ""

    def headers(self, name: str) -> list[str]:
        return [headers[name] for _, _, headers, _ in self.requests if name in headers]


@contextmanager
def web(answer: Answer) -> Iterator[Seen]:
    seen = Seen(answer)

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = (self.command, self.path, {name.lower(): text for name, text in self.headers.items()}, body)
            seen.requests.append(asked)
            status, headers, sent = seen.answer(*asked)
            self.send_response(status)
            for name, text in {"Content-Length": str(len(sent)), **headers}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_DELETE = _any  # noqa: N815  # names of the standard library

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that went away is no news
    seen.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def speaks(method: str, _path: str, _headers: dict[str, str], body: bytes) -> Answered:
    """A server with one tool, in a page of code."""
    if method != "POST":
        return 405, {}, b""
    message = json.loads(body)
    kind = {"Content-Type": "application/json"}
    if "id" not in message:
        return 202, kind, b""
    facts = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"},
    }
    tools = {"tools": [{"name": "only", "inputSchema": {"type": "object"}}]}
    result = facts if message["method"] == "initialize" else tools
    return 200, kind, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
