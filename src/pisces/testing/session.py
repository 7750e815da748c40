"""A scripted session with modules in it, for those who have an event loop: no model, no screen, all of it written down.

Modules are loaded and run as in the agent, Python ones as well as TypeScript and JavaScript ones. What a test does not
expect fails it: a module that does not load, and at the end a handler that broke and that nobody asked about.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pisces.diagnostics import Diagnostic
from pisces.discovery.safe_mode import refuse_in_safe_mode
from pisces.gates.tool_calls import allows_tools
from pisces.modules.entries import named_entries
from pisces.modules.module_set import ModuleOptions, NotRegistered, registered
from pisces.modules.runner import Runner
from pisces.places import Places, places_here
from pisces.shapes.event import Event
from pisces.shapes.events import ModuleFailed, SessionStart, ToolResult
from pisces.testing.driven import ReachableHost
from pisces.testing.host import ScriptedHost
from pisces.testing.noted import Noted, Unexpected
from pisces.testing.workspace import workspace

E = TypeVar("E", bound=Event)
Thing = TypeVar("Thing")

PATIENCE = 5.0  # seconds that `until` waits
_ROUNDS = 5  # turns of the event loop after each step, for what modules start and do not wait for


class Seen:
    """What modules did so far."""

    def __init__(self, host: ScriptedHost, opened: ReachableHost, noted: Noted) -> None:
        self.host = host
        self._opened = opened
        self._modules = opened.modules
        self._noted = noted
        self.notices = host.ui.notices  # level and text of each notification
        self.asked = host.ui.asked  # each question: kind, title, what it was about, and the answer
        self.statuses = host.ui.statuses
        self.widgets = host.ui.widgets
        self.titles = host.ui.titles
        self.drawn = host.ui.drawn  # the lines of custom components, each time they were drawn
        self.sent = host.sent  # custom messages, with `deliver_as` and `trigger_turn`
        self.typed = host.typed  # what was sent as if the user had typed it
        self.controls = host.controls  # abort, shutdown, compact, and what commands asked for: new_session, fork ...
        self.updates = host.updates  # partial results of tools

    @property
    def runner(self) -> Runner:
        return self._modules.runner

    @property
    def errors(self) -> tuple[ModuleFailed, ...]:
        """Handlers, tools and commands that broke, took too long, printed or leaked. Looking is taking note."""
        return self._noted.looked()

    @property
    def not_loaded(self) -> tuple[Diagnostic, ...]:
        return self._modules.errors

    @property
    def clashes(self) -> tuple[Diagnostic, ...]:
        """Names that two modules want."""
        return self._modules.clashes

    @property
    def entries(self) -> Sequence[Mapping[str, Any]]:
        """The transcript, with what modules appended."""
        return self.host.session.entries()


class AsyncSession(Seen):
    """What can be done to the modules. See `async_session`."""

    async def emit(self, event: E) -> E:
        """The event as the last handler left it."""
        return await self._settled(self._opened.emit(event))

    async def tool(self, name: str, /, **arguments: Any) -> ToolResult:
        """One call as the agent makes it: a ToolCall that may be blocked or changed, the tool, a ToolResult."""
        return await self._settled(self._called(name, arguments))

    async def _called(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        registered(self.runner.tools, name, "tool")
        return await self._opened.call(name, arguments, "call-1")

    async def command(self, line: str) -> Any:
        """`/name and what follows`; gives back what the command returns."""
        return await self._settled(self._modules.run_command(line))

    async def shortcut(self, key: str) -> Any:
        return await self._settled(self._modules.press(key))

    async def reload(self, path: str | os.PathLike[str] = "") -> tuple[Diagnostic, ...]:
        """Loads one module again, the only one where none is named; what is wrong with it if it does not load."""
        paths = {module.path: module.path for module in self.runner.modules if module.path}
        wanted = os.path.abspath(path) if path else next(iter(paths), "")
        return await self._settled(self._reloaded(paths, wanted))

    async def _reloaded(self, paths: Mapping[str, str], wanted: str) -> tuple[Diagnostic, ...]:
        return await self._modules.reload(registered(paths, wanted, "module"))

    async def until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Waits for what modules do by themselves, in tasks and timers."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise Unexpected(f"nothing of the kind happened within {seconds:g} s") from None

    async def _settled(self, step: Awaitable[Thing]) -> Thing:
        try:
            answer = await step
        except NotRegistered as error:
            raise Unexpected(str(error)) from None
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
        return answer


@asynccontextmanager
async def async_session(
    *modules: str | os.PathLike[str],
    answers: Iterable[Any] = (),
    entries: Iterable[Mapping[str, Any]] = (),
    cwd: str | os.PathLike[str] = "",
    flags: Mapping[str, bool | str] | None = None,
    seconds: float | None = None,
) -> AsyncIterator[AsyncSession]:
    """`answers` to questions in their order; `entries` that are in the transcript already; `seconds` for a handler."""
    host = ScriptedHost(os.path.abspath(cwd or os.getcwd()), answers, entries)
    refuse_in_safe_mode(places_here(), "a module under test")
    paths = [os.path.abspath(each) for each in modules]
    options = ModuleOptions(seconds=seconds, flags=flags or {}, env=dict(os.environ))
    noted = Noted()
    with workspace() as places:
        async with open_session(paths, host, noted, options, places) as session:
            _demand_loaded((*named_entries(places, paths).diagnostics, *session.not_loaded))
            await session.emit(SessionStart())
            yield session
    noted.demand_no_surprise("session")


@asynccontextmanager
async def open_session(
    paths: Sequence[str], host: ScriptedHost, noted: Noted, options: ModuleOptions, places: Places
) -> AsyncIterator[AsyncSession]:
    """A session that demands nothing: not even that modules load. They see `host.cwd`; settings are of `places`."""
    async with ReachableHost.open(
        places,
        lambda *_: True,
        modules=paths,
        discover=False,
        gates=[allows_tools("test", "the test calls it")],
        actions=host,
        report=noted.failures.append,
        module_options=options,
        is_audited=False,
    ) as opened:
        yield AsyncSession(host, opened, noted)


def _demand_loaded(problems: Iterable[Diagnostic]) -> None:
    lines = [f"{each.path}:{each.line}: {each.message}" + (f" ({each.hint})" if each.hint else "") for each in problems]
    if lines:
        raise Unexpected("\n".join(["not loaded:", *lines]))
