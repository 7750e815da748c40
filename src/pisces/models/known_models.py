"""Facts about well-known models, as their providers published them on 16 November 2026.

A model that is not here works as well: its window and its price are not known then, and nobody makes them up. Prices
are those of the model's own provider; who else sells it may charge something else. Where a lower price holds for a
while or for some hours of the day, the full one is here: a limit on the cost must not be passed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pisces.models.model import LongPrompts, ModelFacts, Prices
from pisces.models.wire import ALWAYS, BETWEEN_TOOLS, BY_BUDGET, BY_EFFORT

if TYPE_CHECKING:
    from typing import TypeAlias

    # name, window, most output, how it is told to think, prices for a million tokens: input, output, cached, stored
    Row: TypeAlias = tuple[
        str, int, int, str, tuple[float, float] | tuple[float, float, float] | tuple[float, float, float, float]
    ]

AS_OF = "2026-11-16"

_MEGA, _GEMINI, _GPT = 1_000_000, 1_048_576, 1_050_000

_ANTHROPIC: tuple[Row, ...] = (
    ("claude-fable-5-1", _MEGA, 128_000, ALWAYS, (10, 50, 0.25, 12.5)),
    ("claude-fable-5", _MEGA, 128_000, ALWAYS, (10, 50, 1, 12.5)),
    ("claude-opus-5-5", _MEGA, 128_000, ALWAYS, (4, 20, 0.2, 5)),
    ("claude-opus-5", _MEGA, 128_000, BY_EFFORT, (5, 25, 0.5, 6.25)),
    ("claude-opus-4-8", _MEGA, 128_000, BY_EFFORT, (5, 25, 0.5, 6.25)),
    ("claude-opus-4-7", _MEGA, 128_000, BY_EFFORT, (5, 25, 0.5, 6.25)),
    ("claude-opus-4-6", _MEGA, 128_000, BY_EFFORT, (5, 25, 0.5, 6.25)),
    ("claude-opus-4-5", 200_000, 64_000, BY_BUDGET, (5, 25, 0.5, 6.25)),
    ("claude-opus-4-1", 200_000, 32_000, BY_BUDGET, (15, 75, 1.5, 18.75)),
    ("claude-sonnet-5-5", _MEGA, 128_000, BETWEEN_TOOLS, (2, 10, 0.1, 2.5)),
    ("claude-sonnet-5", _MEGA, 128_000, BY_EFFORT, (2, 10, 0.2, 2.5)),
    ("claude-sonnet-4-6", _MEGA, 128_000, BY_EFFORT, (3, 15, 0.3, 3.75)),
    ("claude-sonnet-4-5", 200_000, 64_000, BY_BUDGET, (3, 15, 0.3, 3.75)),
    ("claude-haiku-5-5", _MEGA, 128_000, BY_EFFORT, (0.1, 0.5, 0.01, 0.125)),
    ("claude-haiku-4-5", 200_000, 64_000, BY_BUDGET, (1, 5, 0.1, 1.25)),
)
_GOOGLE: tuple[Row, ...] = (
    ("gemini-4-argon", _GEMINI, 65_536, BY_EFFORT, (4, 20, 0.2)),
    ("gemini-3.8-flash", _GEMINI, 65_536, BY_EFFORT, (1.5, 7.5, 0.15)),
    ("gemini-3.7-flash", _GEMINI, 65_536, BY_EFFORT, (1.5, 7.5, 0.15)),
    ("gemini-3.6-flash", _GEMINI, 65_536, BY_EFFORT, (1.5, 7.5, 0.15)),
    ("gemini-3.5-flash", _GEMINI, 65_536, BY_EFFORT, (1.5, 9, 0.15)),
    ("gemini-3.5-flash-lite", _GEMINI, 65_536, BY_EFFORT, (0.3, 2.5, 0.03)),
    ("gemini-3.1-pro-preview", _GEMINI, 65_536, BY_EFFORT, (2, 12, 0.2)),
    ("gemini-3.1-flash-lite", _GEMINI, 65_536, BY_EFFORT, (0.25, 1.5, 0.025)),
    ("gemini-3-flash-preview", _GEMINI, 65_536, BY_EFFORT, (0.5, 3, 0.05)),
    ("gemini-2.5-pro", _GEMINI, 65_536, BY_BUDGET, (1.25, 10, 0.125)),
    ("gemini-2.5-flash", _GEMINI, 65_536, BY_BUDGET, (0.3, 2.5, 0.03)),
    ("gemini-2.5-flash-lite", _GEMINI, 65_536, BY_BUDGET, (0.1, 0.4, 0.01)),
)
_OPENAI: tuple[Row, ...] = (
    ("gpt-6.1-sol", _GPT, 128_000, BY_EFFORT, (2, 10, 0.1, 2.5)),
    ("gpt-6.1-terra", _GPT, 128_000, BY_EFFORT, (1, 5, 0.05, 1.25)),
    ("gpt-6-astra", _GPT, 128_000, BY_EFFORT, (10, 50, 1, 12.5)),
    ("gpt-6-sol", _GPT, 128_000, BY_EFFORT, (2, 10, 0.2, 2.5)),
    ("gpt-6-luna", _GPT, 128_000, BY_EFFORT, (0.1, 0.5, 0.01, 0.125)),
    ("gpt-5.6-sol", _GPT, 128_000, BY_EFFORT, (4, 20, 0.4, 5)),
    ("gpt-5.6-terra", _GPT, 128_000, BY_EFFORT, (2, 12, 0.2, 2.5)),
    ("gpt-5.6-luna", _GPT, 128_000, BY_EFFORT, (0.2, 1.2, 0.02, 0.25)),
    ("gpt-5.5", _MEGA, 128_000, BY_EFFORT, (5, 30, 0.5)),
    ("gpt-5.4", _GPT, 128_000, BY_EFFORT, (2.5, 15, 0.25)),
    ("gpt-5.4-mini", 400_000, 128_000, BY_EFFORT, (0.75, 4.5, 0.075)),
    ("gpt-5.4-nano", 400_000, 128_000, BY_EFFORT, (0.2, 1.25, 0.02)),
    ("gpt-5.3-codex", 400_000, 128_000, BY_EFFORT, (1.75, 14, 0.175)),
    ("gpt-5.2", 400_000, 128_000, BY_EFFORT, (1.75, 14, 0.175)),
    ("gpt-5.1", 400_000, 128_000, BY_EFFORT, (1.25, 10, 0.125)),
    ("gpt-5", 400_000, 128_000, BY_EFFORT, (1.25, 10, 0.125)),
    ("gpt-5-mini", 400_000, 128_000, BY_EFFORT, (0.25, 2, 0.025)),
    ("gpt-5-nano", 400_000, 128_000, BY_EFFORT, (0.05, 0.4, 0.005)),
    ("gpt-4.1", _MEGA, 32_768, "", (2, 8, 0.5)),
    ("gpt-4.1-mini", _MEGA, 32_768, "", (0.4, 1.6, 0.1)),
    ("gpt-4o", 128_000, 16_384, "", (2.5, 10, 1.25)),
    ("gpt-4o-mini", 128_000, 16_384, "", (0.15, 0.6, 0.075)),
    ("o3", 200_000, 100_000, BY_EFFORT, (2, 8, 0.5)),
    ("o4-mini", 200_000, 100_000, BY_EFFORT, (1.1, 4.4, 0.275)),
)
_ROWS: dict[str, tuple[Row, ...]] = {
    "anthropic": _ANTHROPIC,
    "google": _GOOGLE,
    "openai": _OPENAI,
    "mistral": (
        ("mistral-large-4", _GEMINI, 0, "", (1.36, 4.18, 0.14)),
        ("mistral-large-2512", 262_144, 0, "", (0.5, 1.5, 0.05)),
        ("mistral-medium-3-5", 262_144, 0, "", (1.5, 7.5, 0.15)),
        ("mistral-small-2603", 262_144, 0, "", (0.15, 0.6, 0.015)),
        ("codestral-2508", 256_000, 0, "", (0.3, 0.9, 0.03)),
    ),
    "deepseek": (
        ("deepseek-v4-pro", _MEGA, 0, "", (1.32, 3.96, 0.044)),
        ("deepseek-v4-flash", _MEGA, 0, "", (0.3, 1.2, 0.006)),
        ("deepseek-flash", _MEGA, 0, "", (0.3, 1.2, 0.006)),
    ),
    "xai": (
        ("grok-4.7", 500_000, 0, BY_EFFORT, (2, 6, 0.5)),
        ("grok-4.6", 500_000, 0, BY_EFFORT, (2, 6, 0.5)),
        ("grok-4.5", 500_000, 0, BY_EFFORT, (2, 6, 0.3)),
        ("grok-4.3", _MEGA, 0, BY_EFFORT, (1.25, 2.5, 0.2)),
        ("grok-code-fast-1", 256_000, 0, "", (0.2, 1.5, 0.02)),
    ),
    "groq": (("openai/gpt-oss-120b", 131_072, 0, BY_EFFORT, (0.15, 0.6, 0.075)),),
    "cerebras": (("gpt-oss-120b", 131_072, 0, BY_EFFORT, (0.35, 0.75)),),
    "moonshot": (
        ("kimi-k3.1-pro", _GEMINI, 0, "", (2, 10, 0.2, 2)),
        ("kimi-k3", _GEMINI, 0, "", (3, 15, 0.3, 3)),
        ("kimi-k2.7-code", 262_144, 0, "", (0.95, 4, 0.19)),
    ),
}
# A prompt of more tokens makes the whole request dearer: input by the second figure, output by the third.
_LONG: dict[str, tuple[int, float, float]] = {
    **dict.fromkeys(("gpt-5.4", "gpt-5.5", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"), (272_000, 2, 1.5)),
    **dict.fromkeys(("gpt-6-astra", "gpt-6-sol", "gpt-6-luna", "gpt-6.1-sol", "gpt-6.1-terra"), (272_000, 2, 1.5)),
    **dict.fromkeys(("gemini-2.5-pro", "gemini-3.1-pro-preview"), (200_000, 2, 1.5)),
    **dict.fromkeys(("grok-4.3", "grok-4.5", "grok-4.6", "grok-4.7"), (199_999, 2, 2)),
    "claude-sonnet-4-5": (200_000, 2, 1.5),
    "claude-haiku-5-5": (100_000, 5, 5),
}
_BLIND = ("deepseek-", "gpt-oss", "openai/gpt-oss", "codestral-", "grok-code", "kimi-k2.7-code")
_VERSION = re.compile(r"[-@:](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{3,4}|latest|preview|exp)")


def facts_of(model: str, provider: str, wire: str) -> ModelFacts:
    """What is known of a model. `claude-sonnet-4-5-20250929` is `claude-sonnet-4-5`."""
    row = next((each for each in _ROWS.get(provider, ()) if _is_called(model, each[0])), None)
    has_images = not model.startswith(_BLIND)
    if row is None:
        return ModelFacts(model, provider, wire, has_images=has_images, thinking=_likely(model))
    name, window, most, thinking, prices = row
    return ModelFacts(model, provider, wire, window, most, _charged(name, prices), has_images, thinking)


def _charged(name: str, prices: tuple[float, ...]) -> Prices:
    new, written, cached, stored = (*prices, 0.0, 0.0)[:4]
    return Prices(new, written, cached, stored, LongPrompts(*_LONG[name]) if name in _LONG else None)


def known_names(provider: str) -> tuple[str, ...]:
    """The names of a provider's models that are known here, the newest first."""
    return tuple(row[0] for row in _ROWS.get(provider, ()))


def _is_called(model: str, name: str) -> bool:
    if not model.startswith(name):
        return False
    rest = model[len(name) :]
    while rest:
        version = _VERSION.match(rest)
        if version is None:
            return False
        rest = rest[version.end() :]
    return True


def _likely(model: str) -> str:
    """A model that came later is told to think as the newest of its family are, which cannot be switched off."""
    return ALWAYS if model.startswith(("claude-", "gemini-")) else ""
