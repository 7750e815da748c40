"""One event walks past its handlers: everything that "a module has a say" means is in this one function.

Handlers are called one after another and see what those before them made of the event. A handler that raises, takes too
long or answers nonsense is reported, and the next one is called; the event's own rule says what the failure means.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import CoroutineType
from typing import Any, TypeVar

from pisces.events.private_copy import PrivateCopies
from pisces.events.time_limit import Overstepped, TimedOut, TimeLimit, is_failure
from pisces.events.unawaited import Forgotten, notice_unawaited
from pisces.formats.json_copy import NotJson
from pisces.shapes.event import Event, Guarded, GuardNotes, Notes, noted_copies
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.listener import Listener

E = TypeVar("E", bound=Event)
Report = Callable[[ModuleFailed], None]

_IN_PLACE = "changed the event in place: return a changed copy, such as `event.with_input(...)`"
LONGEST = 2000  # characters of an error's text: it may be sent to the model


async def emit(
    event: E, handlers: Iterable[Listener], limit: TimeLimit, report: Report, copies: PrivateCopies | None = None
) -> E:
    """The event as the last handler left it. Handlers are called in the order given, until it is settled."""
    if isinstance(event, Guarded):
        notice_unawaited()
    token = noted_copies.set(None)
    try:
        return await _walked(event, handlers, limit, report, copies or PrivateCopies())
    finally:
        noted_copies.reset(token)


async def _walked(event: E, handlers: Iterable[Listener], limit: TimeLimit, report: Report, copies: PrivateCopies) -> E:
    given: Any
    answer: Any
    makes_notes = GuardNotes if isinstance(event, Guarded) else Notes
    for handler in handlers:
        given = answer = None  # so that nothing here keeps the copy
        try:
            given = copies.of(event)
        except NotJson as error:
            return event.after_failure(f"the input is not JSON data: {error}")
        noted = makes_notes()
        noted_copies.set(noted)
        try:
            answer = await limit.call(handler.module, handler.call, given, handler.seconds or event.SECONDS)
            if given is not event and not given.__same__(event):
                raise TypeError(_IN_PLACE)
            after = _after(answer, given, noted) if noted or answer is not None else None
            if after is None:
                continue
            is_settled = bool(after.is_settled)  # the value may be of the module's own making
        except BaseException as error:  # the border with a module's own code
            if not is_failure(error):
                raise
            after = _failed(event, handler, error, report)
            is_settled = after.is_settled
        event = after
        if is_settled:
            break
    return event


def _after(answer: Any, given: E, noted: Notes) -> E | None:
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


def _failed(event: E, handler: Listener, error: BaseException, report: Report) -> E:
    message = str(error) if isinstance(error, _ThrownAway | Forgotten) else error_text(error)
    report(ModuleFailed(handler.module, type(event).__name__, message, own_lines(error)))
    if isinstance(error, _ThrownAway) and error.stops is not None:
        stopped: E = error.stops
        return stopped
    return event.after_failure(f"Extension {handler.module} failed: {message}")


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
