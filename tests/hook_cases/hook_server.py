"""A server on loopback that answers hooks as a case says: by path a status, a body and a delay."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class HookServer:
    def __init__(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        class Answering(BaseHTTPRequestHandler):
            def log_message(self, *_words: object) -> None:
                """Nothing is printed."""

            def do_POST(self) -> None:  # the name that the base class calls
                self.rfile.read(int(self.headers.get("content-length") or 0))
                answer = answers.get(self.path, {"status": 404})
                time.sleep(float(answer.get("delay", 0)))
                body = answer.get("body", "")
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(int(answer.get("status", 200)))
                self.send_header("content-type", str(answer.get("type", "application/json")))
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                try:
                    self.wfile.write(data)
                except OSError:
                    self.close_connection = True  # the hook gave up

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
