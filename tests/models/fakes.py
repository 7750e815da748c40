"""The scripted fakes of model APIs behind one face, so that one test drives a session against each of them."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(os.environ.get("PISCES_CORPUS", "../shared/corpus")).parent
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def _fake(name: str) -> Any:
    path = SHARED / f"{name}.py"
    if not path.is_file():
        pytest.skip(f"no {name}.py beside the corpus")
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


class Side:
    """One fake. `results` are the texts of what tools returned, in the order in which the API got them."""

    name = wanted = ""
    file = ""

    def __init__(self, module: Any, server: Any) -> None:
        self.module, self.server = module, server

    def text(self, value: str) -> Any:
        return self.module.text(value)

    def cut(self, half: str) -> Any:
        return self.module.Cut(3, [self.module.text(half)])

    def error(self, status: int) -> Any:
        return self.module.Error(status, "scripted trouble", headers={"retry-after": "0"})

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [each.body for each in self.server.requests]

    def config(self) -> str:
        return ""

    def next(self, turn: Any) -> None:
        """The next request gets this, whatever was asked before."""
        turns, used = self.server.turns, getattr(self.server, "used", 0)
        turns.extend([self.server.default] * (used - len(turns)))
        turns.append(turn)


class AnthropicSide(Side):
    name, file, wanted = "anthropic", "fake_anthropic", "anthropic/claude-sonnet-4-5"
    signature = "c2lnbmF0dXJl"

    def env(self) -> dict[str, str]:
        return {"ANTHROPIC_API_KEY": "the-secret-key", "ANTHROPIC_BASE_URL": self.server.base_url}

    def thinking(self, value: str) -> Any:
        return self.module.thinking(value)

    def call(self, name: str, given: Any, call_id: str) -> Any:
        return self.module.tool(name, given, call_id)

    def results(self, body: dict[str, Any]) -> list[tuple[str, str]]:
        blocks = [each for message in body["messages"] for each in message["content"] if each["type"] == "tool_result"]
        return [(each["tool_use_id"], each["content"][0]["text"]) for each in blocks]

    def images(self, body: dict[str, Any]) -> list[str]:
        blocks = [each for message in body["messages"] for each in message["content"]]
        inside = [part for each in blocks if each["type"] == "tool_result" for part in each["content"]]
        return [each["source"]["data"] for each in (*blocks, *inside) if each["type"] == "image"]

    def signatures(self, body: dict[str, Any]) -> list[str]:
        blocks = [each for message in body["messages"] for each in message["content"]]
        return [each["signature"] for each in blocks if each["type"] == "thinking"]


class GeminiSide(Side):
    name, file, wanted = "gemini", "fake_gemini", "google/gemini-2.5-pro"
    signature = "c2lnbmVk"

    def env(self) -> dict[str, str]:
        return {"GEMINI_API_KEY": "the-secret-key", "GOOGLE_GEMINI_BASE_URL": self.server.base_url}

    def thinking(self, value: str) -> Any:
        return self.module.thought(value, signature=self.signature)

    def call(self, name: str, given: Any, call_id: str) -> Any:
        return self.module.call(name, given, call_id)

    def cut(self, half: str) -> Any:
        return [self.module.text(half), {"text": object()}]  # which no JSON has: the fake falls over there

    def error(self, status: int) -> Any:
        return self.module.Error(status, "scripted trouble")

    def results(self, body: dict[str, Any]) -> list[tuple[str, str]]:
        parts = [part for content in body["contents"] for part in content["parts"] if "functionResponse" in part]
        found = [each["functionResponse"] for each in parts]
        return [(each["id"], next(iter(each["response"].values()))) for each in found]

    def images(self, body: dict[str, Any]) -> list[str]:
        parts = [part for content in body["contents"] for part in content["parts"]]
        return [each["inlineData"]["data"] for each in parts if "inlineData" in each]

    def signatures(self, body: dict[str, Any]) -> list[str]:
        parts = [part for content in body["contents"] for part in content["parts"]]
        return [each["thoughtSignature"] for each in parts if each.get("thought")]


class ChatSide(Side):
    name, file, wanted = "chat", "fake_openai", "openai/gpt-5"
    signature = ""

    def env(self) -> dict[str, str]:
        return {"OPENAI_API_KEY": "the-secret-key", "OPENAI_BASE_URL": f"{self.server.base_url}/v1"}

    def thinking(self, value: str) -> Any:
        return self.module.reasoning(value)

    def call(self, name: str, given: Any, call_id: str) -> Any:
        return self.module.call(name, given, call_id)

    def results(self, body: dict[str, Any]) -> list[tuple[str, str]]:
        return [(each["tool_call_id"], each["content"]) for each in body["messages"] if each["role"] == "tool"]

    def arguments(self, body: dict[str, Any]) -> list[str]:
        calls = [call for each in body["messages"] for call in each.get("tool_calls", ())]
        return [each["function"]["arguments"] for each in calls]

    def images(self, body: dict[str, Any]) -> list[str]:
        lists = [each["content"] for each in body["messages"] if isinstance(each["content"], list)]
        urls = [part["image_url"]["url"] for each in lists for part in each if part["type"] == "image_url"]
        return [each.partition("base64,")[2] for each in urls]

    def signatures(self, body: dict[str, Any]) -> list[str]:  # noqa: ARG002  # there are none
        return []


class ResponsesSide(ChatSide):
    name, wanted = "responses", "mine"

    def env(self) -> dict[str, str]:
        return {"OPENAI_API_KEY": "the-secret-key"}

    def config(self) -> str:
        return (
            f"models:\n  mine:\n    wire: openai-responses\n    url: {self.server.base_url}/v1\n"
            "    model: gpt-5\n    key_env: OPENAI_API_KEY\n    prices: {input: 1.25, output: 10}\n"
        )

    def results(self, body: dict[str, Any]) -> list[tuple[str, str]]:
        return [
            (each["call_id"], each["output"]) for each in body["input"] if each.get("type") == "function_call_output"
        ]

    def arguments(self, body: dict[str, Any]) -> list[str]:
        return [each["arguments"] for each in body["input"] if each.get("type") == "function_call"]

    def images(self, body: dict[str, Any]) -> list[str]:
        lists = [each.get("content") or each.get("output") for each in body["input"]]
        parts = [part for each in lists if isinstance(each, list) for part in each]
        return [each["image_url"].partition("base64,")[2] for each in parts if each["type"] == "input_image"]


SIDES: dict[str, type[Any]] = {each.name: each for each in (AnthropicSide, GeminiSide, ChatSide, ResponsesSide)}
_CLASSES = {"fake_anthropic": "FakeAnthropic", "fake_gemini": "FakeGemini", "fake_openai": "FakeOpenAI"}


@contextmanager
def running(name: str, **options: Any) -> Iterator[Any]:
    """A fake that listens on loopback. Skips where the fakes are not."""
    kind = SIDES[name]
    module = _fake(kind.file)
    with getattr(module, _CLASSES[kind.file])(**options) as server:
        yield kind(module, server)
