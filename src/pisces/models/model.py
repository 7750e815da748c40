"""A model as the agent sees it: facts about it, and answers that arrive in deltas."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from pisces.models.wire import ModelAnswer, ModelFailed, Usage
from pisces.shapes.message import ImagePart, ResultPart, TextPart
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from pisces.models.sending import ModelEndpoint, Sender
    from pisces.models.wire import Delta, ModelAsk
    from pisces.shapes.message import ChatMessage, MessagePart

_MILLION = 1_000_000


class LongPrompts(Value):
    """A prompt of more than `above` tokens multiplies what its tokens and those of the answer cost."""

    above: int
    input: float
    output: float


class Prices(Value):
    """Dollars for a million tokens. `cached` is what is read from the provider's cache, `stored` what is written."""

    input: float
    output: float
    cached: float = 0.0
    stored: float = 0.0
    long: LongPrompts | None = None


class ModelFacts(Value):
    """`id` is the provider's name of the model. `window` and `most_output` are tokens, 0 where nobody knows.

    `prices` is None where nobody knows them: then a cost is not said, and never said to be nothing. `thinking` says
    how the model is asked to think (BY_BUDGET and the like), or is empty for what the wire format has always had.
    """

    id: str
    provider: str = ""
    wire: str = ""
    window: int = 0
    most_output: int = 0
    prices: Prices | None = None
    has_images: bool = True
    thinking: str = ""

    @property
    def name(self) -> str:
        """As the user writes it: `anthropic/claude-sonnet-5`."""
        return f"{self.provider}/{self.id}" if self.provider else self.id


class AnswerStream(Protocol):
    """An answer under way: iterate over its deltas, then ask for `whole()`."""

    def __aiter__(self) -> AsyncIterator[Delta]: ...
    def whole(self) -> ModelAnswer: ...


class Model(Protocol):
    @property
    def facts(self) -> ModelFacts: ...

    def answering(self, ask: ModelAsk) -> AbstractAsyncContextManager[AnswerStream]:
        """Raises `ModelFailed` where there is no answer. Leaving the block early ends the request."""

    async def close(self) -> None: ...


class HttpModel:
    """A model behind one of our wire formats.

    Newer models refuse thinking of theirs whose conversation has changed since: a summary replaced its beginning, or
    another model of the family wrote it. Then the request is sent once more without what is signed, and what was
    refused is not sent again.
    """

    def __init__(self, facts: ModelFacts, endpoint: ModelEndpoint, sender: Sender) -> None:
        self.facts, self._endpoint, self._sender = facts, endpoint, sender
        self._unsigned = 0  # so many messages have lost their signatures

    @asynccontextmanager
    async def answering(self, ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        asked = _asked(ask, self.facts)
        self._unsigned = self._unsigned if self._unsigned <= len(asked.messages) else 0
        async with AsyncExitStack() as stack:
            try:
                stream = await stack.enter_async_context(self._sent(asked))
            except ModelFailed as failed:
                if not _is_about_thinking(failed) or self._unsigned == len(asked.messages):
                    raise
                self._unsigned = len(asked.messages)
                stream = await stack.enter_async_context(self._sent(asked))
            yield stream

    def _sent(self, asked: ModelAsk) -> AbstractAsyncContextManager[AnswerStream]:
        """What no wire format wrote goes to every one of them without signatures."""
        old, new = asked.messages[: self._unsigned], asked.messages[self._unsigned :]
        messages = (*(each.replace(wire="") for each in old), *new)
        return self._sender.sent(self._endpoint, asked.replace(messages=messages))

    async def close(self) -> None:
        await self._sender.close()


def _is_about_thinking(failed: ModelFailed) -> bool:
    """Thinking of another account, or of another provider that speaks the same wire format."""
    text = str(failed).lower()
    is_signature = "signature" in text and ("thinking" in text or "thought" in text)
    return failed.status in (400, 422) and (is_signature or "reasoning_content" in text)


def _asked(ask: ModelAsk, facts: ModelFacts) -> ModelAsk:
    """A request in the terms of this model. One that sees no images gets none: most servers refuse them."""
    messages = ask.messages if facts.has_images else tuple(map(without_images, ask.messages))
    return ask.replace(model=facts.id, messages=messages, thinks=facts.thinking)


def cost_of(usage: Usage, prices: Prices | None) -> float | None:
    """Dollars; None where the prices are not known."""
    if prices is None:
        return None
    fresh = usage.input - usage.cached - usage.stored
    is_long = prices.long is not None and usage.input > prices.long.above
    more, most = (prices.long.input, prices.long.output) if is_long and prices.long else (1.0, 1.0)
    parts = (
        (fresh, prices.input * more),
        (usage.cached, (prices.cached or prices.input) * more),
        (usage.stored, (prices.stored or prices.input) * more),
        (usage.output, prices.output * most),
    )
    return sum(max(0, tokens) * price for tokens, price in parts) / _MILLION


def without_images(message: ChatMessage) -> ChatMessage:
    """Each image is replaced by a line that says so, also in results of tools."""
    parts = [_seen(part) for part in message.parts]
    return message.replace(parts=tuple(parts))


def _seen(part: MessagePart) -> MessagePart:
    if isinstance(part, ImagePart):
        return TextPart(f"(an image of type {part.mime}, which this model cannot see)")
    if isinstance(part, ResultPart) and part.images:
        return part.replace(parts=tuple(_seen(each) for each in part.parts))
    return part


def added(one: Usage, other: Usage) -> Usage:
    return Usage(*(a + b for a, b in zip(one.as_tuple(), other.as_tuple(), strict=True)))
