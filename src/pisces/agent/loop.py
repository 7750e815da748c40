"""The loop: ask the model, run what it calls, give back the results, until it calls nothing more.

It knows no host, no screen and no file: all that it does to the world is in `LoopActions`. However it ends, the
conversation is one that every provider takes: each call has its result.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import TYPE_CHECKING

from pisces.agent.asking import asked, has_content, is_empty
from pisces.agent.failures import TOO_LONG, kind_of
from pisces.agent.repeats import ENDED, WARNED, WARNING, Repeats
from pisces.models.model import added, cost_of
from pisces.models.wire import LENGTH, PAUSED, REFUSED, ModelAnswer, ModelFailed, Usage
from pisces.shapes.events.agent import TurnEnd, TurnStart
from pisces.shapes.message import BY_USER, ChatMessage, ResultPart, TextPart
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any, TypeAlias

    from pisces.models.model import Model
    from pisces.models.wire import ModelAsk
    from pisces.shapes.event import Event
    from pisces.shapes.message import CallPart

    Emit: TypeAlias = Callable[[Event], Awaitable[Any]]

DONE, TURNS, COST, STOPPED, CUT, REFUSAL = "done", "turns", "cost", "stopped", "length", "refused"
REPEATED, EMPTY = "repeated", "empty"
CANCELLED = "The user stopped this before it ended"
NOT_RUN = (
    "This was not run: your answer was cut because it was longer than the model may write at once, so the arguments "
    "may not be whole. Do it in smaller steps"
)
TOO_MANY = "This was not run: one answer may make {} calls. Make the others in the next one"
MOST_CALLS = 128  # of one answer
AT_ONCE = 16  # calls that run at the same time: a model may ask for a thousand programs
_MOST_CUTS = 3  # answers in a row whose calls were cut
_MOST_PAUSES = 10  # answers in a row that the provider wants to go on with
_END_SECONDS = 5.0  # that a cancelled tool has to end


class StopLoop(Exception):
    """An action wants the run to end. The text is the reason."""


class CalledTool(Value):
    """What became of a call. `stop` is the reason if somebody wants the agent to stop now."""

    result: ResultPart
    stop: str = ""


async def _unchanged(_ask: ModelAsk, answer: ModelAnswer) -> ModelAnswer:
    return answer


async def _not_shortened(_failed: ModelFailed) -> bool:
    return False


async def _nothing(_calls: Sequence[CallPart], _called: Sequence[CalledTool]) -> None: ...


class LoopActions(Value):
    """`next_ask` makes the next request, with all messages so far, or has the answer already. `append` stores a
    message, with the answer that it came from if the model wrote it, and does so even if it is cancelled meanwhile.
    `call` never raises for what a tool does. `steered` has what the user typed for the running agent, and hands it over
    once. `stopping` gets the last text of the model and returns why the agent has to go on, or an empty text.

    `answered` may change an answer before it is stored. `batched` hears of all calls of an answer. `shortened` is
    asked to shorten a conversation that is too long for the model; whether it did. `beside` are
    dollars that subagents have spent in this run. `next_ask`, `answered` and `batched` may raise `StopLoop`.
    """

    model: Callable[[], Model]
    next_ask: Callable[[], Awaitable[ModelAsk | ModelAnswer]]
    append: Callable[[ChatMessage, ModelAnswer | None], Awaitable[None]]
    call: Callable[[CallPart], Awaitable[CalledTool]]
    steered: Callable[[], Sequence[ChatMessage]]
    stopping: Callable[[str], Awaitable[str]]
    emit: Emit
    answered: Callable[[ModelAsk, ModelAnswer], Awaitable[ModelAnswer]] = _unchanged
    batched: Callable[[Sequence[CallPart], Sequence[CalledTool]], Awaitable[None]] = _nothing
    shortened: Callable[[ModelFailed], Awaitable[bool]] = _not_shortened
    beside: Callable[[], float] = float


class LoopLimits(Value):
    """0 means no limit. `cost` is in dollars."""

    turns: int = 0
    cost: float = 0.0


class LoopEnd(Value):
    """`ended` is why: done, turns, cost, stopped, length, refused, repeated or empty; `why` says more. `text` is the
    last of the model.

    `cost` is None where a price was not known.
    """

    ended: str
    text: str = ""
    why: str = ""
    turns: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0


async def run(actions: LoopActions, limits: LoopLimits = LoopLimits()) -> LoopEnd:  # noqa: B008  # a value
    """Until the model is done or a limit is met. Raises `ModelFailed` where no answer came after every retry, and
    `CancelledError` if it is cancelled; the conversation is whole in each case.
    """
    running = LoopRun(actions, limits)
    try:
        return await running.ended()
    except StopLoop as stop:
        return running.end.replace(ended=STOPPED, why=str(stop))


class LoopRun:
    """One run. `end` has what was counted so far."""

    def __init__(self, actions: LoopActions, limits: LoopLimits) -> None:
        self._actions, self._limits = actions, limits
        self._repeats = Repeats()
        self._cuts = self._pauses = 0
        self.end = LoopEnd(DONE)

    async def ended(self) -> LoopEnd:
        actions = self._actions
        for index in itertools.count():
            over = self._limit_met()
            if over:
                return over
            await actions.emit(TurnStart(index, time.time()))
            answer = await self._asked()
            self._count(answer)
            called = await _stored(answer, actions)
            results = tuple(each.result for each in called)
            await actions.emit(TurnEnd(index, answer.message, results))
            end = await self._after_calls(answer, called) or await self._finished(answer, bool(results))
            if end is not None:
                return end
        raise AssertionError("it counts for ever")

    async def _asked(self) -> ModelAnswer:
        """Once more if the conversation was too long and somebody shortened it."""
        actions = self._actions
        try:
            return await asked(actions, await actions.next_ask())
        except ModelFailed as failed:
            if kind_of(failed) != TOO_LONG or not await actions.shortened(failed):
                raise
        return await asked(actions, await actions.next_ask())

    def _limit_met(self) -> LoopEnd | None:
        end, limits = self.end, self._limits
        if limits.turns and end.turns >= limits.turns:
            return end.replace(ended=TURNS, why=f"the limit of {end.turns} model requests is reached")
        facts = self._actions.model().facts
        if limits.cost and (end.cost is None or facts.prices is None):
            why = f"the price of `{facts.name}` is not known, so a limit of the cost cannot be met"
            return end.replace(ended=COST, why=why)
        cost = (end.cost or 0.0) + self._actions.beside()
        if limits.cost and cost >= limits.cost:
            return end.replace(ended=COST, why=f"it has cost ${cost:.4f}, and the limit is ${limits.cost:.4f}")
        return None

    def _count(self, answer: ModelAnswer) -> None:
        end = self.end
        cost = cost_of(answer.usage, self._actions.model().facts.prices)
        total = None if cost is None or end.cost is None else end.cost + cost
        text = answer.message.text or end.text
        self.end = end.replace(text=text, turns=end.turns + 1, usage=added(end.usage, answer.usage), cost=total)

    async def _after_calls(self, answer: ModelAnswer, called: Sequence[CalledTool]) -> LoopEnd | None:
        if not called:
            return None
        if _ran(answer):
            await self._actions.batched(answer.message.calls, called)
        stop = next((each.stop for each in called if each.stop), "")
        if stop:
            return self.end.replace(ended=STOPPED, why=stop)
        repeated = self._repeats.after(answer.message.calls, [each.result for each in called])
        if repeated == ENDED:
            why = f"the model made the same calls {self._repeats.count + 1} times"
            return self.end.replace(ended=REPEATED, why=why)
        if repeated == WARNED:
            await self._actions.append(ChatMessage(BY_USER, (TextPart(WARNING),)), None)
        return None

    async def _finished(self, answer: ModelAnswer, has_results: bool) -> LoopEnd | None:
        if answer.stop == REFUSED:
            return self.end.replace(ended=REFUSAL, why=answer.why or "the model refused to answer")
        self._cuts = self._cuts + 1 if answer.stop == LENGTH else 0
        if answer.stop == LENGTH and (not has_results or self._cuts >= _MOST_CUTS):
            return self.end.replace(ended=CUT, why=answer.why or "the answer was longer than the model may write")
        self._pauses = self._pauses + 1 if answer.stop == PAUSED else 0
        if self._pauses > _MOST_PAUSES:
            return self.end.replace(ended=REPEATED, why=f"the provider paused the answer {self._pauses} times")
        if await _goes_on(answer, has_results, self._actions):
            return None
        return self.end.replace(ended=EMPTY, why="the model answered with nothing") if is_empty(answer) else self.end


def _ran(answer: ModelAnswer) -> bool:
    """Whether the calls of an answer are run: those of one that was cut or refused may not be whole."""
    return answer.stop not in (LENGTH, REFUSED)


async def _stored(answer: ModelAnswer, actions: LoopActions) -> Sequence[CalledTool]:
    """Stores the answer and runs its calls at the same time. Each has a result, also if the user stops them:
    models refuse a conversation in which a call has none. An answer without anything in it is not stored.
    """
    calls = answer.message.calls
    tasks: list[asyncio.Future[CalledTool]] = []
    try:
        if has_content(answer.message):
            await actions.append(answer.message, answer)
        if calls and _ran(answer):
            free = asyncio.Semaphore(AT_ONCE)
            tasks.extend(asyncio.ensure_future(_called(each, actions, free)) for each in calls[:MOST_CALLS])
            await asyncio.wait(tasks)
    except asyncio.CancelledError:
        if calls:
            await _cancelled(tasks, calls, actions)
        raise
    if not calls:
        return ()
    too_many = [_failed(each, TOO_MANY.format(MOST_CALLS)) for each in calls[MOST_CALLS:]]
    called = [*_results(tasks, calls[:MOST_CALLS]), *too_many] if tasks else [_failed(each, NOT_RUN) for each in calls]
    await _append_results(called, actions)
    for each in tasks:
        each.result()  # raises what an action should not have raised, now that every call has a result
    return called


async def _called(call: CallPart, actions: LoopActions, free: asyncio.Semaphore) -> CalledTool:
    async with free:
        return await actions.call(call)


async def _cancelled(
    tasks: Sequence[asyncio.Future[CalledTool]], calls: Sequence[CallPart], actions: LoopActions
) -> None:
    """Ends the calls. Results are stored even if this is cancelled as well, or a tool does not end."""
    for each in tasks:
        each.cancel()
    try:
        if tasks:
            await asyncio.wait(tasks, timeout=_END_SECONDS)
    finally:
        await _append_results(_results(tasks, calls), actions)


async def _append_results(called: Sequence[CalledTool], actions: LoopActions) -> None:
    await actions.append(ChatMessage(BY_USER, tuple(each.result for each in called)), None)


def _results(tasks: Sequence[asyncio.Future[CalledTool]], calls: Sequence[CallPart]) -> list[CalledTool]:
    return [_result(task, call) for task, call in itertools.zip_longest(tasks, calls)]


def _result(task: asyncio.Future[CalledTool] | None, call: CallPart) -> CalledTool:
    if task is None or not task.done() or task.cancelled():
        return _failed(call, CANCELLED)
    error = task.exception()
    return task.result() if error is None else _failed(call, f"{type(error).__name__}: {error}")


def _failed(call: CallPart, text: str) -> CalledTool:
    return CalledTool(ResultPart(call.id, call.name, (TextPart(text),), is_error=True))


async def _goes_on(answer: ModelAnswer, has_results: bool, actions: LoopActions) -> bool:
    steered = actions.steered()
    if steered:  # as one message: a cancelled run loses none of them
        await actions.append(ChatMessage(BY_USER, tuple(part for each in steered for part in each.parts)), None)
    if steered or has_results or answer.stop == PAUSED:
        return True
    reason = await actions.stopping(answer.message.text)
    if reason:
        await actions.append(ChatMessage(BY_USER, (TextPart(reason),)), None)
    return bool(reason)
