"""A host under test, for those who have an event loop: opened on files that the test writes down, driven, asked.

Everything is real: discovery, trust, modules, hooks, rules and the audit log. Only the home, the workspace and whoever
approves are made up. What a test does not expect fails it: a hook or handler that broke, and a file with an error in
it, unless the test looked at `errors` and `diagnostics`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from pisces.diagnostics import ERROR, Diagnostic
from pisces.discovery.safe_mode import refuse_in_safe_mode
from pisces.host.host import Host
from pisces.modules.module_set import ModuleSet
from pisces.places import Places, places_here
from pisces.shapes.event import Event
from pisces.shapes.events import ModuleFailed, ToolCall, ToolResult
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import Judged, Verdict
from pisces.testing.noted import Noted, Unexpected
from pisces.testing.questions import ApprovalAsked, Approving, Questions
from pisces.testing.workspace import Content, Files, workspace, write
from pisces.value import EMPTY

if TYPE_CHECKING:
    from pisces.host.options import OpenOptions
    from pisces.host.submitting import Submitted

E = TypeVar("E", bound=Event)


class ReachableHost(Host):
    """A host whose modules a test can reach."""

    @property
    def modules(self) -> ModuleSet:
        return self._wired.modules


class HostSeen:
    """What a host under test is, and what it did so far."""

    def __init__(self, host: ReachableHost, questions: Questions, noted: Noted) -> None:
        self.host = host  # the host itself, for what is asynchronous
        self.asked = questions.asked  # each question: what would run, who wants it asked, the answer
        self._questions = questions
        self._noted = noted
        self._has_seen_diagnostics = False

    @property
    def places(self) -> Places:
        return self.host.places

    @property
    def tools(self) -> Mapping[str, Any]:
        return self.host.tools

    @property
    def errors(self) -> tuple[ModuleFailed, ...]:
        """Handlers, hooks, tools and commands that broke. Looking is taking note."""
        return self._noted.looked()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the files. Looking is taking note."""
        self._has_seen_diagnostics = True
        return self.host.diagnostics

    def write(self, path: str, content: Content) -> str:
        """One more file, or a changed one, below `home/` or `work/`; the path where it is."""
        return write(path, content, self.places.home)

    def demand_no_surprise(self) -> None:
        wrong = [] if self._has_seen_diagnostics else [each for each in self.host.diagnostics if each.severity == ERROR]
        if wrong:
            lines = "\n".join(f"{each.path}:{each.line}: {each.message}" for each in wrong)
            raise Unexpected(f"{lines}\n(a test that expects this looks at `host.diagnostics`)")
        self._noted.demand_no_surprise("host")


class AsyncDrivenHost(HostSeen):
    """What can be done to a host under test. See `async_host`."""

    async def judge(self, tool: str, /, **arguments: Any) -> Judged:
        """May the agent call this, and who decided?"""
        return await self.host.judge(ToolCall(tool, "call-1", arguments))

    async def denies(self, tool: str, /, **arguments: Any) -> Verdict:
        """Demands that somebody denies the call without a question to the user; who and why."""
        before = len(self.asked)
        judged = await self.judge(tool, **arguments)
        if judged.verdict.is_allowed or len(self.asked) > before:
            raise Unexpected(f"not denied: {self._story(judged, before)}")
        return judged.verdict

    async def asks(self, tool: str, /, **arguments: Any) -> ApprovalAsked:
        """Demands that the user is asked about the call; the question."""
        before = len(self.asked)
        judged = await self.judge(tool, **arguments)
        if len(self.asked) == before:
            raise Unexpected(f"not asked: {self._story(judged, before)}")
        return self.asked[before]

    async def allows(self, tool: str, /, **arguments: Any) -> ToolCall:
        """Demands that the call may run without a question; the call as it would run, with every change."""
        before = len(self.asked)
        judged = await self.judge(tool, **arguments)
        if not judged.verdict.is_allowed or len(self.asked) > before:
            raise Unexpected(f"not allowed: {self._story(judged, before)}")
        assert isinstance(judged.request, ToolRequest)
        return judged.request.call

    async def call(self, name: str, /, **arguments: Any) -> ToolResult:
        """One call of a tool in `tools`: judged, run, its result walked past everybody."""
        return await self.host.call(name, arguments)

    async def submit(self, line: str) -> Submitted:
        """What the user typed: a prompt, the output of a program, or blocked."""
        return await self.host.submit(line)

    async def emit(self, event: E) -> E:
        """The event as the last handler or hook left it."""
        return await self.host.emit(event)

    def _story(self, judged: Judged, before: int) -> str:
        lines = [f"{judged.request.exact}: {judged.verdict.decision}, said {judged.verdict.who or 'nobody'}"]
        lines += [f"  {each.decision} by {each.who}: {each.why}" for each in judged.verdicts]
        lines += [f"  the user was asked by {each.verdicts[0].who}" for each in self.asked[before:]]
        return "\n".join(lines)


@asynccontextmanager
async def async_host(
    files: Files = EMPTY,
    approve: Approving = False,
    env: Mapping[str, str] | None = None,
    **options: Unpack[OpenOptions],
) -> AsyncIterator[AsyncDrivenHost]:
    """A host on `files` below `home/` and `work/`, with the `options` of `Host.open`.

    `approve` is True or False for every question, or answers in their order, or a function. What the workspace brings
    is not trusted, as everywhere: say `trust_workspace=True`. Paths in `packages` and `modules` are relative to
    `work/`.
    """
    refuse_in_safe_mode(places_here(), "a host under test")
    noted, questions = Noted(), Questions(approve)
    options["report"] = noted.failures.append
    with workspace(files, env) as places:
        async with ReachableHost.open(places, questions, **options) as host:
            driven = AsyncDrivenHost(host, questions, noted)
            yield driven
            driven.demand_no_surprise()
        noted.demand_no_surprise("host")
