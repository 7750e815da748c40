"""A request over HTTP on loopback: deltas, the whole answer, and everything that goes wrong."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from pisces.models import anthropic, gemini, openai_chat
from pisces.models.sending import ModelEndpoint, Sender
from pisces.models.wire import ModelAnswer, ModelAsk, ModelFailed, TextDelta
from pisces.shapes.message import BY_USER, ChatMessage, TextPart
from tests.models.recorder import Recorder
from tests.models.test_streams import WIRES, made, plain

ASK = ModelAsk("m", (ChatMessage(BY_USER, (TextPart("hi"),)),))


async def answered(endpoint: ModelEndpoint) -> tuple[ModelAnswer, str]:
    async with Sender() as sender, sender.sent(endpoint, ASK) as answering:
        text = "".join([delta.text async for delta in answering if isinstance(delta, TextDelta)])
        return answering.whole(), text


@pytest.mark.parametrize("name", WIRES)
def test_an_answer_arrives_in_deltas_and_as_a_whole(name: str) -> None:
    wire = WIRES[name][0]
    with Recorder() as server:
        parts, server.body = made(name, 3)
        answer, text = asyncio.run(answered(ModelEndpoint(wire, server.url + "/", "secret-key")))
        headers = server.sent_headers[0]
    assert plain(answer.message.parts) == plain(parts)
    assert text == answer.message.text
    assert headers[wire.key_header.lower()] == wire.key_format.format("secret-key")


def test_an_error_of_http_says_what_the_provider_said_and_when_to_come_again() -> None:
    with Recorder() as server:
        server.status, server.headers = 429, {"retry-after": "7", "content-type": "application/json"}
        server.body = json.dumps({"error": {"type": "rate_limit_error", "message": "slow down"}}).encode()
        with pytest.raises(ModelFailed, match=r"slow down \(429\)") as caught:
            asyncio.run(answered(ModelEndpoint(anthropic.WIRE, server.url, "secret-key")))
    assert (caught.value.status, caught.value.after, caught.value.is_passing) == (429, 7.0, True)
    assert "secret-key" not in str(caught.value)


@pytest.mark.parametrize(
    ("details", "after"),
    [
        ([{"@type": "Help"}, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}], 34.5),
        ([{"retryDelay": "soon"}, 5], None),
        ("none", None),
        (None, None),
    ],
)
def test_a_pause_that_google_asks_for_in_the_body_is_heard(details: object, after: float | None) -> None:
    with Recorder() as server:
        server.status, server.headers = 429, {"content-type": "application/json"}
        server.body = json.dumps([{"error": {"code": 429, "message": "quota", "details": details}}]).encode()
        with pytest.raises(ModelFailed, match="quota") as caught:
            asyncio.run(answered(ModelEndpoint(gemini.WIRE, server.url)))
    assert caught.value.after == after


@pytest.mark.parametrize(("status", "is_passing"), [(400, False), (401, False), (404, False), (500, True), (529, True)])
def test_only_some_errors_may_pass(status: int, is_passing: bool) -> None:
    with Recorder() as server:
        server.status, server.body = status, b"plain text"
        with pytest.raises(ModelFailed, match="plain text") as caught:
            asyncio.run(answered(ModelEndpoint(openai_chat.WIRE, server.url)))
    assert caught.value.is_passing == is_passing


def test_a_connection_that_is_cut_is_an_error_that_may_pass() -> None:
    with Recorder() as server:
        server.body, server.cut = made("chat", 3)[1][:-200], True
        with pytest.raises(ModelFailed, match="cut") as caught:
            asyncio.run(answered(ModelEndpoint(openai_chat.WIRE, server.url)))
    assert caught.value.is_passing


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "ftp://127.0.0.1", "no address"])
def test_a_model_that_cannot_be_reached_is_a_failure(url: str) -> None:
    with pytest.raises(ModelFailed, match="cannot be reached"):
        asyncio.run(answered(ModelEndpoint(openai_chat.WIRE, url)))


def test_a_cancelled_request_ends_at_once_and_the_sender_goes_on() -> None:
    async def body(server: Recorder) -> str:
        async with Sender() as sender:
            endpoint = ModelEndpoint(openai_chat.WIRE, server.url)

            async def first_delta() -> None:
                async with sender.sent(endpoint, ASK) as answering:
                    async for _ in answering:
                        await asyncio.Event().wait()

            task = asyncio.ensure_future(first_delta())
            while not server.requests:
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with sender.sent(endpoint, ASK) as answering:
                async for _ in answering:
                    pass
                return answering.whole().stop

    with Recorder() as server:
        server.body = made("chat", 3)[1]
        assert asyncio.run(body(server))


def test_the_body_is_json_in_utf_8_whatever_the_user_typed() -> None:
    odd = ChatMessage(BY_USER, (TextPart("half a pair \ud800 and \U0001f41f"),))

    async def sent(url: str) -> Any:
        async with Sender() as sender, sender.sent(ModelEndpoint(openai_chat.WIRE, url), ASK.replace(messages=(odd,))):
            return None

    with Recorder() as server:
        asyncio.run(sent(server.url))
        assert "\U0001f41f" in server.requests[0]["messages"][0]["content"]
