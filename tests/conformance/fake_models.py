"""Three model APIs on loopback in one small server: it calls the tools that a test lists, and remembers what it got."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = tuple[str, dict[str, Any]]
_USAGE = {"input_tokens": 1, "output_tokens": 1}


class FakeModel:
    """`calls` are made one a request, then it says `done`. Requests without tools are asides, such as for a title."""

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        self.calls = list(calls)
        self.bodies: list[dict[str, Any]] = []  # of requests that have tools
        self.address = ""

    def next_call(self, body: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        if not body.get("tools"):
            return None
        self.bodies.append(body)
        return self.calls.pop(0) if self.calls else None

    @property
    def read(self) -> str:
        """All that the model was sent, last request."""
        return json.dumps(self.bodies[-1], ensure_ascii=False) if self.bodies else ""


def _anthropic(body: dict[str, Any], model: FakeModel) -> list[Event]:
    call = model.next_call(body)
    start: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    if call:
        start = {"type": "tool_use", "id": f"toolu_{len(model.bodies)}", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
    message = {"id": f"msg_{len(model.bodies)}", "type": "message", "role": "assistant", "content": [], "model": "m"}
    stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    return [
        ("message_start", {"message": {**message, "stop_reason": None, "stop_sequence": None, "usage": _USAGE}}),
        ("content_block_start", {"index": 0, "content_block": start}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": stop, "usage": {"output_tokens": 1}}),
        ("message_stop", {}),
    ]


def _openai(body: dict[str, Any], model: FakeModel) -> list[Event]:
    call = model.next_call(body)
    item: dict[str, Any] = {"type": "message", "role": "assistant", "id": "m", "content": []}
    if call:
        space, _, name = call[0].rpartition("/")
        named = {"name": name, "call_id": f"call_{len(model.bodies)}"}
        item = {"type": "function_call", **named, "arguments": json.dumps(call[1])}
        item.update({"namespace": space} if space else {})
        if "freeform" in call[1]:  # a tool that takes plain text
            item = {"type": "custom_tool_call", **named, "input": call[1]["freeform"], "status": "completed"}
    else:
        item["content"] = [{"type": "output_text", "text": "done"}]
    usage = {**_USAGE, "input_tokens_details": None, "output_tokens_details": None, "total_tokens": 2}
    return [
        ("response.created", {"response": {"id": "r"}}),
        ("response.output_item.done", {"item": item}),
        ("response.completed", {"response": {"id": "r", "usage": usage}}),
    ]


def _gemini(body: dict[str, Any], model: FakeModel) -> dict[str, Any]:
    call = model.next_call(body)
    part: dict[str, Any] = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": "done"}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2}}


@contextmanager
def fake_model(*calls: tuple[str, dict[str, Any]]) -> Iterator[FakeModel]:
    model = FakeModel(*calls)

    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None: ...

        def do_GET(self) -> None:
            self._reply(b"{}", "application/json", 404)

        do_HEAD = do_GET  # noqa: N815  # the name that the server looks for

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if "count" in self.path:
                self._reply(b'{"input_tokens": 1, "totalTokens": 1}', "application/json")
            elif "/messages" in self.path:
                self._stream(_anthropic(body, model))
            elif "/responses" in self.path:
                self._stream(_openai(body, model))
            else:
                answer = json.dumps(_gemini(body, model))
                is_stream = "stream" in self.path
                text = f"data: {answer}\n\n" if is_stream else answer
                self._reply(text.encode(), "text/event-stream" if is_stream else "application/json")

        def _stream(self, events: list[Event]) -> None:
            lines = (f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in events)
            self._reply("".join(lines).encode(), "text/event-stream")

        def _reply(self, data: bytes, kind: str, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    model.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
