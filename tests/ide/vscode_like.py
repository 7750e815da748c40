"""A companion that behaves as the official one for VS Code does, and one that can be made to break a rule.

With the defect `newest-only` it also has the one habit of the official one that harms: a single MCP server for all
sessions, which answers the newest. A request of an older one gets a stream of events on which nothing ever comes.

Node's habits are kept: answers are events in chunks, a token is a UUID, the file says nothing of the editor, pings are
notifications, an unknown session is 400.
"""

from __future__ import annotations

import json
import os
import queue
import threading
import uuid
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

END = None  # of a stream, cleanly
MOST_BODY = 10 * 1024 * 1024
TOOLS = [
    {"name": name, "inputSchema": {"type": "object", "properties": {key: {"type": "string"} for key in keys}}}
    for name, keys in (("openDiff", ["filePath", "newContent"]), ("closeDiff", ["filePath"]))
]


class VsCodeLike:
    """`defects` are names of rules that it breaks. `calls` are the tool calls, `diffs` what is open."""

    def __init__(self, folder: Path, workspace: Path, defects: Iterable[str] = ()) -> None:
        self.defects = frozenset(defects)
        self.token = str(uuid.uuid4()) if "file-token" not in self.defects else "abc"
        self.sessions: dict[str, queue.SimpleQueue[Any]] = {}
        self.context: dict[str, Any] | None = None
        self.diffs: dict[str, str] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.agents: list[str] = []
        self.greetings = 0  # sessions that were opened
        self.stopped = threading.Event()
        self.tools = TOOLS
        self._greeted: set[str] = set()
        self._folder = folder / "gemini" / "ide"
        self._workspace = workspace
        self.file = Path()

    def __enter__(self) -> VsCodeLike:
        companion = self

        class Requests(_Requests):
            owner = companion

        address = "0.0.0.0" if "loopback-only" in self.defects else "127.0.0.1"
        self._server = ThreadingHTTPServer((address, 0), Requests)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.write_file()
        return self

    def __exit__(self, *_: object) -> None:
        self.file.unlink(missing_ok=True)
        self.stopped.set()
        self.end_streams()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def write_file(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        pid = 2**22 + 1 if "file-process" in self.defects else os.getpid()
        port = self.port + 1 if "file-name" in self.defects else self.port
        told: dict[str, Any] = {"port": self.port, "workspacePath": str(self._workspace), "authToken": self.token}
        if "file-port" in self.defects:
            told["port"] = str(self.port)
        if "file-workspace" in self.defects:
            told["workspacePath"] = "relative/folder"
        self.file = self._folder / f"gemini-ide-server-{pid}-{port}.json"
        self.file.write_text(json.dumps(told))
        self.file.chmod(0o644 if "file-private" in self.defects else 0o600)

    @property
    def env(self) -> dict[str, str]:
        return {
            "GEMINI_CLI_IDE_SERVER_PORT": str(self.port),
            "GEMINI_CLI_IDE_WORKSPACE_PATH": str(self._workspace),
            "GEMINI_CLI_IDE_AUTH_TOKEN": self.token,
        }

    def show(self, *files: dict[str, Any], is_trusted: bool = True) -> None:
        self.context = {"workspaceState": {"openFiles": list(files), "isTrusted": is_trusted}}
        self.send("ide/contextUpdate", self.context)

    def send(self, method: str, params: Any = None) -> None:
        """To every session, as a notification."""
        message = {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}
        for stream in list(self.sessions.values()):
            stream.put(message)

    def end_streams(self) -> None:
        for stream in list(self.sessions.values()):
            stream.put(END)

    def accept(self, path: str, content: str) -> None:
        self.diffs.pop(path, None)
        self.send("ide/diffAccepted", {"filePath": path, "content": content})

    def reject(self, path: str, method: str = "ide/diffRejected") -> None:
        content = self.diffs.pop(path, "")
        self.send(method, {"filePath": path, "content": content})

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.calls.append((name, arguments))
        path = arguments["filePath"]
        if name == "openDiff":
            if "diff-fails" in self.defects:
                return {"isError": True, "content": [{"type": "text", "text": "no window to show it in"}]}
            self.diffs[path] = arguments["newContent"]
            return {"content": [{"type": "text", "text": "opened"}] if "diff-round" in self.defects else []}
        told = {"content": self.diffs.pop(path)} if path in self.diffs else {}
        if "diff-silent" in self.defects and told:
            self.send("ide/diffRejected", {"filePath": path})
        if "diff-unknown" in self.defects and not told:
            return {"isError": True, "content": [{"type": "text", "text": "no such diff"}]}
        if "diff-empty" in self.defects and not told.get("content"):
            told = {}
        text = told.get("content", "") if "raw-text" in self.defects else json.dumps(told)
        return {"content": [{"type": "text", "text": text}]}

    def result(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Of a request; None for a method that does not exist."""
        params = message.get("params") or {}
        results: dict[str, dict[str, Any]] = {
            "initialize": {
                "protocolVersion": params.get("protocolVersion"),
                "capabilities": {"logging": {}, "tools": {"listChanged": True}},
                "serverInfo": {"name": "gemini-cli-companion-mcp-server", "version": "1.0.0"},
            },
            "tools/list": {"tools": self.tools},
            "ping": {},
        }
        if message["method"] == "tools/call":
            return self.call(params["name"], params["arguments"])
        return results.get(message["method"])

    def greet(self, session: str) -> None:
        """The first context, once a session, when its stream is up."""
        if session not in self._greeted and self.context is not None:
            self._greeted.add(session)
            self.sessions[session].put({"jsonrpc": "2.0", "method": "ide/contextUpdate", "params": self.context})


class _Requests(BaseHTTPRequestHandler):
    owner: VsCodeLike
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), MOST_BODY))
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._plain(200 if "bad-body" in self.owner.defects else 400, "Bad Request")
        elif self._is_let_in():
            self._route(message)

    def do_GET(self) -> None:
        if not self._is_let_in():
            return
        session = self.headers.get("mcp-session-id", "")
        if session not in self.owner.sessions:
            self._plain(400, "Invalid or missing session ID")
        elif "stream" in self.owner.defects:
            self._plain(405, "Method Not Allowed")
        else:
            self._stream(session)

    def _is_let_in(self) -> bool:
        owner, port = self.owner, self.owner.port
        host, path = self.headers.get("host", ""), self.path
        words = (self.headers.get("authorization") or "").split(" ")
        is_known = len(words) == 2 and words[0] == "Bearer" and words[1] == owner.token
        if "token-required" in owner.defects and not self.headers.get("authorization"):
            is_known = True
        if "token-checked" in owner.defects and words[0] == "Bearer":
            is_known = True
        if "token-not-in-query" in owner.defects and owner.token in path:
            is_known = True
        if "token-every-request" in owner.defects and self.headers.get("mcp-session-id"):
            is_known = True
        if self.headers.get("origin") is not None and "origin-refused" not in owner.defects:
            self._json(403, {"error": "Request denied by CORS policy."})
        elif host not in (f"localhost:{port}", f"127.0.0.1:{port}") and "host-checked" not in owner.defects:
            self._json(403, {"error": "Invalid Host header"})
        elif not is_known:
            self._plain(401, "Unauthorized")
        elif path.partition("?")[0] != "/mcp":
            self._plain(404, "Not Found")
        else:
            return True
        return False

    def _route(self, message: dict[str, Any]) -> None:
        owner, session = self.owner, self.headers.get("mcp-session-id", "")
        owner.agents.append(self.headers.get("user-agent", ""))
        if message.get("method") == "initialize" and not session:
            session = "same" if "session-own" in owner.defects else str(uuid.uuid4())
            owner.sessions[session] = queue.SimpleQueue()
            owner.greetings += 1
        elif session not in owner.sessions and "session-required" not in owner.defects:
            google = " for non-initialize request." if "newest-only" in owner.defects else ""
            error = {"code": -32000, "message": f"Bad Request: No valid session ID provided{google}"}
            return self._json(400, {"jsonrpc": "2.0", "error": error, "id": None})
        if "id" not in message or "method" not in message:
            return self._plain(202, "")
        if "newest-only" in owner.defects and session != list(owner.sessions)[-1]:
            self._events_head({"mcp-session-id": session})
            owner.stopped.wait()
            self.close_connection = True
            return None
        result = owner.result(message)
        told = {"result": result} if result is not None else {"error": {"code": -32601, "message": "Method not found"}}
        self._events_head({} if "handshake" in owner.defects else {"mcp-session-id": session})
        self._event({"jsonrpc": "2.0", "id": message["id"], **told})
        self._end_events()
        return None

    def _stream(self, session: str) -> None:
        self._events_head({"mcp-session-id": session})
        self.owner.greet(session)
        try:
            while (message := self.owner.sessions[session].get()) is not END:
                self._event(message)
            self._end_events()
        except OSError:
            self.close_connection = True

    def _events_head(self, headers: dict[str, str]) -> None:
        self.send_response(200)
        fields = {"content-type": "text/event-stream", "cache-control": "no-cache", "transfer-encoding": "chunked"}
        for name, value in {**fields, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _event(self, message: dict[str, Any]) -> None:
        """In two chunks, cut where it hurts."""
        data = f"event: message\ndata: {json.dumps(message, ensure_ascii=False)}\n\n".encode()
        for chunk in (data[: len(data) // 2], data[len(data) // 2 :]):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        self.wfile.flush()

    def _end_events(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _json(self, status: int, value: dict[str, Any]) -> None:
        self._plain(status, json.dumps(value), "application/json")

    def _plain(self, status: int, text: str, kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


def open_file(path: Path | str, timestamp: float = 1, **more: Any) -> dict[str, Any]:
    return {"path": str(path), "timestamp": timestamp, **more}
