"""Calls a function of a module and ends it when its time limit is reached.

What a function does before its first `await` runs right here, without a task, a timer or a context switch: most
handlers do nothing more, and fifty of them must not cost fifty timers. Waiting is bounded by a timeout of the event
loop. Blocking is noticed by a thread, which raises an exception in the function itself. Time in which the user is asked
is not counted.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial
from threading import get_ident
from types import CoroutineType
from typing import Any

from pisces.events.border import Border, Overstepped, absorbed
from pisces.events.watchdog import Interrupt, TimedOut, Watchdog, runs_apart
from pisces.shapes.event import Notes, RunningCall, running_call

__all__ = ["Calls", "Overstepped", "TimeLimit", "TimedOut", "acting_as", "current_module", "is_failure", "not_counted"]

During = Callable[[float, Callable[[Any, Any], Any], Any, Any], Any]  # runs a step of a call, such as `_first_step`

PATIENCE = 2.0  # seconds in which a function whose time is up may clean up


class _Timer(RunningCall):
    """The time that one call has left. It stops while the user is asked."""

    is_abandoned = False
    _stopped = 0
    _timeout: asyncio.Timeout | None = None
    _abandoning: asyncio.TimerHandle | None = None

    def __init__(self, module: str, seconds: float, report: Any, outer: _Timer | None, notes: Notes | None) -> None:
        self.module = module
        self.seconds = seconds
        self.report = report
        self.outer = outer
        self.notes = notes

    def started(self) -> asyncio.Timeout:
        self._timeout = asyncio.timeout(None if self._stopped else self.seconds)
        return self._timeout

    def ended(self) -> None:
        self.outer = self._timeout = None
        if self._abandoning is not None:
            self._abandoning.cancel()

    @property
    def is_over(self) -> bool:
        return self._timeout is not None and self._timeout.expired()

    def stop(self) -> None:
        self._stopped += 1
        self._reschedule(None)

    def resume(self) -> None:
        self._stopped -= 1
        if not self._stopped:
            self._reschedule(asyncio.get_running_loop().time() + self.seconds)

    def abandon_later(self) -> None:
        """The function was cancelled and goes on, either to clean up or because it ignores that."""
        task = asyncio.current_task()
        if self._abandoning is None and task is not None:
            self._abandoning = asyncio.get_running_loop().call_later(PATIENCE, self._abandon, task)

    def _abandon(self, task: asyncio.Task[Any]) -> None:
        self.is_abandoned = True
        task.cancel()

    def _reschedule(self, when: float | None) -> None:
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(when)


_current: ContextVar[_Timer | None] = running_call  # type: ignore[assignment]  # nobody else sets it


def current_module(report: Any, context: Context | None = None) -> str:
    """The path of the module whose code runs now, or ran when `context` was made; empty for code of nobody's.

    Modules of another runner in this process do not count: `report` is the function that hears of failures here.
    """
    timer = _current.get() if context is None else context.get(_current)
    return timer.module if timer is not None and timer.report == report else ""


@contextmanager
def not_counted() -> Iterator[None]:
    """Time spent in here is the user's: it counts for no running call, neither inner nor outer."""
    timers, timer = [], _current.get()
    while timer is not None:
        timers.append(timer)
        timer = timer.outer
    for each in timers:
        each.stop()
    try:
        yield
    finally:
        for each in timers:
            each.resume()


@contextmanager
def acting_as(module: str, report: Any) -> Iterator[None]:
    """What is done in here is done by this module, within the time limit of the running call."""
    outer = _current.get()
    token = _current.set(_Timer(module, 0, report, outer, outer.notes if outer is not None else None))
    try:
        yield
    finally:
        _current.reset(token)


def is_failure(error: BaseException) -> bool:
    """Whether the called code failed by its own doing. Ctrl-C and the end of our own task are not failures.

    What a module raises to look like one of them arrives as `Overstepped`.
    """
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or not task.cancelling()
    return not isinstance(error, Interrupt | KeyboardInterrupt | GeneratorExit)


class TimeLimit:
    """Calls functions within their time. Closed at the end, because its watchdog has a thread.

    `seconds` replaces the limit of every call, for tests. `has_signals`: see `Watchdog`.
    """

    __slots__ = ("_main", "_watchdog", "report", "seconds")

    def __init__(self, seconds: float | None = None, report: Any = None, *, has_signals: bool = True) -> None:
        self.seconds = seconds
        self.report = report
        self._watchdog = Watchdog(has_signals=has_signals)
        self._main = threading.main_thread().ident

    def close(self) -> None:
        self._watchdog.close()

    async def call(self, module: str, function: Callable[[Any], Any], argument: Any, seconds: float) -> Any:
        """What the function answers. Raises `TimedOut` when its time is up, and whatever the function raises."""
        outer = _current.get()
        notes = outer.notes if outer is not None else None
        rest, answer = Calls(self).begun(module, function, argument, seconds, notes)
        return answer if rest is None else await rest

    def border(self) -> Border | None:
        """For the calls of the running task. None where another thread runs them: then each needs one of its own."""
        return Border(self._watchdog.during) if get_ident() == self._main or not runs_apart() else None

    def border_apart(self) -> Border:
        """For one call: its steps share a context, although another thread runs them."""
        run, during = copy_context().run, self._watchdog.during
        return Border(lambda seconds, step, *given: during(seconds, partial(run, step), *given))


class Calls:
    """Calls functions of modules in one task, one after another; what is the same for all of them is looked up once."""

    __slots__ = ("_border", "_limit", "_outer", "_report", "_seconds")

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._seconds = limit.seconds
        self._report = limit.report
        self._outer = _current.get()
        self._border = limit.border()

    def begun(
        self, module: str, function: Callable[[Any], Any], argument: Any, seconds: float, notes: Notes | None
    ) -> tuple[Any, Any]:
        """None and the answer; or a coroutine of it, if the function waits for something."""
        if self._seconds is not None:
            seconds = self._seconds
        coroutine, timer = None, _Timer(module, seconds, self._report, self._outer, notes)
        token = _current.set(timer)
        try:
            border = self._border or self._limit.border_apart()
            coroutine, first = border.stepped(seconds, _first_step, function, argument)
        except Overstepped as error:
            return _blamed(error), None
        finally:
            _current.reset(token)
            if coroutine is None:
                timer.outer = None
        return (None, first) if coroutine is None else (_rest(coroutine, first, timer, border.stepped), None)


async def _blamed(error: Overstepped) -> Any:
    await absorbed(error)
    raise error


async def _rest(coroutine: Any, first: Any, timer: _Timer, during: During) -> Any:
    token = _current.set(timer)
    try:
        async with timer.started():
            answer = await _Rest(coroutine, first, timer, during)
    except Overstepped as error:
        return await _blamed(error)
    except TimeoutError as error:
        if timer.is_over:
            raise TimedOut(timer.seconds) from error
        raise
    else:
        if timer.is_over:  # it was cancelled and answered all the same: too late
            raise TimedOut(timer.seconds)
        return answer
    finally:
        timer.ended()
        _current.reset(token)


def _first_step(function: Callable[[Any], Any], argument: Any) -> tuple[Any, Any]:
    """The answer, with no coroutine; or a coroutine that has taken its first step, and what it waits for."""
    answer = function(argument)
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


def _next_step(step: Callable[[Any], Any], given: Any) -> Any:
    return step(given)


async def _awaited(answer: Any) -> Any:
    return await answer


class _Rest:
    """A coroutine that has taken its first step: continues where it waits, and is watched at every further step.

    One that goes on after its time is up may clean up for `PATIENCE` seconds; then it is left where it is.
    """

    __slots__ = ("_coroutine", "_during", "_first", "_timer")

    def __init__(self, coroutine: Any, first: Any, timer: _Timer, during: During) -> None:
        self._during = during
        self._coroutine = coroutine
        self._first = first
        self._timer = timer

    def __await__(self) -> Generator[Any, Any, Any]:
        waiting = self._first
        while True:
            try:
                sent = yield waiting
            except GeneratorExit:  # nobody waits for us any more
                self._close()
                raise
            except BaseException as error:
                if self._timer.is_abandoned:
                    self._leave()
                    raise
                step, given = self._coroutine.throw, error
            else:
                step, given = self._coroutine.send, sent
            try:
                waiting = self._during(self._timer.seconds, _next_step, step, given)
            except StopIteration as stop:
                return stop.value
            if self._timer.is_over:
                self._timer.abandon_later()

    def _leave(self) -> None:
        """The second cancellation was ours, so the task must not count it."""
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        self._close()

    def _close(self) -> None:
        with suppress(Exception):  # whatever it raises now; `RuntimeError` if it does not end even now
            self._during(self._timer.seconds, _next_step, lambda _nothing: self._coroutine.close(), None)
