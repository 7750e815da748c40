"""One event walks past its handlers: everything that "a module has a say" means is in `Walk`.

Handlers are called one after another and see what those before them made of the event. A handler that raises, takes too
long or answers nonsense is reported, and the next one is called; the event's own rule says what the failure means.
"""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from types import CoroutineType
from typing import Any, TypeVar

from pisces.events.private_copy import PrivateCopies
from pisces.events.time_limit import Calls, Overstepped, TimedOut, TimeLimit, is_failure
from pisces.events.unawaited import Forgotten, notice_unawaited
from pisces.formats.json_copy import NotJson
from pisces.shapes.event import Event, Guarded, GuardNotes, Notes
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.listener import Listener

E = TypeVar("E", bound=Event)
Report = Callable[[ModuleFailed], None]

_IN_PLACE = "changed the event in place: return a changed copy, such as `event.with_input(...)`"
LONGEST = 2000  # characters of an error's text: it may be sent to the model


async def emit(event: E, handlers: Iterable[Listener], limit: TimeLimit, report: Report) -> E:
    """The event as the last handler left it. Handlers are called in the order given, until it is settled."""
    walk = Walk(type(event), limit, report)
    for handler in handlers:
        after = walk.past(handler, event)
        if after is not event:
            event = await after if isinstance(after, Awaitable) else after
        if walk.is_settled:
            break
    return event


class Walk:
    """An event goes past handlers, one after another, in the task that makes this. `kind` is the event's class."""

    __slots__ = ("_calls", "_copies", "_makes_notes", "_report", "is_settled")

    def __init__(self, kind: type[Event], limit: TimeLimit, report: Report) -> None:
        self._calls = Calls(limit)
        self._copies = PrivateCopies()
        self._makes_notes = GuardNotes if issubclass(kind, Guarded) else Notes
        self._report = report
        self.is_settled = False
        if issubclass(kind, Guarded):
            notice_unawaited()

    def past(self, handler: Listener, event: E) -> E | Awaitable[E]:
        """The event as the handler left it, the same object if it changed nothing; awaitable if the handler waits.

        Every call of a handler goes through here, so no coroutine is made for one that answers at once.
        """
        try:
            given: E = self._copies.of(event)
        except NotJson as error:
            return self._settled(event.after_failure(f"the input is not JSON data: {error}"))
        noted, seconds = self._makes_notes(), handler.seconds or event.SECONDS
        try:
            rest, answer = self._calls.begun(handler.module, handler.call, given, seconds, noted)
            if rest is not None:
                return self._past_later(handler, event, given, noted, rest)
            if answer is None and not noted and (given is event or given.__same__(event)):
                return event  # as most do
            return self._after(event, given, noted, answer)
        except BaseException as error:  # the border with a module's own code
            if not is_failure(error):
                raise
            return self._failed(handler, event, error)

    async def _past_later(self, handler: Listener, event: E, given: E, noted: Notes, rest: Awaitable[Any]) -> E:
        try:
            return self._after(event, given, noted, await rest)
        except BaseException as error:  # the border with a module's own code
            if not is_failure(error):
                raise
            return self._failed(handler, event, error)

    def _after(self, event: E, given: E, noted: Notes, answer: Any) -> E:
        if given is not event and not given.__same__(event):
            raise TypeError(_IN_PLACE)
        after = _detached(answer, given, noted) if noted or answer is not None else None
        return event if after is None else self._settled(after)

    def _failed(self, handler: Listener, event: E, error: BaseException) -> E:
        message = str(error) if isinstance(error, _ThrownAway | Forgotten) else error_text(error)
        self._report(ModuleFailed(handler.module, type(event).__name__, message, own_lines(error)))
        if isinstance(error, _ThrownAway) and error.stops is not None:
            stopped: E = error.stops
            return self._settled(stopped)
        return self._settled(event.after_failure(f"Extension {handler.module} failed: {message}"))

    def _settled(self, after: E) -> E:
        self.is_settled = bool(after.is_settled)  # the value may be of the module's own making
        return after


def _detached(answer: Any, given: E, noted: Notes) -> E | None:
    """What the handler returned, detached from it, or an error if it is nothing that a handler may return."""
    if answer is not None and type(answer) is not type(given):
        raise TypeError(_nonsense(answer, given))
    _refuse_thrown_away(answer, [each for each in noted if type(each[0]) is type(given)])
    forgotten = [name for copy, name, _ in noted if copy is None]
    if forgotten:
        raise Forgotten(forgotten[0])
    return None if answer is None or answer is given else answer.detached()


class _ThrownAway(Exception):
    """A handler made a changed copy and did not return it. `stops` is the copy, if it was to stop something."""

    def __init__(self, method: str, stops: Any) -> None:
        super().__init__(f"called `event.{method}(...)` and did not return it: write `return event.{method}(...)`")
        self.stops = stops


def _refuse_thrown_away(answer: Event | None, copies: list[Any]) -> None:
    """A block that is not returned blocks all the same. Of other copies only the author hears."""
    for copy, method, stops in copies:
        if stops and (answer is None or not answer.is_settled):
            raise _ThrownAway(method, copy.detached())
    if answer is None and copies:
        raise _ThrownAway(copies[-1][1], None)


def _nonsense(answer: Any, event: Event) -> str:
    wanted = f"a handler returns a changed {type(event).__name__}, or None"
    if isinstance(answer, CoroutineType):
        answer.close()
        wanted = f"write `return await {answer.__name__}(...)`"
    return f"returned {type(answer).__name__}; {wanted}"


def error_text(error: BaseException) -> str:
    """An error in a few words, as its author would recognise it."""
    if isinstance(error, TimedOut | Overstepped):
        return str(error)
    try:
        if isinstance(error, SystemExit):
            return f"called sys.exit({'' if error.code is None else _shortened(repr(error.code))})"
        text = str(error).strip()
    except Exception:  # noqa: BLE001  # an error's `__str__` may be code of a module, too
        text = ""
    return f"{type(error).__name__}: {_shortened(text)}" if text else type(error).__name__


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def own_lines(error: BaseException) -> str:
    """The traceback without our own frames, which would only hide the module's. A script brings its own trace."""
    with suppress(Exception):  # the attribute may be code of a module
        trace = getattr(error, "trace", None)  # of an error that came out of the sidecar
        if isinstance(trace, str):
            return trace
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_OURS)]
    return "".join(traceback.format_list(own))


_HOME = __file__.removesuffix("emit.py")[:-1].removesuffix("events")
_OURS = (f"{_HOME}events", f"{_HOME}modules")
