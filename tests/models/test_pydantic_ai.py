"""Models through pydantic-ai, in an environment that has it: conversations both ways against scripted APIs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.frameworks import framework
from tests.models.fakes import PICTURE, running

pytestmark = pytest.mark.framework
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("through_pydantic_ai.py")
USER = {"role": "user", "parts": [{"type": "text", "text": "hi"}]}
READ = {"name": "read", "description": "Reads", "parameters": {"type": "object", "properties": {}}}
MODELS = {
    "anthropic": ("anthropic", "claude-sonnet-4-5"),
    "gemini": ("google", "gemini-2.5-pro"),
    "chat": ("openai-chat", "gpt-5"),
    "responses": ("openai-responses", "gpt-5"),
}


class Program:
    """A process for each fake, because the address is in its environment."""

    def __init__(self, side: Any) -> None:
        self._side = side
        url = side.server.base_url
        addresses = {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "sk-ant-very-secret-key-of-mine",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GOOGLE_API_KEY": "the-secret-key-of-google",
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_KEY": "sk-very-secret-key-of-openai",
        }
        self._process = subprocess.Popen(
            [framework("oracles").python, str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
                "PYTHONDONTWRITEBYTECODE": "1",
                **addresses,
            },
        )

    def asked(self, *messages: Any, **more: Any) -> dict[str, Any]:
        provider, model = MODELS[self._side.name]
        given = {"provider": provider, "model": model, "messages": messages, "tools": [READ], **more}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the program ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture(scope="module", params=list(MODELS))
def talk(request: pytest.FixtureRequest) -> Iterator[tuple[Any, Program]]:
    with running(request.param) as side:
        program = Program(side)
        yield side, program
        program.close()


def texts(answer: dict[str, Any], kind: str) -> str:
    return "".join(text for name, text in answer["deltas"] if name == kind)


def standard(text: str) -> str:
    """Google's SDK writes base64 for addresses."""
    return text.replace("-", "+").replace("_", "/")


def test_text_calls_and_usage(talk: tuple[Any, Program]) -> None:
    side, program = talk
    side.next(
        [
            side.text("I look at both of them now, one after the other."),
            side.call("read", {"path": "ä.txt"}, "call-1"),
            side.call("read", {"path": "b.txt"}, "call-2"),
        ]
    )
    answer = program.asked(USER, system="Be brief.")
    parts = answer["answer"]["parts"]
    assert [each["type"] for each in parts] == ["text", "call", "call"]
    assert [each["input"] for each in parts[1:]] == [{"path": "ä.txt"}, {"path": "b.txt"}]
    assert texts(answer, "TextDelta") == parts[0]["text"]
    assert answer["stop"] == "calls"
    assert (answer["usage"]["input"], answer["usage"]["output"]) == (10, 5)
    assert "Be brief." in str(side.bodies[-1])
    results = [
        {"type": "result", "id": each["id"], "name": "read", "parts": [{"type": "text", "text": f"got {each['id']}"}]}
        for each in parts[1:]
    ]
    program.asked(USER, answer["answer"], {"role": "user", "parts": results})
    sent = [text for _, text in side.results(side.bodies[-1])]
    assert [str(each) for each in sent] == [f"got {each['id']}" for each in parts[1:]]


def test_thinking_goes_back_with_its_signature(talk: tuple[Any, Program]) -> None:
    side, program = talk
    if not side.signature:
        pytest.skip("this API signs nothing")
    side.next([side.thinking("hmm, a plan"), side.call("read", {}, "call-1")])
    answer = program.asked(USER, thinking="high")
    assert "a plan" in texts(answer, "ThinkingDelta")
    result = {"type": "result", "id": "call-1", "name": "read", "parts": [{"type": "text", "text": "x"}]}
    program.asked(USER, answer["answer"], {"role": "user", "parts": [result]})
    assert side.signature in str(side.bodies[-1])
    stranger = {**answer["answer"], "wire": "somebody-else"}
    program.asked(USER, stranger, {"role": "user", "parts": [result]})
    assert "a plan" not in str(side.bodies[-1])


def test_images_of_the_user_and_of_tools_are_sent(talk: tuple[Any, Program]) -> None:
    side, program = talk
    image = {"type": "image", "mime": "image/png", "data": PICTURE}
    program.asked({"role": "user", "parts": [{"type": "text", "text": "this?"}, image]})
    assert standard(str(side.images(side.bodies[-1]))) == str([PICTURE])
    call = {"role": "model", "parts": [{"type": "call", "id": "call-1", "name": "read", "input": {}}]}
    result = {"type": "result", "id": "call-1", "name": "read", "parts": [{"type": "text", "text": "x"}, image]}
    program.asked(USER, call, {"role": "user", "parts": [result]})
    assert PICTURE in standard(str(side.bodies[-1]))


def test_errors_say_what_the_provider_said_and_sdks_do_not_try_again(talk: tuple[Any, Program]) -> None:
    side, program = talk
    for status, is_passing in ((429, True), (500, True), (401, False)):
        before = len(side.bodies)
        side.next(side.error(status))
        failed = program.asked(USER)
        assert (failed["status"], failed["passing"]) == (status, is_passing)
        assert "scripted trouble" in failed["failed"]
        assert len(side.bodies) == before + 1


def test_a_cut_stream_is_a_failure_that_may_pass(talk: tuple[Any, Program]) -> None:
    side, program = talk
    side.next(side.cut("half a sentence that never comes to its end"))
    failed = program.asked(USER)
    assert failed["passing"]


def test_a_cancelled_request_ends_and_the_next_one_works(talk: tuple[Any, Program]) -> None:
    side, program = talk
    side.next([side.text("a long sentence that is cut off by the user, who has read enough of it by now")])
    assert program.asked(USER, cancel=True) == {"cancelled": True}
    side.next([side.text("again")])
    assert program.asked(USER)["answer"]["parts"][0]["text"] == "again"


def test_a_provider_whose_sdk_is_missing_says_so(talk: tuple[Any, Program]) -> None:
    _, program = talk
    failed = program.asked(USER, provider="cohere", model="command-a")
    assert "cohere" in failed["failed"]
    assert not failed["passing"]
