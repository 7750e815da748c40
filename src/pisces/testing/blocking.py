"""A scripted session for plain tests, without an event loop of their own: each step runs until it is done."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pisces.diagnostics import Diagnostic
from pisces.shapes.event import Event
from pisces.shapes.events import ToolResult
from pisces.testing.event_loop import entered
from pisces.testing.session import PATIENCE, AsyncSession, Seen, async_session

E = TypeVar("E", bound=Event)
Answer = TypeVar("Answer")


class ScriptedSession(Seen):
    """What can be done to the modules; what they did is there as well: notices, asked, sent, statuses, errors ..."""

    def __init__(self, session: AsyncSession, loop: asyncio.Runner) -> None:
        super().__init__(session.host, session._opened, session._noted)
        self._session = session
        self._loop = loop

    def emit(self, event: E) -> E:
        """The event as the last handler left it."""
        return self._done(self._session.emit(event))

    def tool(self, name: str, /, **arguments: Any) -> ToolResult:
        """One call as the agent makes it: a ToolCall that may be blocked or changed, the tool, a ToolResult."""
        return self._done(self._session.tool(name, **arguments))

    def command(self, line: str) -> Any:
        """`/name and what follows`; gives back what the command returns."""
        return self._done(self._session.command(line))

    def shortcut(self, key: str) -> Any:
        return self._done(self._session.shortcut(key))

    def reload(self, path: str | os.PathLike[str] = "") -> tuple[Diagnostic, ...]:
        """Loads one module again, the only one where none is named; what is wrong with it if it does not load."""
        return self._done(self._session.reload(path))

    def until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Waits for what modules do by themselves, in tasks and timers."""
        self._done(self._session.until(condition, seconds))

    def _done(self, step: Coroutine[Any, Any, Answer]) -> Answer:
        return self._loop.run(step)


@contextmanager
def scripted_session(
    *modules: str | os.PathLike[str],
    answers: Iterable[Any] = (),
    entries: Iterable[Mapping[str, Any]] = (),
    cwd: str | os.PathLike[str] = "",
    flags: Mapping[str, bool | str] | None = None,
    seconds: float | None = None,
) -> Iterator[ScriptedSession]:
    """`answers` to questions in their order; `entries` that are in the transcript already; `seconds` for a handler."""
    making = async_session(*modules, answers=answers, entries=entries, cwd=cwd, flags=flags, seconds=seconds)
    with entered(making, "async_session") as (session, loop):
        yield ScriptedSession(session, loop)
