"""Failures of models by their kind: the sentences are those of the providers."""

from __future__ import annotations

import pytest

from pisces.agent.failures import BROKEN, INVALID, LIMITED, REFUSED_KEY, TOO_LONG, UNPAID, UNREACHED, hint_of, kind_of
from pisces.models.wire import ModelFailed


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("prompt is too long: 208310 tokens > 200000 maximum (400)", 400),
        ("input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000 (400)", 400),
        ("Request exceeds the maximum size (413)", 413),
        ("This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 (400)", 400),
        ("Your input exceeds the context window of this model. Please adjust your input and try again.", 0),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576). (400)", 400),
        ("the request exceeds the available context size, try increasing it (400)", 400),
        ("Please reduce the length of the messages or completion. (400)", 400),
    ],
)
def test_a_conversation_that_is_too_long_is_known_from_the_words_of_each_provider(message: str, status: int) -> None:
    assert kind_of(ModelFailed(message, status)) == TOO_LONG


@pytest.mark.parametrize(
    ("failed", "kind"),
    [
        (ModelFailed("invalid x-api-key (401)", 401), REFUSED_KEY),
        (ModelFailed("no access (403)", 403), REFUSED_KEY),
        (ModelFailed("pay first (402)", 402), UNPAID),
        (ModelFailed("too many tokens per minute (429)", 429, 3.0, is_passing=True), LIMITED),
        (ModelFailed("overloaded (529)", 529, is_passing=True), LIMITED),
        (ModelFailed("internal (500)", 500, is_passing=True), BROKEN),
        (ModelFailed("messages: unexpected role (400)", 400), INVALID),
        (ModelFailed("the stream was cut", is_passing=True), UNREACHED),
        (ModelFailed("the model cannot be reached", is_passing=False), INVALID),
    ],
)
def test_other_failures_have_the_kind_that_hooks_match(failed: ModelFailed, kind: str) -> None:
    assert kind_of(failed) == kind


def test_a_failure_that_the_user_can_do_something_about_has_a_hint() -> None:
    assert "refuses the key" in hint_of(ModelFailed("no", 401))
    assert "for 1,440 minutes" in hint_of(ModelFailed("slow down", 429, 86_400.0, is_passing=True))
    assert hint_of(ModelFailed("slow down", 429, 2.0, is_passing=True)) == ""
