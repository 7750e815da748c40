"""What code of a module may not do to whoever runs it: cancel the task, stop the loop, raise what ends the program.

Each is undone and blamed on the module. A real Ctrl-C is none of these: it is told apart by where it came from.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from asyncio import _get_running_loop, current_task
from collections.abc import Callable
from opcode import opmap
from types import CodeType
from typing import Any

_RAISE = opmap["RAISE_VARARGS"]
_OURS, _BUS = "pisces.", ".bus"  # on the bus one module calls another
_LONGEST_CHAIN = 16


class Overstepped(RuntimeError):
    """A module tried to end the program that runs it. `before` is how often our task was cancelled when it began."""

    before = 0


class _Silent:
    """For an event loop of another kind than asyncio's own, which does not say whether it stops."""

    _stopping = False


_SILENT = _Silent()


class Border:
    """Runs steps of modules in the task that makes this: the task and its loop are looked up once for all of them.

    `during(seconds, step, function, argument)` is what runs a step within its time.
    """

    __slots__ = ("_during", "_loop", "_task")

    def __init__(self, during: Callable[..., Any]) -> None:
        loop = _get_running_loop()
        self._during = during
        self._loop: Any = loop if hasattr(loop, "_stopping") else _SILENT
        self._task = current_task(loop)

    def stepped(self, seconds: float, step: Callable[[Any, Any], Any], function: Any, argument: Any) -> Any:
        """What `step(function, argument)` returns or raises, but `Overstepped` where it did one of those things.

        A caller that catches that has to `await absorbed(error)`: the cancellation may be on its way already. Every
        call of a handler goes through here, so it is written to be quick.
        """
        loop, task = self._loop, self._task
        before = task.cancelling() if task is not None else 0
        was_stopping = loop._stopping
        try:
            answer = self._during(seconds, step, function, argument)
        except BaseException as error:  # the border with a module's own code
            _blame(task, before, None if was_stopping else loop, error)
            raise
        if (task is not None and task.cancelling() != before) or loop._stopping is not was_stopping:
            _blame(task, before, None if was_stopping else loop, None)
        return answer


def _blame(
    task: asyncio.Task[Any] | None, before: int, loop: asyncio.AbstractEventLoop | None, error: BaseException | None
) -> None:
    what = _undone(task, before) or undone_stop(loop)
    if not what and isinstance(error, GeneratorExit | KeyboardInterrupt) and not is_ctrl_c(error):
        what = f"raised {type(error).__name__}"
    if what:
        overstepped = Overstepped(what)
        overstepped.before = before
        raise overstepped from error


async def absorbed(error: Overstepped) -> None:
    """Up to Python 3.12 a cancellation that was taken back still arrives at the next `await`: this one."""
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling() > error.before:  # somebody else cancels us
            raise


def is_stopping(loop: asyncio.AbstractEventLoop | None) -> bool:
    return bool(getattr(loop, "_stopping", False))


def undone_stop(loop: asyncio.AbstractEventLoop | None) -> str:
    """What was done, in words, and empty where nothing was. Other loops than asyncio's own do not tell."""
    if not is_stopping(loop):
        return ""
    setattr(loop, "_stopping", False)  # noqa: B010  # no name of the interface
    return "stopped the event loop"


def _undone(task: asyncio.Task[Any] | None, before: int) -> str:
    if task is None or task.cancelling() <= before or _is_interrupted():
        return ""
    while task.cancelling() > before:
        task.uncancel()
    return "cancelled the task that runs it"


def is_ctrl_c(error: BaseException) -> bool:
    """Whether the user interrupted us, or a module has just raised KeyboardInterrupt itself.

    The interpreter raises it between two instructions, or a signal handler does, or the program that asks the user
    something for the module: never a `raise` of the module's own.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    seen: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if seen is None:
            return False
        if isinstance(seen, KeyboardInterrupt) and not _is_raised_by_hand(seen):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _is_raised_by_hand(error: BaseException) -> bool:
    places, place = [], error.__traceback__
    while place is not None:
        places.append((place.tb_frame, place.tb_lasti))
        place = place.tb_next
    names = [str(frame.f_globals.get("__name__", "")) for frame, _ in places]
    module = next((at for at, name in enumerate(names) if not name.startswith(_OURS)), None)
    if module is None or any(name.startswith(_OURS) and not name.endswith(_BUS) for name in names[module:]):
        return False
    on_signal = _code_on_interrupt()
    frame, instruction = places[-1]
    is_from_handler = any(frame.f_code is on_signal for frame, _ in places)
    return not is_from_handler and frame.f_code.co_code[instruction] == _RAISE


def _code_on_interrupt() -> CodeType | None:
    """Of the handler of SIGINT, where that is written in Python, as asyncio's is."""
    handler = signal.getsignal(signal.SIGINT)
    function = getattr(handler, "func", handler)
    found = getattr(getattr(function, "__func__", function), "__code__", None)
    return found if isinstance(found, CodeType) else None


def _is_interrupted() -> bool:
    """asyncio answers the first Ctrl-C by cancelling the main task, and counts it."""
    handler = signal.getsignal(signal.SIGINT)
    runner = getattr(getattr(handler, "func", None), "__self__", None)
    return bool(getattr(runner, "_interrupt_count", 0))
