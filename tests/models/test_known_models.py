"""Facts about models: matched by name, counted in dollars, and in the terms in which each is asked to think."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.models import anthropic, gemini, openai_responses
from pisces.models.known_models import facts_of, known_names
from pisces.models.model import LongPrompts, Prices, cost_of, without_images
from pisces.models.providers import ALIASES, PROVIDERS, provider_of
from pisces.models.wire import HIGH, LOW, OFF, ModelAsk, Usage, Wire
from pisces.shapes.message import BY_USER, ChatMessage, ImagePart, ResultPart, TextPart

WIRES: dict[str, Wire] = {"anthropic": anthropic.WIRE, "google": gemini.WIRE, "openai": openai_responses.WIRE}


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-4-5@20250929", 200_000),
        ("claude-opus-5", 1_000_000),
        ("claude-opus-5-5", 1_000_000),
        ("claude-sonnet-4-5-turbo", 0),
        ("claude-sonnet-4", 0),
        ("claude-sonnet-4-55", 0),
    ],
)
def test_a_name_with_a_date_is_the_same_model_and_a_longer_name_is_another(model: str, window: int) -> None:
    assert facts_of(model, "anthropic", "anthropic").window == window


def test_a_longer_name_does_not_get_the_facts_of_a_shorter_one() -> None:
    for provider in PROVIDERS:
        for name in known_names(provider.id):
            facts = facts_of(name, provider.id, "")
            assert facts.prices is not None
            assert facts.window
            assert facts_of(f"{name}-2026-01-02", provider.id, "").prices == facts.prices
    mini, whole = facts_of("gpt-5-mini", "openai", "").prices, facts_of("gpt-5", "openai", "").prices
    assert mini != whole
    assert facts_of("gpt-5-pro", "openai", "").prices is None


def test_defaults_and_aliases_are_models_that_are_known() -> None:
    for provider in PROVIDERS[:3]:
        assert provider.default in known_names(provider.id)
    for alias in ALIASES.values():
        provider_id, _, model = alias.partition("/")
        assert model in known_names(provider_id)
        owner = provider_of(model)
        assert owner is not None
        assert owner.id == provider_id


def test_who_else_sells_a_model_has_no_price_of_ours() -> None:
    assert facts_of("claude-sonnet-4-5", "openrouter", "openai_chat").prices is None


def test_the_cost_counts_what_is_cached_and_what_is_stored() -> None:
    prices = Prices(3.0, 15.0, 0.3, 3.75)
    assert cost_of(Usage(1_000_000, 0), prices) == pytest.approx(3.0)
    assert cost_of(Usage(1_000_000, 0, cached=1_000_000), prices) == pytest.approx(0.3)
    assert cost_of(Usage(1_000_000, 0, stored=500_000), prices) == pytest.approx(1.5 + 1.875)
    assert cost_of(Usage(0, 1_000_000), prices) == pytest.approx(15.0)
    assert cost_of(Usage(1, 1), None) is None


def test_a_long_prompt_makes_the_whole_request_dearer() -> None:
    prices = Prices(2.0, 10.0, 0.1, long=LongPrompts(272_000, 2, 1.5))
    assert cost_of(Usage(272_000, 1_000), prices) == pytest.approx(0.544 + 0.01)
    assert cost_of(Usage(272_001, 1_000), prices) == pytest.approx(1.088004 + 0.015)


@pytest.mark.parametrize(
    ("provider", "model", "thinking", "sent"),
    [
        ("anthropic", "claude-sonnet-4-5", HIGH, {"thinking": {"type": "enabled", "budget_tokens": 24_576}}),
        ("anthropic", "claude-sonnet-4-5", OFF, {}),
        (
            "anthropic",
            "claude-opus-5-5",
            HIGH,
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "high"}},
        ),
        (
            "anthropic",
            "claude-opus-5-5",
            OFF,
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "low"}},
        ),
        ("anthropic", "claude-sonnet-5-5", OFF, {"thinking": {"type": "between_tools"}}),
        ("anthropic", "claude-opus-5", OFF, {"thinking": {"type": "disabled"}}),
        (
            "anthropic",
            "claude-of-next-year",
            LOW,
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "low"}},
        ),
        (
            "google",
            "gemini-3.8-flash",
            HIGH,
            {"generationConfig": {"thinkingConfig": {"includeThoughts": True, "thinkingLevel": "HIGH"}}},
        ),
        (
            "google",
            "gemini-3.8-flash",
            OFF,
            {"generationConfig": {"thinkingConfig": {"includeThoughts": False, "thinkingLevel": "LOW"}}},
        ),
        (
            "google",
            "gemini-2.5-flash",
            OFF,
            {"generationConfig": {"thinkingConfig": {"includeThoughts": False, "thinkingBudget": 0}}},
        ),
        (
            "google",
            "gemini-2.5-pro",
            OFF,
            {"generationConfig": {"thinkingConfig": {"includeThoughts": False, "thinkingBudget": 128}}},
        ),
        ("openai", "gpt-6.1-sol", HIGH, {"reasoning": {"effort": "high", "summary": "auto"}}),
    ],
)
def test_each_model_is_asked_to_think_in_its_own_terms(
    provider: str, model: str, thinking: str, sent: dict[str, Any]
) -> None:
    facts = facts_of(model, provider, "")
    ask = ModelAsk(model, (ChatMessage(BY_USER, (TextPart("hi"),)),), thinking=thinking, thinks=facts.thinking)
    plain = WIRES[provider].sent(ask.replace(thinking="")).body
    body = WIRES[provider].sent(ask).body
    assert {key: value for key, value in body.items() if key not in plain} == sent


def test_a_model_that_sees_no_images_gets_a_line_instead() -> None:
    image = ImagePart("image/png", "AAAA")
    result = ResultPart("1", "look", (TextPart("here"), image))
    message = without_images(ChatMessage(BY_USER, (TextPart("a"), image, result)))
    assert "AAAA" not in str(message)
    assert str(message).count("cannot see") == 2
    assert not facts_of("deepseek-v4-pro", "deepseek", "").has_images
