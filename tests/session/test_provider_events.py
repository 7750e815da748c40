"""Modules look at what a provider gets and says, and see no key."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces.models import anthropic
from pisces.models.model import HttpModel, ModelFacts
from pisces.models.sending import ModelEndpoint, Sender
from pisces.models.wire import ModelFailed
from pisces.session.session import open_session
from tests.models.recorder import Recorder
from tests.models.test_streams import made
from tests.session.world import SessionWorld

MODULE = """
import json
from pisces import events
def extension(pisces):
    def note(**what):
        with open({log!r}, "a") as file:
            file.write(json.dumps(what) + "\\n")
    @pisces.on(events.BeforeProviderRequest)
    def body(event):
        note(payload=event.payload)
        {body}
    @pisces.on(events.BeforeProviderHeaders)
    def headers(event):
        note(headers=event.headers)
        {headers}
    @pisces.on(events.AfterProviderResponse)
    def answered(event):
        note(status=event.status, answer=event.headers)
"""


def asked(folder: Path, server: Recorder, body: str = "return None", headers: str = "return None") -> list[Any]:
    """What the module saw of one prompt."""
    log = folder / "log"
    world = SessionWorld(folder, (), MODULE.format(log=str(log), body=body, headers=headers))
    endpoint = ModelEndpoint(anthropic.WIRE, server.url, "secret-key-1", {"x-own": "secret-own-2"})

    async def run() -> None:
        model = HttpModel(ModelFacts("m", "anthropic", "anthropic"), endpoint, Sender())
        async with open_session(world.places, world.options.replace(model=model)) as session:
            try:
                await session.submit("hi")
            finally:
                await model.close()

    asyncio.run(run())
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def test_all_three_are_emitted_and_no_secret_is_in_them(tmp_path: Path) -> None:
    with Recorder() as server:
        server.body = made("anthropic", 0)[1]
        server.headers = {**server.headers, "set-cookie": "secret-cookie", "request-id": "r1"}
        payload, headers, answer = asked(tmp_path, server)[:3]
        sent = server.sent_headers[0]
    assert payload["payload"]["model"] == "m"
    assert headers["headers"]["anthropic-version"]
    assert answer["status"] == 200
    assert answer["answer"]["request-id"] == "r1"
    assert "secret" not in json.dumps([payload, headers, answer])
    assert (sent["x-api-key"], sent["x-own"]) == ("secret-key-1", "secret-own-2")


def test_body_and_headers_may_be_changed_but_not_the_key(tmp_path: Path) -> None:
    body = "return event.replace(payload={**event.payload, 'metadata': {'user_id': 'u'}})"
    more = "{**event.headers, 'x-more': '1', 'X-API-Key': 'mine', 'X-Own': 'mine', 'x-number': 1}"
    with Recorder() as server:
        server.body = made("anthropic", 0)[1]
        asked(tmp_path, server, body, f"return event.replace(headers={more})")
        request, sent = server.requests[0], server.sent_headers[0]
    assert request["metadata"] == {"user_id": "u"}
    assert (sent["x-more"], sent["x-api-key"], sent["x-own"]) == ("1", "secret-key-1", "secret-own-2")
    assert "x-number" not in sent


def test_a_body_that_is_no_object_is_not_sent_and_one_that_is_no_json_is_said(tmp_path: Path) -> None:
    with Recorder() as server:
        server.body = made("anthropic", 0)[1]
        asked(tmp_path / "a", server, "return event.replace(payload='nonsense')")
        assert server.requests[0]["model"] == "m"
        with pytest.raises(ModelFailed, match="an extension made a request of it that is no JSON"):
            asked(tmp_path / "b", server, "return event.replace(payload={'a': object()})")


def test_a_refusal_of_the_provider_is_heard_as_well(tmp_path: Path) -> None:
    with Recorder() as server:
        server.status, server.body = 401, b"no"
        with pytest.raises(ModelFailed):
            asked(tmp_path, server)
    assert json.loads((tmp_path / "log").read_text("utf-8").splitlines()[-1])["status"] == 401
