"""The Messages API of Anthropic on loopback, with answers from a script, for programs that insist on HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock, Thread
from typing import Any


class FakeModel:
    """Calls tools, all at once, then says what it should. `inner` answers to agents whose prompt has `marker`."""

    def __init__(self, *calls: tuple[str, dict[str, Any]], says: tuple[str, ...] = ("done",)) -> None:
        self.calls, self.says = calls, list(says)
        self.requests: list[dict[str, Any]] = []
        self.marker = ""
        self.inner: FakeModel | None = None
        self._ids, self._lock = count(1), Lock()

    def answer(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        if not request.get("tools"):
            return [{"type": "text", "text": "a title"}]
        if self.inner is not None and self.marker in json.dumps(request.get("system", "")):
            return self.inner.answer(request)
        with self._lock:
            self.requests.append(request)
            if self.calls and len(self.requests) == 1:
                return [
                    {"type": "tool_use", "id": f"toolu_{next(self._ids):03}", "name": name, "input": given}
                    for name, given in self.calls
                ]
            return [{"type": "text", "text": self.says.pop(0) if len(self.says) > 1 else self.says[0]}]

    @property
    def results(self) -> list[str]:
        """What the last request has of results, in the order of the calls."""
        parts = [part for part in self._parts() if part.get("type") == "tool_result"]
        return [_text(part["content"]) for part in sorted(parts, key=lambda part: str(part["tool_use_id"]))]

    @property
    def prompts(self) -> list[str]:
        return [part["text"] for part in self._parts() if part.get("type") == "text"]

    @property
    def instructions(self) -> list[str]:
        return [json.dumps(request.get("system", "")) for request in self.requests]

    def _parts(self) -> Iterator[dict[str, Any]]:
        for message in self.requests[-1]["messages"] if self.requests else ():
            if message["role"] == "user":
                content = message["content"]
                yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or ())


@contextmanager
def serving(model: FakeModel) -> Iterator[str]:
    """Its address."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None: ...

        def do_HEAD(self) -> None:
            self._send(b"", "text/plain")

        def do_GET(self) -> None:
            self._send(b"{}", "application/json")

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if "count_tokens" in self.path:
                self._send(b'{"input_tokens": 1}', "application/json")
                return
            blocks = model.answer(request) if "/messages" in self.path else []
            if request.get("stream"):
                self._send(b"".join(_events(blocks)), "text/event-stream")
            else:
                self._send(json.dumps({**_message(), "content": blocks, **_end(blocks)}).encode(), "application/json")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _message() -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {"id": "msg", "type": "message", "role": "assistant", "model": "fake", "content": [], "usage": usage}


def _end(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    calls = any(block["type"] == "tool_use" for block in blocks)
    return {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}


def _events(blocks: list[dict[str, Any]]) -> Iterator[bytes]:
    yield _event("message_start", message={**_message(), "stop_reason": None, "stop_sequence": None})
    for index, block in enumerate(blocks):
        start: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": block.get("text", "")}
        if block["type"] == "tool_use":
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield _event("content_block_start", index=index, content_block=start)
        yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    yield _event("message_delta", delta=_end(blocks), usage={"output_tokens": 1})
    yield _event("message_stop")


def _event(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()
