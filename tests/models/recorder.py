"""A server on loopback that answers every POST with the bytes it was given, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Recorder:
    """`bodies` are the next answers, then `body` is every one. `cut` closes the connection before the end is said."""

    def __init__(self) -> None:
        self.body, self.status, self.headers = b"", 200, {"content-type": "text/event-stream"}
        self.cut = False
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.sent_headers: list[dict[str, str]] = []
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_given: Any) -> None:
                """Quiet."""

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                outer.requests.append(json.loads(raw))
                outer.paths.append(self.path)
                outer.sent_headers.append({name.lower(): value for name, value in self.headers.items()})
                body = outer.bodies.pop(0) if outer.bodies else outer.body
                self.send_response(outer.status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for at in range(0, len(body), 997):
                    piece = body[at : at + 997]
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                if outer.cut:
                    self.close_connection = True
                    return
                self.wfile.write(b"0\r\n\r\n")

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
