"""The scripted APIs read by others: the official SDKs and pydantic-ai get what we get, and ask in the same terms."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pisces.models.known_models import facts_of
from pisces.models.wire import HIGH, LOW, OFF, ModelAnswer, ModelAsk
from pisces.shapes.message import BY_USER, CallPart, ChatMessage, TextPart, ThinkingPart
from tests.models.fakes import SIDES, running
from tests.models.oracles import oracle
from tests.models.test_fakes import Talk
from tests.models.test_known_models import WIRES
from tests.models.test_pydantic_ai import USER, Program

pytestmark = pytest.mark.framework

ASK = ModelAsk("", (ChatMessage(BY_USER, (TextPart("hi"),)),))


def turn(side: Any) -> list[Any]:
    """As the API in question can say it: chat completions of the fake have no thinking."""
    thinking = [side.thinking("first a plan, then a look")] if side.signature else []
    calls = [side.call("read", {"path": f"{each}.txt", "deep": {"list": [1, "ü"]}}, f"call-{each}") for each in "ab"]
    return [*thinking, side.text("I look at both, one after the other, and tell you what they say."), *calls]


async def _ours(talk: Talk) -> ModelAnswer:
    assert talk.model is not None
    async with talk.model.answering(ASK) as stream:
        async for _ in stream:
            pass
        answer = stream.whole()
    await talk.model.close()
    return answer


def plain(answer: ModelAnswer) -> list[list[Any]]:
    found: list[list[Any]] = []
    for part in answer.message.parts:
        if isinstance(part, TextPart):
            found.append(["text", part.text])
        elif isinstance(part, ThinkingPart):
            found.append(["thinking", part.text])
        elif isinstance(part, CallPart):
            found.append(["call", part.name, dict(part.input)])
    return found


@pytest.mark.parametrize("name", list(SIDES))
def test_sdks_and_pydantic_ai_read_the_same_answer(name: str, tmp_path: Path) -> None:
    with running(name) as side:
        side.server.side_default = side.server.default = turn(side)
        ours = asyncio.run(_ours(Talk(side, tmp_path)))
        url = f"{side.server.base_url}/v1" if name in ("chat", "responses") else side.server.base_url
        (by_pydantic,) = oracle("read", name, url, "1")
        # The helper of OpenAI's SDK wants an event that this fake leaves out.
        by_sdk = oracle("read", f"sdk-{name}", url, "1") if name != "responses" else [by_pydantic]
    assert by_pydantic["parts"] == plain(ours)
    assert by_pydantic["usage"] == [ours.usage.input, ours.usage.output, ours.usage.cached]
    assert by_sdk[0]["parts"] == plain(ours)


def _terms(body: dict[str, Any]) -> dict[str, Any]:
    """How a request asks to think. Sizes of budgets and what is shown are each one's own choice."""
    found: dict[str, Any] = {"effort": (body.get("output_config") or {}).get("effort")}
    kind = (body.get("thinking") or {}).get("type")
    found["kind"] = None if kind == "disabled" else kind  # which is what some do by themselves
    config = (body.get("generationConfig") or {}).get("thinkingConfig") or {}
    config = {key.replace("_", "").lower(): value for key, value in config.items()}
    found["level"] = config.get("thinkinglevel")
    found["by_budget"] = "thinkingbudget" in config
    found["is_on"] = config.get("thinkingbudget", 1) > 0
    found["reasoning"] = (body.get("reasoning") or {}).get("effort")
    return found


@pytest.mark.parametrize(
    ("name", "provider", "models", "levels"),
    [
        (
            "anthropic",
            "anthropic",
            (
                "claude-fable-5-1",
                "claude-opus-5-5",
                "claude-opus-5",
                "claude-opus-4-8",
                "claude-sonnet-5-5",
                "claude-sonnet-5",
                "claude-sonnet-4-6",
                "claude-sonnet-4-5-20250929",
                "claude-haiku-5-5",
                "claude-haiku-4-5",
            ),
            (LOW, HIGH, OFF),
        ),
        (
            "gemini",
            "google",
            ("gemini-4-argon", "gemini-3.8-flash", "gemini-2.5-pro", "gemini-2.5-flash"),
            (LOW, HIGH, OFF),
        ),
        ("responses", "openai", ("gpt-6.1-sol", "gpt-5.4", "gpt-5"), (LOW, HIGH)),
    ],
)
def test_models_are_asked_to_think_in_the_terms_of_pydantic_ai(
    name: str, provider: str, models: tuple[str, ...], levels: tuple[str, ...]
) -> None:
    with running(name) as side:
        program = Program(side)
        wrong = []
        for model in models:
            for level in levels:
                program.asked(USER, model=model, thinking=level)
                ask = ASK.replace(model=model, thinking=level, thinks=facts_of(model, provider, "").thinking)
                ours, theirs = _terms(dict(WIRES[provider].sent(ask).body)), _terms(side.bodies[-1])
                if ours != theirs:
                    wrong.append((model, level, ours, theirs))
        program.close()
    assert not wrong
