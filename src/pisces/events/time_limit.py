"""A handler's turn: who is running, for how long, and how a turn that takes too long is ended.

What a handler does before its first `await` runs right here, without a task, a timer or a switch: most handlers do
nothing more, and fifty of them must not cost fifty timers. Waiting is bounded by a timeout of the event loop; blocking
is noticed by a thread that watches, and is interrupted by an exception raised in the handler itself. Time that a
handler spends waiting for an answer of the user is not counted.
"""

from __future__ import annotations

import asyncio
import inspect
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import CoroutineType

from pisces.events.watchdog import Interrupt, Slow, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from contextvars import Context
    from typing import Any

__all__ = ["Slow", "Turn", "current_extension", "is_theirs", "not_counted", "turn_of"]

PATIENCE = 2.0  # seconds in which a handler whose time is up may tidy up


class _Clock:
    """The time of one extension's turn, which stands still while the user is asked."""

    is_given_up = False
    _stopped = 0
    _timeout: asyncio.Timeout | None = None
    _giving_up: asyncio.TimerHandle | None = None

    def __init__(self, extension: str, seconds: float, report: Any) -> None:
        self.extension = extension
        self.seconds = seconds
        self.report = report

    def started(self) -> asyncio.Timeout:
        self._timeout = asyncio.timeout(None if self._stopped else self.seconds)
        return self._timeout

    def ended(self) -> None:
        """What the turn has started may go on, and ask; there is nothing left to be counted."""
        self._timeout = None
        if self._giving_up is not None:
            self._giving_up.cancel()

    @property
    def is_over(self) -> bool:
        return self._timeout is not None and self._timeout.expired()

    def stop(self) -> None:
        self._stopped += 1
        self._reschedule(None)

    def go_on(self) -> None:
        self._stopped -= 1
        if not self._stopped:
            self._reschedule(asyncio.get_running_loop().time() + self.seconds)

    def be_patient(self) -> None:
        """It knows that its time is up and goes on: to tidy up, or because it does not listen."""
        task = asyncio.current_task()
        if self._giving_up is None and task is not None:
            self._giving_up = asyncio.get_running_loop().call_later(PATIENCE, self._give_up, task)

    def _give_up(self, task: asyncio.Task[Any]) -> None:
        self.is_given_up = True
        task.cancel()

    def _reschedule(self, when: float | None) -> None:
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(when)


_current: ContextVar[_Clock | None] = ContextVar("pisces_turn", default=None)


def current_extension(report: Any, context: Context | None = None) -> str:
    """Whose turn it is, or was when `context` was made: the path of an extension, empty where it is nobody's.

    Those of others who run extensions in this process do not count: `report` is whoever hears of failures here.
    """
    clock = _current.get() if context is None else context.get(_current)
    return clock.extension if clock is not None and clock.report == report else ""


@contextmanager
def not_counted() -> Iterator[None]:
    """The time in here is the user's, not the handler's."""
    clock = _current.get()
    if clock is None:
        yield
        return
    clock.stop()
    try:
        yield
    finally:
        clock.go_on()


@contextmanager
def turn_of(extension: str, report: Any) -> Iterator[None]:
    """What is done in here is this extension's doing, in the time of whoever has the turn."""
    token = _current.set(_Clock(extension, 0, report))
    try:
        yield
    finally:
        _current.reset(token)


def is_theirs(error: BaseException) -> bool:
    """Whether it is an extension's own doing, and neither the user's nor of somebody who ends our task."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or not task.cancelling()
    return not isinstance(error, Interrupt | KeyboardInterrupt | GeneratorExit)


class Turn:
    """Gives turns. Opened with the runner and closed with it, as the watching thread is."""

    __slots__ = ("_report", "_watch", "seconds")

    def __init__(self, seconds: float | None = None, report: Any = None) -> None:
        self.seconds = seconds  # replaces what an event allows; for tests and for the impatient
        self._report = report
        self._watch = Watch()

    def close(self) -> None:
        self._watch.close()

    async def of(self, extension: str, call: Callable[[Any], Any], argument: Any, seconds: float) -> Any:
        """What the extension's function answers; `Slow` where its time is up, and whatever it raises."""
        if self.seconds is not None:
            seconds = self.seconds
        clock = _Clock(extension, seconds, self._report)
        token = _current.set(clock)
        try:
            coroutine, begun = self._watch.during(seconds, _begun, call, argument)
            return begun if coroutine is None else await self._rest(coroutine, begun, clock)
        finally:
            _current.reset(token)

    async def _rest(self, coroutine: Any, begun: Any, clock: _Clock) -> Any:
        try:
            async with clock.started():
                answer = await _Rest(coroutine, begun, self._watch, clock)
        except TimeoutError as error:
            if clock.is_over:
                raise Slow(clock.seconds) from error
            raise
        else:
            if clock.is_over:  # it was told so and answered all the same: too late
                raise Slow(clock.seconds)
            return answer
        finally:
            clock.ended()


def _begun(call: Callable[[Any], Any], argument: Any) -> tuple[Any, Any]:
    """The answer, with no coroutine; or a coroutine that has taken its first step, and what it waits for."""
    answer = call(argument)
    if answer is None:
        return None, None
    if not isinstance(answer, CoroutineType):
        if not inspect.isawaitable(answer):
            return None, answer
        answer = _awaited(answer)
    try:
        return answer, answer.send(None)
    except StopIteration as stop:
        return None, stop.value


async def _awaited(answer: Any) -> Any:
    return await answer


class _Rest:
    """A coroutine that has taken its first step: goes on where it waits, and is watched at every further step.

    One that goes on when its time is up may tidy up for a moment; then it is left where it stands.
    """

    __slots__ = ("_clock", "_coroutine", "_first", "_watch")

    def __init__(self, coroutine: Any, first: Any, watch: Watch, clock: _Clock) -> None:
        self._coroutine = coroutine
        self._first = first
        self._watch = watch
        self._clock = clock

    def __await__(self) -> Generator[Any, Any, Any]:
        waiting = self._first
        while True:
            try:
                sent = yield waiting
            except BaseException as error:
                if self._clock.is_given_up:
                    self._leave()
                    raise
                step, given = self._coroutine.throw, error
            else:
                step, given = self._coroutine.send, sent
            try:
                waiting = self._watch.during(self._clock.seconds, step, given)
            except StopIteration as stop:
                return stop.value
            if self._clock.is_over:
                self._clock.be_patient()

    def _leave(self) -> None:
        """The second cancellation was ours, and is not to be seen outside."""
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        with suppress(Exception):  # whatever it still has to say, `RuntimeError` where it does not end even now
            self._watch.during(self._clock.seconds, self._coroutine.close)
