"""A model on loopback in four wire formats, for agents that are measured: so many calls of a tool, then a text.

It notes what it was sent, and says when the first request of a run arrives.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Json = dict[str, Any]
Call = tuple[str, Json] | None


class ModelServer:
    """`calls` are asked for by `tool`, one a request that offers tools. `requests` are those that do."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.first: Callable[[], None] = lambda: None
        self._calls = 0
        self._tool: Callable[[int], tuple[str, Json]] = lambda _number: ("", {})
        self._is_first = True
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_given: Any) -> None:
                """Quiet."""

            def do_GET(self) -> None:
                self._send(b'{"data": [], "models": []}', "application/json")

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                form = _form_of(self.path)
                if form is None:
                    self._send(b"{}", "application/json")
                    return
                events = form(outer._next(raw))
                self._send("".join(events).encode(), "text/event-stream")

            def _send(self, body: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def begin(self, first: Callable[[], None], calls: int, tool: Callable[[int], tuple[str, Json]]) -> None:
        """A new run."""
        self.requests, self.first, self._calls, self._tool, self._is_first = [], first, calls, tool, True

    def _next(self, raw: bytes) -> Call:
        if self._is_first:
            self._is_first = False
            self.first()
        if not json.loads(raw).get("tools"):
            return None  # a title, or which model to take
        self.requests.append(raw)
        number = len(self.requests)
        return self._tool(number) if number <= self._calls else None

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _form_of(path: str) -> Callable[[Call], list[str]] | None:
    forms = {"/messages": _messages, "/responses": _responses, "/chat/completions": _chat}
    if "GenerateContent" in path or "generateContent" in path:
        return _gemini
    return next((form for end, form in forms.items() if path.split("?")[0].endswith(end)), None)


def _event(value: Json, name: str = "") -> str:
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(value)}\n\n"


def _messages(call: Call) -> list[str]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": usage}
    block: Json = {"type": "text", "text": ""}
    delta: Json = {"type": "text_delta", "text": "ok"}
    if call:
        block = {"type": "tool_use", "id": "toolu_1", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
    events: list[Json] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use" if call else "end_turn"}, "usage": usage},
        {"type": "message_stop"},
    ]
    return [_event(each, each["type"]) for each in events]


def _chat(call: Call) -> list[str]:
    delta: Json = {"role": "assistant", "content": "ok"}
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        delta = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}],
        }
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "x"}
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    chunks: list[Json] = [
        {"choices": [{"index": 0, "delta": delta}]},
        {"choices": [end]},
        {"choices": [], "usage": usage},
    ]
    return [*(_event({**head, **each}) for each in chunks), "data: [DONE]\n\n"]


def _responses(call: Call) -> list[str]:
    item: Json = {
        "type": "message",
        "id": "i1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "ok", "annotations": []}],
    }
    if call:
        item = {"type": "function_call", "id": "i1", "call_id": "c1", "name": call[0], "arguments": json.dumps(call[1])}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": "r", "object": "response", "status": "completed", "model": "x", "output": [item], "usage": usage}
    events: list[Json] = [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    return [_event({**each, "sequence_number": at}, each["type"]) for at, each in enumerate(events)]


def _gemini(call: Call) -> list[str]:
    part: Json = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": "ok"}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return [_event({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage})]
