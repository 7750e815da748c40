"""A host under test for plain tests, without an event loop of their own: each step runs until it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from pisces.shapes.event import Event
from pisces.shapes.events import ToolCall, ToolResult
from pisces.shapes.verdict import Judged, Verdict
from pisces.testing.driven import AsyncDrivenHost, HostSeen, async_host
from pisces.testing.event_loop import entered
from pisces.testing.questions import ApprovalAsked, Approving
from pisces.testing.workspace import Files
from pisces.value import EMPTY

if TYPE_CHECKING:
    from pisces.host.options import OpenOptions
    from pisces.host.submitting import Submitted

E = TypeVar("E", bound=Event)
Answer = TypeVar("Answer")


class DrivenHost(HostSeen):
    """What can be done to a host under test; what it did is there as well: asked, errors, diagnostics."""

    def __init__(self, driven: AsyncDrivenHost, loop: asyncio.Runner) -> None:
        super().__init__(driven.host, driven._questions, driven._noted)
        self._driven = driven
        self._loop = loop

    @property
    def diagnostics(self) -> tuple[Any, ...]:
        """What is wrong with the files. Looking is taking note."""
        return self._driven.diagnostics

    def judge(self, tool: str, /, **arguments: Any) -> Judged:
        """May the agent call this, and who decided?"""
        return self._done(self._driven.judge(tool, **arguments))

    def denies(self, tool: str, /, **arguments: Any) -> Verdict:
        """Demands that somebody denies the call without a question to the user; who and why."""
        return self._done(self._driven.denies(tool, **arguments))

    def asks(self, tool: str, /, **arguments: Any) -> ApprovalAsked:
        """Demands that the user is asked about the call; the question."""
        return self._done(self._driven.asks(tool, **arguments))

    def allows(self, tool: str, /, **arguments: Any) -> ToolCall:
        """Demands that the call may run without a question; the call as it would run, with every change."""
        return self._done(self._driven.allows(tool, **arguments))

    def call(self, name: str, /, **arguments: Any) -> ToolResult:
        """One call of a tool in `tools`: judged, run, its result walked past everybody."""
        return self._done(self._driven.call(name, **arguments))

    def submit(self, line: str) -> Submitted:
        """What the user typed: a prompt, the output of a program, or blocked."""
        return self._done(self._driven.submit(line))

    def emit(self, event: E) -> E:
        """The event as the last handler or hook left it."""
        return self._done(self._driven.emit(event))

    def _done(self, step: Coroutine[Any, Any, Answer]) -> Answer:
        return self._loop.run(step)


@contextmanager
def open_host(
    files: Files = EMPTY,
    approve: Approving = False,
    env: Mapping[str, str] | None = None,
    **options: Unpack[OpenOptions],
) -> Iterator[DrivenHost]:
    """As `async_host`, for tests without an event loop."""
    with entered(async_host(files, approve, env, **options), "async_host") as (driven, loop):
        yield DrivenHost(driven, loop)
