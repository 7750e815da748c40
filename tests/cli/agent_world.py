"""A project, a home and a model on loopback, for tests of `pisces -p` through its front door."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.models.recorder import Recorder

from pisces.__main__ import main

Json = dict[str, Any]


def answer(*parts: str | tuple[str, Json], stop: str = "") -> bytes:
    """What the Messages API streams: texts, and calls as a name with its input."""
    ended = stop or ("tool_use" if any(isinstance(each, tuple) for each in parts) else "end_turn")
    usage = {"input_tokens": 10, "output_tokens": 3}
    message = {"id": "m", "model": "claude", "role": "assistant", "content": [], "usage": usage}
    events: list[Json] = [{"type": "message_start", "message": message}]
    for index, part in enumerate(parts):
        events += _block(index, part)
    delta = {"stop_reason": ended}
    events += [{"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7}}, {"type": "message_stop"}]
    return b"".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode() for each in events)


def _block(index: int, part: str | tuple[str, Json]) -> Iterator[Json]:
    start: Json = {"type": "text", "text": ""}
    delta: Json = {"type": "text_delta", "text": part}
    if isinstance(part, tuple):
        start = {"type": "tool_use", "id": f"call-{index}", "name": part[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(part[1])}
    yield {"type": "content_block_start", "index": index, "content_block": start}
    yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


class AgentWorld:
    """`run` is the program in this process, with `stdin` as a file behind it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, model: Recorder) -> None:
        self.home, self.project, self.model = folder / "home", folder / "project", model
        self.home.mkdir()
        self.project.mkdir()
        self._folder, self._patch = folder, patch
        patch.chdir(self.project)
        for name in [name for name in os.environ if name.endswith(("_API_KEY", "_BASE_URL"))]:
            patch.delenv(name)
        patch.setenv("HOME", str(self.home))
        patch.setenv("USERPROFILE", str(self.home))
        patch.setenv("ANTHROPIC_API_KEY", "key")
        patch.setenv("ANTHROPIC_BASE_URL", model.url)
        model.body = answer("fine")

    @property
    def env(self) -> dict[str, str]:
        return dict(os.environ)

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, *words: str, stdin: bytes = b"") -> int:
        path = self._folder / "stdin"
        path.write_bytes(stdin)
        with path.open(encoding="utf-8", errors="surrogateescape") as file:
            self._patch.setattr("sys.stdin", file)
            return main(words)

    def without_model(self) -> None:
        self._patch.delenv("ANTHROPIC_API_KEY")

    @property
    def asked(self) -> list[Json]:
        return self.model.requests

    def last_message(self, request: int = -1) -> str:
        return json.dumps(self.asked[request]["messages"][-1])
