"""Tasks that modules start: known by whose they are, reported when they break, ended when the runner closes.

While a runner is open, the event loop's own task factory is asked first, so a task that a module starts behind our
back with `asyncio.create_task` is known too, and none of its steps may block for ever or end the program. Timers and
callbacks that break are known as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextvars import Context, copy_context
from typing import Any

from pisces.events.border import Overstepped, is_ctrl_c, is_stopping, undone_stop
from pisces.events.emit import Report, error_text
from pisces.events.time_limit import current_module
from pisces.events.watchdog import Watchdog, runs_apart
from pisces.modules.callbacks import Callbacks
from pisces.shapes.event import Event
from pisces.shapes.events.surroundings import ModuleFailed

PATIENCE = 2.0  # seconds for cancelled tasks to come to an end


class Tasks:
    __slots__ = ("_callbacks", "_loop", "_report", "_running", "_seconds", "_usual", "_usual_trouble", "_watch")

    def __init__(self, report: Report, seconds: float | None = None) -> None:
        self._report = report
        self._seconds = Event.SECONDS if seconds is None else seconds  # in which a step may block
        self._watch = Watchdog()
        self._callbacks = Callbacks(lambda: current_module(report))
        self._running: dict[asyncio.Task[Any], str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._usual: Any = None
        self._usual_trouble: Any = None

    def open(self) -> None:
        """From now on every task that a module's code starts is recorded."""
        self._loop = asyncio.get_running_loop()
        self._usual = self._loop.get_task_factory()
        self._usual_trouble = self._loop.get_exception_handler()
        self._loop.set_task_factory(self._made)
        self._loop.set_exception_handler(self._troubled)
        self._callbacks.open(self._loop)

    def start(self, work: Awaitable[Any], what: str) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(_awaited(work))
        self._note(task, what)
        return task

    def of(self, owner: str) -> list[asyncio.Task[Any]]:
        """Those of one module that still run."""
        return [task for task, whose in self._running.items() if whose == owner and not task.done()]

    async def end(self, tasks: Iterable[asyncio.Task[Any]]) -> int:
        """Ends those that still run, but never the one that asks; says how many that were."""
        left = [task for task in tasks if not task.done() and task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=PATIENCE)
        return len(left)

    async def close(self) -> int:
        """Ends what still runs, and says how many that were."""
        if self._loop is not None:
            self._restore(self._loop)
            self._callbacks.close(self._loop)
            self._loop = None
        try:
            return await self.end(list(self._running))
        finally:
            self._running.clear()
            self._watch.close()

    def _restore(self, loop: asyncio.AbstractEventLoop) -> None:
        """Runners that started after us may still be open: they continue with what was before us."""
        latest = getattr(loop.get_task_factory(), "__self__", None)
        if latest is self:
            loop.set_task_factory(self._usual)
            loop.set_exception_handler(self._usual_trouble)
        while isinstance(latest, Tasks):
            before = getattr(latest._usual, "__self__", None)
            if before is self:
                latest._usual, latest._usual_trouble = self._usual, self._usual_trouble
            latest = before

    def _made(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> Any:
        owner = current_module(self._report)
        if owner:
            work = _Fenced(work, self._watch, self._seconds)
        task = asyncio.Task(work, loop=loop, **options) if self._usual is None else self._usual(loop, work, **options)
        if owner:
            self._note(task, owner)
        return task

    def _note(self, task: asyncio.Task[Any], owner: str) -> None:
        if task not in self._running:
            task.add_done_callback(self._ended)
        self._running[task] = owner

    def _ended(self, task: asyncio.Task[Any]) -> None:
        owner = self._running.pop(task, None)
        if owner is None or task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._report(ModuleFailed(owner, "task", error_text(error)))

    def _troubled(self, loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
        """asyncio has the context in which a failed callback was made, and so the module."""
        error, made_in = trouble.get("exception"), getattr(trouble.get("handle"), "_context", None)
        owner = current_module(self._report, made_in) if made_in is not None else ""
        if owner and error is not None:
            self._report(ModuleFailed(owner, "callback", error_text(error)))
        elif self._usual_trouble is not None:
            self._usual_trouble(loop, trouble)
        else:
            loop.default_exception_handler(trouble)


class _Fenced(Coroutine):  # type: ignore[type-arg]  # of anything
    """A coroutine of a module as a task runs it: no step of it may block for ever, and none ends the program."""

    __slots__ = ("_context", "_coroutine", "_seconds", "_watch")

    def __init__(self, coroutine: Any, watch: Watchdog, seconds: float) -> None:
        self._coroutine = coroutine
        self._watch = watch
        self._seconds = seconds
        self._context: Context | None = None  # of its steps, where another thread runs them

    def send(self, value: Any) -> Any:
        return self._step(self._coroutine.send, (value,))

    def throw(self, *error: Any) -> Any:
        return self._step(self._coroutine.throw, error)

    def close(self) -> None:
        self._step(self._coroutine.close, ())

    def __await__(self) -> Any:
        return self._coroutine.__await__()

    def __getattr__(self, name: str) -> Any:
        """Whoever shows tasks to people asks for names and lines."""
        return getattr(self._coroutine, name)

    def _step(self, step: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        loop = asyncio._get_running_loop()  # none where it is closed as garbage
        was_stopping = is_stopping(loop)
        try:
            return self._watch.during(self._seconds, self._in_context(), step, given)
        except SystemExit as error:  # the event loop would end with it
            raise Overstepped(error_text(error)) from error
        except KeyboardInterrupt as error:
            if is_ctrl_c(error):
                raise
            raise Overstepped(error_text(error)) from error
        finally:
            what = "" if was_stopping else undone_stop(loop)
            if what:
                raise Overstepped(what)

    def _in_context(self) -> Callable[..., Any]:
        if not runs_apart():
            return _called
        if self._context is None:
            self._context = copy_context()
        run = self._context.run
        return lambda step, given: run(_called, step, given)


def _called(step: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    return step(*given)


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work
