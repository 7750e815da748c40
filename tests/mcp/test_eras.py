"""The newer protocol (2026-07-28), where a server asks by its answers and announces what it was asked for."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pisces.mcp.client import UP
from pisces.mcp.connection import TOOLS, ServerAsks, ServerError
from pisces.mcp.plan import AUTO_ERA, LEGACY
from tests.mcp.faulty import SERVERS, nothing_left, open_client, ran, said

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is counted in /proc")
SERVER: dict[str, Any] = {
    "argv": (sys.executable, str(SERVERS / "client_eras.py")),
    "env": {"PATH": os.environ["PATH"]},
}


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    yield from nothing_left()


@pytest.mark.parametrize(("era", "state"), [(LEGACY, "None"), (AUTO_ERA, "opaque")])
def test_a_question_in_a_call_reaches_the_user(era: str, state: str) -> None:
    async def elicit(params: Mapping[str, Any]) -> Mapping[str, Any]:
        assert params["mode"] == "form"
        return {"action": "accept", "content": {"name": "Ada"}}

    async def work() -> None:
        async with open_client(asks=ServerAsks(elicit=elicit), era=era, **SERVER) as server:
            assert said(await server.call("ask", {})) == f"accept {{'name': 'Ada'}} {state}"

    ran(work())


@pytest.mark.parametrize("era", [LEGACY, AUTO_ERA])
def test_a_question_that_nobody_may_answer_is_an_error(era: str) -> None:
    async def work() -> None:
        async with open_client(era=era, **SERVER) as server:
            with pytest.raises(ServerError):
                await server.call("ask", {})
            assert server.state == UP

    ran(work())


@pytest.mark.parametrize("era", [LEGACY, AUTO_ERA])
def test_a_callback_that_fails_is_a_refusal_and_says_nothing(era: str) -> None:
    async def elicit(_params: Mapping[str, Any]) -> Mapping[str, Any]:
        raise RuntimeError("a secret in a traceback")

    async def work() -> None:
        async with open_client(asks=ServerAsks(elicit=elicit), era=era, **SERVER) as server:
            answer = said(await server.call("ask", {}))
            assert answer.startswith("decline None")

    ran(work())


def test_a_call_that_asks_for_ever_ends() -> None:
    async def work() -> None:
        async with open_client(era=AUTO_ERA, **SERVER) as server:
            with pytest.raises(ServerError, match="asked for more input"):
                await server.call("for_ever", {})

    ran(work())


def test_changes_of_lists_and_of_resources_that_were_asked_for_arrive() -> None:
    notes: asyncio.Queue[tuple[str, Mapping[str, Any]]] = asyncio.Queue()

    async def work() -> None:
        asks = ServerAsks(notified=lambda *note: notes.put_nowait(note))
        async with open_client(asks=asks, era=AUTO_ERA, **SERVER) as server:
            made = await server.start()
            assert made.facts.protocol == "2026-07-28"
            while (await notes.get())[0] != "notifications/subscriptions/acknowledged":
                pass
            await server.call("grow", {})
            while (await notes.get())[0] != "notifications/tools/list_changed":
                pass
            assert "grown" in {each["name"] for each in await made.listed(TOOLS)}
            await made.subscribe("one://1")
            while (await notes.get())[0] != "notifications/subscriptions/acknowledged":
                pass
            await server.call("touch", {})
            while (note := await notes.get())[0] != "notifications/resources/updated":
                pass
            assert note[1]["uri"] == "one://1"
            await made.unsubscribe("one://1")
            assert (await made.read("one://1"))["contents"][0]["text"] == "first"
            await made.ping()

    ran(work())


@pytest.mark.parametrize("era", [LEGACY, AUTO_ERA])
def test_time_in_which_the_user_is_asked_does_not_count(era: str) -> None:
    async def elicit(_params: Mapping[str, Any]) -> Mapping[str, Any]:
        await asyncio.sleep(1.5)  # longer than the call may take
        return {"action": "accept", "content": {"name": "slow"}}

    async def work() -> None:
        async with open_client(asks=ServerAsks(elicit=elicit), era=era, **{**SERVER, "call_seconds": 1.0}) as server:
            assert "slow" in said(await server.call("ask", {}))

    ran(work())
