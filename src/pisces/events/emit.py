"""One event walks past its handlers: everything that "a module has a say" means is in this one function.

Handlers are called one after another and see what those before them made of the event. A handler that raises, takes too
long or answers nonsense is reported, and the next one is called; the event's own rule says what the failure means.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from pisces.events.time_limit import Overstepped, TimedOut, TimeLimit, is_failure
from pisces.shapes.event import Event
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.listener import Listener

E = TypeVar("E", bound=Event)
Report = Callable[[ModuleFailed], None]

LONGEST = 2000  # characters of an error's text: it may be sent to the model


async def emit(event: E, handlers: Iterable[Listener], limit: TimeLimit, report: Report) -> E:
    """The event as the last handler left it. Handlers are called in the order given, until it is settled."""
    for handler in handlers:
        try:
            answer = await limit.call(handler.module, handler.call, event, handler.seconds or event.SECONDS)
            if answer is None:
                continue
            is_settled = _is_settled(answer, event)
        except BaseException as error:  # the border with a module's own code
            if not is_failure(error):
                raise
            event = _failed(event, handler, error, report)
            is_settled = event.is_settled
        else:
            event = answer
        if is_settled:
            break
    return event


def _is_settled(answer: Any, event: Event) -> bool:
    """Read inside the `try`, because the value may be of the module's own making."""
    if type(answer) is not type(event):
        kind = type(event).__name__
        raise TypeError(f"returned {type(answer).__name__}; a handler returns a changed {kind}, or None")
    return bool(answer.is_settled)


def _failed(event: E, handler: Listener, error: BaseException, report: Report) -> E:
    message = error_text(error)
    report(ModuleFailed(handler.module, type(event).__name__, message, own_lines(error)))
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
