"""Runs loaded modules: knows who listens to what, calls handlers within their time, and closes cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pisces.events.emit import Report, Walk, emit, error_text, own_lines
from pisces.events.time_limit import TimeLimit, is_failure
from pisces.modules.actions import Actions
from pisces.modules.api import Wiring
from pisces.modules.leaked_threads import leaked_threads
from pisces.modules.loaded_module import LoadedModule, ModuleFlag, Shortcut, SlashCommand
from pisces.modules.output import Output
from pisces.modules.tasks import Tasks
from pisces.shapes.event import Event
from pisces.shapes.events.session import SessionShutdown
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.listener import Listener
from pisces.shapes.tool import Tool, arguments_of

E = TypeVar("E", bound=Event)


class Runner:
    """Actions work from `open` to `close`. `report` hears of everything that breaks."""

    def __init__(self, wiring: Wiring, tasks: Tasks, report: Report, seconds: float | None = None) -> None:
        self._wiring = wiring
        self._tasks = tasks
        self.report = report
        self.limit = TimeLimit(seconds, report, has_signals=not wiring.is_embedded)
        self._output = Output(report)
        self._modules: dict[str, LoadedModule] = {}
        self._listening: dict[type[Event], tuple[Listener, ...]] = {}

    @property
    def cwd(self) -> str:
        return self._wiring.cwd

    def bind(self, actions: Actions) -> None:
        """From now on modules may act."""
        self._wiring.actions = actions

    def add(self, modules: Iterable[LoadedModule]) -> None:
        """A path that is there already is replaced: its old handlers are gone with it."""
        self._modules.update({module.path: module for module in modules})
        self._listening.clear()

    def remove(self, path: str) -> None:
        self._modules.pop(path, None)
        self._listening.clear()

    def arrange(self, paths: Iterable[str]) -> None:
        """Handlers are called in this order, whenever their modules were loaded."""
        place = {path: number for number, path in enumerate(paths)}
        modules = sorted(self._modules.values(), key=lambda module: place.get(module.path, len(place)))
        self._modules = {module.path: module for module in modules}
        self._listening.clear()

    @property
    def modules(self) -> tuple[LoadedModule, ...]:
        return tuple(self._modules.values())

    @property
    def tools(self) -> Mapping[str, Tool]:
        """By name. The first module that brings a name has it; `clashes` lists who lost."""
        return _first(self._modules.values(), "tools")

    @property
    def commands(self) -> Mapping[str, SlashCommand]:
        return _first(self._modules.values(), "commands")

    @property
    def shortcuts(self) -> Mapping[str, Shortcut]:
        return _first(self._modules.values(), "shortcuts")

    @property
    def flags(self) -> Mapping[str, ModuleFlag]:
        return _first(self._modules.values(), "flags")

    def clashes(self, where: str) -> list[tuple[str, str, str]]:
        """Each name that is brought twice: the name, who has it, who lost it."""
        owners = _first(self._modules.values(), where)
        brought = [(name, each) for module in self.modules for name, each in getattr(module, where).items()]
        return [(name, owners[name].module, each.module) for name, each in brought if owners[name] is not each]

    def open(self) -> None:
        self._wiring.changed = self._changed
        if not self._wiring.is_embedded:
            self._tasks.open()
            self._output.open()

    async def close(self) -> None:
        """Whatever goes wrong meanwhile, nothing is left behind."""
        try:
            await self._shut_down()
        finally:
            try:
                left = await self._tasks.close()
            finally:
                self._wiring.actions = None
                self._wiring.generations.clear()
                self._output.close()
                self.limit.close()
        self._report_threads()
        if left:
            what = f"{left} {'task was' if left == 1 else 'tasks were'} still running and had to be ended"
            self.report(ModuleFailed("", "shutdown", what))

    def _report_threads(self) -> None:
        for path, name, has_ended in leaked_threads(self.modules):
            end = "had to be ended" if has_ended else "does not end: the program ends without it"
            self.report(ModuleFailed(path, "shutdown", f"its thread `{name}` was still running and {end}"))

    async def emit(self, event: E) -> E:
        return await emit(event, self.listeners(type(event)), self.limit, self.report)

    async def emit_to(self, module: LoadedModule, event: E) -> E:
        """Past the handlers of one module only."""
        own = [each for each in module.handlers if issubclass(type(event), each.event)]
        return await emit(event, _by_priority(own), self.limit, self.report)

    def walk(self, kind: type[Event]) -> Walk:
        """For somebody who asks handlers one by one, in the running task."""
        return Walk(kind, self.limit, self.report)

    async def call_tool(self, tool: Tool, arguments: Mapping[str, Any], context: Any = None, seconds: float = 0) -> Any:
        """What the tool's function returns; whatever it raises becomes a failed result in the caller."""
        seconds = seconds or _LONG
        given = arguments_of(arguments)
        return await self.limit.call(tool.module, lambda given: tool.run(given, context), given, seconds)

    async def call_prepare(self, tool: Tool, arguments: Any) -> Any:
        """The arguments as the tool prepares them, before anybody judges the call."""
        return await self.limit.call(
            tool.module, tool.prepare or (lambda given: given), arguments_of(arguments), Event.SECONDS
        )

    async def call_command(self, command: SlashCommand, args: str, seconds: float = 0) -> Any:
        """What it returns; where it fails, the `ModuleFailed` that was reported."""
        return await self._called(command, f"/{command.name}", lambda: command.run(args), seconds)

    async def call_shortcut(self, shortcut: Shortcut, seconds: float = 0) -> Any:
        answer = await self._called(shortcut, shortcut.key, shortcut.run, seconds)
        return None if isinstance(answer, ModuleFailed) else answer

    async def _called(self, thing: SlashCommand | Shortcut, name: str, run: Callable[[], Any], seconds: float) -> Any:
        try:
            return await self.limit.call(thing.module, lambda _nothing: run(), None, seconds or _LONG)
        except BaseException as error:  # the border with a module's own code
            if not is_failure(error):
                raise
            failed = ModuleFailed(thing.module, name, error_text(error), own_lines(error))
            self.report(failed)
            return failed

    async def _shut_down(self) -> None:
        """All at once, each within its own time: nobody waits for the slowest."""
        event = SessionShutdown()
        handlers = self.listeners(SessionShutdown)
        await asyncio.gather(*(emit(event, (each,), self.limit, self.report) for each in handlers))

    def listeners(self, kind: type[Event]) -> tuple[Listener, ...]:
        """The handlers of an event in the order in which they are called; the same tuple until somebody registers."""
        found = self._listening.get(kind)
        if found is None:
            every = [each for module in self.modules for each in module.handlers if issubclass(kind, each.event)]
            found = _by_priority(every)
            self._listening[kind] = found
        return found

    def _changed(self, _module: LoadedModule, _thing: Any) -> None:
        self._listening.clear()


_LONG = 3600.0


def _by_priority(handlers: Iterable[Listener]) -> tuple[Listener, ...]:
    return tuple(sorted(handlers, key=lambda each: -each.priority))


def _first(modules: Iterable[LoadedModule], where: str) -> dict[str, Any]:
    owners: dict[str, Any] = {}
    for module in modules:
        for name, each in getattr(module, where).items():
            owners.setdefault(name, each)
    return owners
