"""A loop on a scripted model with tools that are functions, and what makes a conversation valid."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

from pisces.agent.loop import CalledTool, LoopActions, LoopEnd, LoopLimits, run
from pisces.models.model import AnswerStream, Model
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelAnswer, ModelAsk, ModelFailed
from pisces.shapes.event import Event
from pisces.shapes.message import BY_MODEL, BY_USER, CallPart, ChatMessage, ResultPart, TextPart

if TYPE_CHECKING:
    from pisces.models.wire import Delta

Work = Callable[[CallPart], Awaitable[str]]


async def done_at_once(call: CallPart) -> str:
    return f"{call.name} done"


class Conversation:
    """`messages` and `answers` are what was stored. Every event waits a moment, as a handler would."""

    def __init__(self, model: Model, work: Work = done_at_once, line: str = "go") -> None:
        self.model, self.work = model, work
        self.messages: list[ChatMessage] = [ChatMessage(BY_USER, (TextPart(line),))]
        self.answers: list[ModelAnswer] = []
        self.events: list[Event] = []
        self.steered: list[ChatMessage] = []
        self.running: set[str] = set()
        self.reasons: list[str] = []  # why the agent has to go on

    async def emit(self, event: Any) -> Any:
        self.events.append(event)
        await asyncio.sleep(0)
        return event

    async def append(self, message: ChatMessage, answer: ModelAnswer | None) -> None:
        try:
            await asyncio.sleep(0)
        finally:
            self.messages.append(message)
            if answer is not None:
                self.answers.append(answer)

    async def next_ask(self) -> ModelAsk:
        await asyncio.sleep(0)
        return ModelAsk("", tuple(self.messages))

    async def call(self, call: CallPart) -> CalledTool:
        self.running.add(call.id)
        try:
            text = await self.work(call)
        finally:
            self.running.discard(call.id)
        return CalledTool(ResultPart(call.id, call.name, (TextPart(text),)))

    def take_steered(self) -> Sequence[ChatMessage]:
        taken, self.steered = self.steered, []
        return taken

    async def stopping(self, _last: str) -> str:
        await asyncio.sleep(0)
        return self.reasons.pop() if self.reasons else ""

    @property
    def actions(self) -> LoopActions:
        return LoopActions(
            lambda: self.model, self.next_ask, self.append, self.call, self.take_steered, self.stopping, self.emit
        )

    async def run(self, limits: LoopLimits = LoopLimits()) -> LoopEnd:  # noqa: B008  # a value
        return await run(self.actions, limits)

    def kinds(self) -> list[str]:
        return [type(each).__name__ for each in self.events]


class Changed:
    """A stream whose end is another one: it fails, or says another reason for its end."""

    def __init__(self, stream: AnswerStream, end: ModelFailed | str) -> None:
        self._stream, self._end = stream, end

    async def __aiter__(self) -> AsyncIterator[Delta]:
        deltas: Any = aiter(self._stream)
        async with aclosing(deltas):
            async for each in deltas:
                yield each
        if isinstance(self._end, ModelFailed):
            raise self._end

    def whole(self) -> ModelAnswer:
        return self._stream.whole().replace(stop=self._end)


class Ending(ScriptedModel):
    """`ends` are the ends of answers by their number."""

    def __init__(self, ends: dict[int, Any], turns: Iterable[Any]) -> None:
        super().__init__(turns)
        self._ends = ends

    @asynccontextmanager
    async def answering(self, ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        end = self._ends.get(len(self.asked))
        async with super().answering(ask) as stream:
            yield stream if end is None else Changed(stream, end)


class Breaking(Ending):
    """The first answer breaks after its text."""

    def __init__(self, text: str, failure: ModelFailed, *turns: str) -> None:
        super().__init__({0: failure}, [text, *turns])


def ended(turns: Iterable[Any], work: Work = done_at_once) -> tuple[LoopEnd, Conversation]:
    talk = Conversation(ScriptedModel(turns), work)
    return asyncio.run(talk.run()), talk


def assert_valid(messages: Sequence[ChatMessage]) -> None:
    """As every provider wants it: each call has one result in the next message, and nothing is empty."""
    waiting: list[str] = []
    for message in messages:
        assert message.parts, "a message is empty"
        assert any(not isinstance(part, TextPart) or part.text.strip() for part in message.parts)
        results = [part.id for part in message.parts if isinstance(part, ResultPart)]
        assert results == waiting, f"calls {waiting} have results {results}"
        assert message.role == BY_USER or not results
        waiting = [part.id for part in message.calls] if message.role == BY_MODEL else []
    assert not waiting, f"calls without a result: {waiting}"
