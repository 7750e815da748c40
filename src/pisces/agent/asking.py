"""One request to the model, tried again where that may help: its deltas are events while it answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pisces.agent.transcript_entry import INTERRUPTED
from pisces.models.wire import CALLS, END, ModelAnswer, ModelFailed, TextDelta
from pisces.shapes.events.agent import MessageEnd, MessageStart, MessageUpdate
from pisces.shapes.events.provider import AutoRetryEnd, AutoRetryStart
from pisces.shapes.message import BY_MODEL, ChatMessage, TextPart

if TYPE_CHECKING:
    from pisces.agent.loop import LoopActions
    from pisces.models.model import AnswerStream
    from pisces.models.wire import Delta, ModelAsk

MOST_RETRIES = 5
_MOST_EMPTY = 2  # answers without a word that are asked for again
_FIRST_DELAY, _LONGEST_DELAY = 0.5, 30.0
_LONGEST_WISH = 120.0  # a provider that wants to be left alone for longer has failed
_LONGEST = 20_000_000  # characters of one answer: no model writes that much, and a broken one writes for ever
_EMPTY = "the model answered with nothing"


async def asked(actions: LoopActions, ask: ModelAsk | ModelAnswer) -> ModelAnswer:
    """Raises `ModelFailed` where nothing helped. What the model has said by then, or when this is cancelled, is stored.
    An answer that somebody has already is only shown.

    An answer without text and calls is asked for again, and is returned if it stays empty.
    """
    if isinstance(ask, ModelAnswer):
        await actions.emit(MessageStart(ChatMessage(BY_MODEL, ())))
        return ask.replace(message=(await actions.emit(MessageEnd(ask.message))).message)
    for attempt in range(1, MOST_RETRIES + 2):
        try:
            answer = await _answered(actions, ask, attempt)
        except ModelFailed as failed:
            await _wait(failed, attempt, actions)
            continue
        if is_empty(answer) and attempt <= _MOST_EMPTY:
            await _wait(ModelFailed(_EMPTY, after=0.0, is_passing=True), attempt, actions)
            continue
        if attempt > 1:
            await actions.emit(AutoRetryEnd(attempt - 1, success=True))
        return answer
    raise AssertionError("the last attempt returns or raises")


def is_empty(answer: ModelAnswer) -> bool:
    """Whether the model ended well and said nothing. Thinking alone is nothing that the user or a tool gets."""
    return answer.stop in (END, CALLS) and not has_content(answer.message)


def has_content(message: ChatMessage) -> bool:
    """Whether there is a word or a call in it: providers refuse a message without either."""
    return bool(message.calls) or bool(message.text.strip())


async def _wait(failed: ModelFailed, attempt: int, actions: LoopActions) -> None:
    """Until the next attempt. Raises `failed` if there is none."""
    delay = delay_of(failed, attempt)
    if delay is not None:
        await actions.emit(AutoRetryStart(attempt, delay, str(failed)))
        await asyncio.sleep(delay)
        return
    if attempt > 1:
        await actions.emit(AutoRetryEnd(attempt - 1, error=str(failed)))
    raise failed


def delay_of(failed: ModelFailed, attempt: int) -> float | None:
    """Seconds before the next attempt; None if there is none."""
    if not failed.is_passing or attempt > MOST_RETRIES:
        return None
    if failed.after is not None:
        return failed.after if failed.after <= _LONGEST_WISH else None
    return min(_LONGEST_DELAY, _FIRST_DELAY * 2.0 ** (attempt - 1)) * random.uniform(0.75, 1.25)


async def _answered(actions: LoopActions, ask: ModelAsk, attempt: int) -> ModelAnswer:
    said: list[str] = []
    await actions.emit(MessageStart(ChatMessage(BY_MODEL, ())))
    try:
        answer = await _streamed(actions, ask, said)
    except asyncio.CancelledError:
        await _store_partial(actions, said)
        raise
    except ModelFailed as failed:
        if delay_of(failed, attempt) is None:
            await _store_partial(actions, said)
        raise
    try:
        answer = await actions.answered(ask, answer)
        return answer.replace(message=(await actions.emit(MessageEnd(answer.message))).message)
    except asyncio.CancelledError:  # the user has seen all of it
        await _store_partial(actions, [answer.message.text])
        raise


async def _store_partial(actions: LoopActions, said: list[str]) -> None:
    """Without its calls, which were not run, and without thinking, which providers take back only whole."""
    message = ChatMessage(BY_MODEL, (TextPart("".join(said)),))
    if message.text.strip():
        await actions.append(message, ModelAnswer(message, INTERRUPTED))


async def _streamed(actions: LoopActions, ask: ModelAsk, said: list[str]) -> ModelAnswer:
    async with actions.model().answering(ask) as stream, _deltas_of(stream) as deltas:
        size = 0
        async for delta in deltas:
            size += len(delta.text)
            if size > _LONGEST:
                raise ModelFailed(f"the answer has more than {_LONGEST:,} characters: it was not read to its end")
            if isinstance(delta, TextDelta):
                said.append(delta.text)
            await actions.emit(MessageUpdate(None, delta))
        return stream.whole()


@asynccontextmanager
async def _deltas_of(stream: AnswerStream) -> AsyncIterator[AsyncIterator[Delta]]:
    """Closed at the end: a generator that is left in the middle would live until somebody collects it."""
    deltas = aiter(stream)
    try:
        yield deltas
    finally:
        if isinstance(deltas, AsyncGenerator):
            await deltas.aclose()
