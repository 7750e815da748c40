"""Hosts on loopback for the tests of fetching: plain http, git's own http backend, and a small GitHub API.

Every server ends with its `with` block, and every wait in it ends then too.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Answer:
    """`parts` come after `body`, one at a time; `claimed` is a Content-Length that need not be true."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    parts: Iterable[bytes] = ()
    claimed: int | None = None


@dataclass
class Server:
    url: str
    over: threading.Event
    asked: list[Asked] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [each.path for each in self.asked]

    def drip(self, seconds: float = 0.02) -> Iterator[bytes]:
        """A byte now and then, until the server ends."""
        while not self.over.wait(seconds):
            yield b"x"

    def silence(self) -> Iterator[bytes]:
        """Nothing, until the server ends."""
        self.over.wait(30)
        yield b""


@contextmanager
def serving(answer: Callable[[Asked, Server], Answer]) -> Iterator[Server]:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, path, query, headers, self.rfile.read(length))
            server.asked.append(asked)
            self._send(answer(asked, server))

        do_POST = do_GET  # noqa: N815  # names of the standard library
        do_HEAD = do_GET  # noqa: N815

        def _send(self, answered: Answer) -> None:
            self.send_response(answered.status)
            for name, value in answered.headers.items():
                self.send_header(name, value)
            claimed = len(answered.body) if answered.claimed is None else answered.claimed
            if claimed >= 0:
                self.send_header("Content-Length", str(claimed))
            self.end_headers()
            if self.command == "HEAD":
                return
            try:
                self.wfile.write(answered.body)
                for part in answered.parts:
                    self.wfile.write(part)
            except OSError:
                return  # the client had enough, which is what is tested

        def log_message(self, *_args: object) -> None:
            return

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    httpd.daemon_threads = False  # so that closing waits for them
    server = Server(f"http://127.0.0.1:{httpd.server_address[1]}", threading.Event())
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        httpd.shutdown()
        httpd.server_close()
        thread.join(10)


@contextmanager
def serving_git(root: Path, *, token: str = "") -> Iterator[Server]:
    """Every repository below a folder over smart http; with a token only for those who bring it."""

    def answer(asked: Asked, _server: Server) -> Answer:
        if token and asked.headers.get("authorization", "") != f"Basic {token}":
            return Answer(401, b"no", {"WWW-Authenticate": 'Basic realm="git"'})
        return git_backend(root, asked)

    with serving(answer) as server:
        yield server


def git_backend(root: Path, asked: Asked) -> Answer:
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": asked.path,
        "QUERY_STRING": asked.query,
        "REQUEST_METHOD": asked.method,
        "CONTENT_TYPE": asked.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(asked.body)),
        "HTTP_CONTENT_ENCODING": asked.headers.get("content-encoding", ""),
        "GIT_PROTOCOL": asked.headers.get("git-protocol", ""),
    }
    done = subprocess.run(
        ["git", "http-backend"], input=asked.body, env=env, capture_output=True, timeout=30, check=False
    )
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
    status = int(headers.pop("Status", "200").split()[0])
    return Answer(status, body, headers)


def as_json(value: Any, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


@contextmanager
def fake_github(pages: dict[str, Answer], root: Path | None = None) -> Iterator[Server]:
    """A GitHub whose API, files and repositories are at one address; `pages` maps path and query to an answer."""

    def answer(asked: Asked, server: Server) -> Answer:
        where = f"{asked.path}?{asked.query}" if asked.query else asked.path
        if where in pages:
            found = pages[where]
            body = found.body.replace(b"{url}", server.url.encode())
            headers = {name: text.replace("{url}", server.url) for name, text in found.headers.items()}
            return Answer(found.status, body, headers, found.parts, found.claimed)
        if root and ("git-upload-pack" in asked.path or "git-upload-pack" in asked.query):
            return git_backend(root, asked)
        return as_json({"message": "Not Found"}, 404)

    with serving(answer) as server:
        yield server
