"""Starts a program beside a model that only listens, and writes down the first request that reaches it.

    python heard.py FILE PROGRAM ARGUMENTS...

The program finds the address in ANTHROPIC_BASE_URL. Every request is refused, so that the program ends its turn. Both
are in one network namespace, of which only the loopback device is up. Standard library only.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SET_FLAGS, UP = 0x8914, 1  # SIOCSIFFLAGS, IFF_UP
REFUSAL = b'{"type": "error", "error": {"type": "invalid_request_error", "message": "heard"}}'


def loopback_up() -> None:
    """In a new namespace the device is down. Elsewhere it is up, and we may not change it."""
    if sys.platform == "win32":
        return
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))
    except OSError:
        return


def listening(file: Path) -> ThreadingHTTPServer:
    class Listening(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if b'"tools"' in body and not file.exists():  # others ask for a title
                file.write_bytes(body)
            self.send_response(400)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(REFUSAL)))
            self.end_headers()
            self.wfile.write(REFUSAL)

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(file: str, *argv: str) -> int:
    loopback_up()
    server = listening(Path(file))
    env = {**os.environ, "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_address[1]}"}
    try:
        return subprocess.run(argv, env=env, check=False).returncode
    finally:
        server.shutdown()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
