"""One event walks past its handlers: the whole meaning of "an extension has a say" is this one function.

Handlers are asked one after another and see what those before them made of the event. One that breaks, takes too long
or answers nonsense costs nobody else their turn: it is reported, and the event's own rule says what its failure means.
"""

from __future__ import annotations

import traceback
from contextlib import suppress

from pisces.events.time_limit import Slow, Turn, is_theirs
from pisces.shapes.events.surroundings import ExtensionFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    from pisces.modules.extension import Listener
    from pisces.shapes.event import Event

    E = TypeVar("E", bound=Event)
    Report = Callable[[ExtensionFailed], None]

MOST = 2000  # characters of an error's text: the model may be told it


async def emit(event: E, handlers: Iterable[Listener], turn: Turn, report: Report) -> E:
    """The event as the last handler left it. Handlers are asked in the order given, until it is settled."""
    for handler in handlers:
        try:
            answer = await turn.of(handler.extension, handler.call, event, event.SECONDS)
            if answer is None:
                continue
            is_settled = _is_settled(answer, event)
        except BaseException as error:  # the border with an extension's own code
            if not is_theirs(error):
                raise
            event = _failed(event, handler, error, report)
            is_settled = event.is_settled
        else:
            event = answer
        if is_settled:
            break
    return event


def _is_settled(answer: Any, event: Event) -> bool:
    """Asked of the answer while it may still be refused."""
    if type(answer) is not type(event):
        kind = type(event).__name__
        raise TypeError(f"returned {type(answer).__name__}; a handler returns a changed {kind}, or None")
    return bool(answer.is_settled)


def _failed(event: E, handler: Listener, error: BaseException, report: Report) -> E:
    message = told(error)
    report(ExtensionFailed(handler.extension, type(event).__name__, message, own_lines(error)))
    return event.after_failure(f"Extension {handler.extension} failed: {message}")


def told(error: BaseException) -> str:
    """An error in a few words, as its author would recognise it."""
    if isinstance(error, Slow):
        return str(error)
    try:
        if isinstance(error, SystemExit):
            return f"called sys.exit({'' if error.code is None else _shortened(repr(error.code))})"
        text = str(error).strip()
    except Exception:  # noqa: BLE001  # errors of extensions are code of extensions, too
        text = ""
    return f"{type(error).__name__}: {_shortened(text)}" if text else type(error).__name__


def _shortened(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]} ..."


def own_lines(error: BaseException) -> str:
    """The lines of the extension's own code: ours would only hide them. A script brings its own."""
    with suppress(Exception):  # it is code of theirs that is asked
        trace = getattr(error, "trace", None)  # of an error that came out of the sidecar
        if isinstance(trace, str):
            return trace
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_OURS)]
    return "".join(traceback.format_list(own))


_HOME = __file__.removesuffix("emit.py")[:-1].removesuffix("events")
_OURS = (f"{_HOME}events", f"{_HOME}modules")
