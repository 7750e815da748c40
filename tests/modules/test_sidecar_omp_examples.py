"""Modules that the npm package of omp ships as examples, unmodified."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pisces.shapes.events.agent import BeforeAgentStart
from tests.modules.js_session import MODULES, JsSession, played

EXAMPLES = MODULES / "@oh-my-pi" / "pi-coding-agent" / "examples" / "extensions"


def ran(name: str, play: Callable[[JsSession], Awaitable[Any]], **options: Any) -> Any:
    if not EXAMPLES.is_dir():
        pytest.skip("@oh-my-pi/pi-coding-agent is not installed: scripts/setup-peers does that")
    return played([str(EXAMPLES / name)], play, **options)


def test_hello_greets() -> None:
    async def play(session: JsSession) -> str:
        assert session.runner.tools["hello"].parameters["properties"]["name"]["type"] == "string"
        return (await session.tool("hello", name="Ada")).text

    assert "Ada" in ran("hello.ts", play)


def test_pirate_adds_to_the_system_prompt() -> None:
    async def play(session: JsSession) -> str:
        await session.command("pirate")
        return (await session.emit(BeforeAgentStart("x", system_prompt="Be kind."))).system_prompt

    prompt = ran("pirate.ts", play)
    assert prompt.startswith("Be kind.\n\n")
    assert "PIRATE MODE" in prompt


def test_the_demo_of_the_whole_api_runs() -> None:
    async def play(session: JsSession) -> None:
        (name,) = session.runner.tools
        result = await session.tool(name, message="hi", logLevel="debug")
        assert not result.is_error, result.text

    ran("api-demo.ts", play)


def test_what_only_omp_has_is_said_by_name() -> None:
    async def play(session: JsSession) -> list[str]:
        return [failure.event for failure in session.failures]

    assert ran("thinking-note.ts", play) == ["pi.registerAssistantThinkingRenderer"]
