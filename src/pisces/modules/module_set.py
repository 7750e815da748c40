"""Opens a set of modules: entries are loaded, bound to the program that runs them, and closed in the right order.

Python modules run in this process, TypeScript and JavaScript ones in a sidecar. Handlers are called in the order of the
entries, whatever the language. If two register the same name, the first has it, and a diagnostic says so.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import AsyncIterator, Container, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from difflib import get_close_matches
from typing import Any, TypeVar

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.events.emit import Report
from pisces.modules.actions import Actions
from pisces.modules.api import Wiring
from pisces.modules.bus import Bus
from pisces.modules.entry import RUNS, ModuleEntry
from pisces.modules.load import Loaded, Loader
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.runner import Runner
from pisces.modules.tasks import Tasks
from pisces.shapes.events.session import SessionShutdown, SessionStart
from pisces.shapes.events.surroundings import ModuleFailed, ProjectTrust
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.modules.scripts import Scripts  # loaded by name, and only where there is a script
    from pisces.modules.tool_call import CallJudge

Thing = TypeVar("Thing")

MODULE_CLASH = Rule("module-clash", WARNING, "Two modules bring something under the same name")
MODULE_UNKNOWN = Rule("module-unknown", ERROR, "There is no such module to load again")
MODULE_HELD_BACK = Rule("module-held-back", WARNING, "A module of the user keeps out what the project brings")
_ASKED = "it answered `no` to `project_trust`, or failed to answer"
_SHARED = {"tools": "the tool", "commands": "the command", "flags": "the flag", "shortcuts": "the shortcut"}


class ModuleOptions(Value):
    """`seconds` replaces what events allow a handler; `flags` are values of the command line; `env` is what modules
    beside this process see; `cache` is a folder for the bytecode of Python modules, which is never put beside them.

    `is_embedded` leaves stdout, signal handlers and the event loop alone, for programs that are not ours. Then what
    modules print is not caught, `time.sleep` in the main thread is not interrupted, and tasks that modules start by
    themselves are not ended.
    """

    seconds: float | None = None
    flags: Mapping[str, bool | str] = EMPTY
    env: Mapping[str, str] = EMPTY
    cache: str = ""
    is_embedded: bool = False


class NotRegistered(LookupError):
    """No loaded module has a tool, command, shortcut or path of that name. The text says what there is."""


class ModuleSet:
    """`runner` runs what was loaded. `errors` has what does not run, and why."""

    def __init__(self, runner: Runner, wiring: Wiring, tasks: Tasks, loaders: Loaders, failures: Failures) -> None:
        self.runner = runner
        self._wiring = wiring
        self._tasks = tasks
        self._loaders = loaders
        self._failures = failures
        self._entries: dict[str, ModuleEntry] = {}
        self._errors: dict[str, Diagnostic] = {}
        self._one_by_one = asyncio.Lock()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(self._errors.values())

    @property
    def clashes(self) -> tuple[Diagnostic, ...]:
        """As of now: modules may register more at any time."""
        return tuple(
            MODULE_CLASH.at(
                loser, f"{what} `{name}` is already that of {owner or 'the program'}", hint=_RENAME, about=name
            )
            for where, what in _SHARED.items()
            for name, owner, loser in self.runner.clashes(where)
        )

    def set_flags(self, values: Mapping[str, bool | str]) -> None:
        """What the command line says, once `runner.flags` lists which there are: before a session starts."""
        self._wiring.flag_values.update(values)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], judge: CallJudge) -> ToolResult:
        """One call as an agent makes it; `judge` is the list of gates."""
        registered(self.runner.tools, name, "tool")
        call_tool = export_of("pisces.modules", "tool_call", "call_tool")
        result: ToolResult = await call_tool(self.runner, ToolCall(name, "call-1", arguments), judge)
        return result

    async def run_command(self, line: str) -> Any:
        """`/name and what follows`; gives back what the command returns, None where it fails."""
        name, _, args = line.removeprefix("/").partition(" ")
        command = registered(self.runner.commands, name, "command", "/")
        answer = await self.runner.call_command(command, args.strip())
        return None if isinstance(answer, ModuleFailed) else answer

    async def press(self, key: str) -> Any:
        return await self.runner.call_shortcut(registered(self.runner.shortcuts, key.lower(), "shortcut"))

    async def load(self, entries: Sequence[ModuleEntry]) -> None:
        """All of them, in their order. `SessionStart` is not emitted: that is for whoever starts a session."""
        self._entries.update({entry.path: entry for entry in entries})
        loaded = await self._loaders.load(entries)
        self.runner.add(loaded.modules)
        self.runner.arrange(self._entries)
        await self._clean_up_after(loaded.errors)

    async def start(self, entries: Sequence[ModuleEntry], actions: Actions) -> None:
        """What the user chose first: those modules may keep out what the project brings. Then all may act."""
        self._entries.update({entry.path: entry for entry in entries})
        await self.load([entry for entry in entries if not entry.needs_trust])
        self.runner.bind(actions)
        brought = [entry for entry in entries if entry.needs_trust]
        if brought and await self._is_held_back():
            for entry in brought:
                del self._entries[entry.path]
                message = "a module of yours keeps out what this project brings"
                self._errors[entry.path] = MODULE_HELD_BACK.at(entry.path, message, hint=_ASKED, about=entry.path)
        elif brought:
            await self.load(brought)
        self._failures.listen(self.runner, self._tasks)

    async def close(self) -> None:
        """All get `SessionShutdown`, and everything of them is removed, whatever fails meanwhile."""
        async with AsyncExitStack() as stack:
            stack.callback(_unload, self.runner, self._loaders.python)
            stack.callback(self._wiring.bus.clear)
            stack.push_async_callback(self._loaders.close)
            stack.push_async_callback(self.runner.close)
            self._failures.stop()

    async def _is_held_back(self) -> bool:
        """Whoever answers nonsense has not said yes."""
        event = await self.runner.emit(ProjectTrust(self.runner.cwd))
        return event.is_settled

    async def reload(self, path: str) -> tuple[Diagnostic, ...]:
        """A new generation of one module, which gets `SessionStart`. If it does not load, the old one stays.

        Handlers, tasks, and listeners on the bus of the old one are gone; its API raises `Stale`. Others go on as they
        are: a script that is loaded again gets a process of its own.
        """
        entry = self._entries.get(path)
        if entry is None:
            raise PiscesError(MODULE_UNKNOWN.at(path, "no module was loaded from here", hint=_known(self._entries)))
        async with self._one_by_one:
            return await self._reloaded(entry)

    async def rearrange(self, entries: Sequence[ModuleEntry], changed: Container[str]) -> None:
        """These modules and no others, from now on: those whose files `changed` are loaded again."""
        wanted = {entry.path: entry for entry in entries}
        for path in [each for each in self._entries if each not in wanted]:
            await self.unload(path)
        new = [entry for entry in entries if entry.path not in self._entries]
        self._entries.update({path: entry for path, entry in wanted.items() if entry not in new})
        for path in [each for each in self._entries if each in changed or each in self._errors]:
            await self.reload(path)
        if any(entry.needs_trust for entry in new) and await self._is_held_back():
            new = [entry for entry in new if not entry.needs_trust]
        await self.load(new)
        self.runner.arrange([path for path in wanted if path in self._entries])
        for module in [each for each in self.runner.modules if any(each.path == entry.path for entry in new)]:
            await self.runner.emit_to(module, SessionStart("reload"))

    async def unload(self, path: str) -> None:
        """The module hears of it; its handlers, tasks and listeners are gone then."""
        async with self._one_by_one:
            self._entries.pop(path, None)
            self._errors.pop(path, None)
            old = self._running(path)
            if old is None:
                return
            try:
                await self.runner.emit_to(old, SessionShutdown("reload"))
            finally:
                self.runner.remove(path)
                self._wiring.generations.pop(path, None)
                self._wiring.bus.sweep(self._wiring.generations)
                await self._tasks.end(self._tasks.of(path))
                if self._loaders.python is not None and old.path.endswith(".py"):
                    self._loaders.python.unload(old)

    async def _reloaded(self, entry: ModuleEntry) -> tuple[Diagnostic, ...]:
        old = self._running(entry.path)
        before = set(self._tasks.of(entry.path))
        generation = self._wiring.generations.get(entry.path)
        loaded = await self._loaders.reload(entry)
        if not loaded.modules:
            self._restore(entry.path, generation)
            await self._clean_up_after(loaded.errors, before)
            return loaded.errors
        self._errors.pop(entry.path, None)
        (new,) = loaded.modules
        started = set(self._tasks.of(entry.path)) - before
        if old is not None:
            await self._retired(old, new)
        await self._tasks.end(set(self._tasks.of(entry.path)) - started)
        await self._loaders.replace(entry)
        self.runner.add([new])
        await self.runner.emit_to(new, SessionStart("reload"))
        return ()

    def _restore(self, path: str, generation: int | None) -> None:
        """A load that fails leaves the module as it was."""
        if generation is None:
            self._wiring.generations.pop(path, None)
        else:
            self._wiring.generations[path] = generation

    async def _retired(self, old: LoadedModule, new: LoadedModule) -> None:
        """The old one may act for the last time, in its handlers of `SessionShutdown`."""
        self._wiring.generations[old.path] = old.generation
        try:
            await self.runner.emit_to(old, SessionShutdown("reload"))
        finally:
            self._wiring.generations[old.path] = new.generation
            self._wiring.bus.sweep(self._wiring.generations)

    async def _clean_up_after(self, errors: Iterable[Diagnostic], running: Container[Task[Any]] = ()) -> None:
        """Ends what a factory started before it failed, except `running` tasks, which are those of its former load."""
        failed = {error.about or error.path: error for error in errors}
        self._errors.update(failed)
        self._wiring.bus.sweep(self._wiring.generations)
        for path in failed:
            await self._tasks.end(task for task in self._tasks.of(path) if task not in running)

    def _running(self, path: str) -> LoadedModule | None:
        return next((each for each in self.runner.modules if each.path == path), None)


class Loaders:
    """Python modules here, scripts beside us. What runs scripts is itself loaded only where there are some."""

    def __init__(self, wiring: Wiring, report: Report, options: ModuleOptions) -> None:
        self._given = (wiring, report, options.env)
        self._scripts: Scripts | None = None
        self.python = Loader(wiring, report, cache=options.cache)

    async def load(self, entries: Iterable[ModuleEntry]) -> Loaded:
        every = list(entries)
        here, beside = [each for each in every if each.is_python], [each for each in every if not each.is_python]
        if not beside:
            return await self.python.load(here)
        loaded, more = await asyncio.gather(self.python.load(here), self._started().load(beside))
        return Loaded((*loaded.modules, *more.modules), (*loaded.errors, *more.errors))

    async def reload(self, entry: ModuleEntry) -> Loaded:
        return await (self.python.load([entry]) if entry.is_python else self._started().reload(entry))

    async def replace(self, entry: ModuleEntry) -> None:
        """The module that was loaded again takes the place of the old one."""
        if not entry.is_python:
            await self._started().replace(entry)

    def _started(self) -> Scripts:
        if self._scripts is None:
            self._scripts = export_of("pisces.modules", "scripts", "Scripts")(*self._given)
        return self._scripts

    async def close(self) -> None:
        if self._scripts is not None:
            await self._scripts.close()


@asynccontextmanager
async def open_modules(
    entries: Iterable[ModuleEntry], actions: Actions, report: Report, options: ModuleOptions | None = None
) -> AsyncIterator[ModuleSet]:
    """Loaded modules that may act. At the end all get `SessionShutdown`, and everything of them is removed.

    Whether an entry may run has been decided before: see `ModuleEntry.state`.
    """
    made = empty_set(actions.cwd, report, options)
    try:
        await made.start([entry for entry in entries if entry.state == RUNS], actions)
        yield made
    finally:
        await made.close()


def empty_set(cwd: str, report: Report, options: ModuleOptions | None = None) -> ModuleSet:
    """A set in which nothing is loaded yet. Whoever makes it closes it."""
    options = options or ModuleOptions()
    failures = Failures(report)
    tasks = Tasks(failures, options.seconds)
    wiring = Wiring(cwd, Bus(failures, tasks))
    wiring.is_embedded = options.is_embedded
    wiring.flag_values.update(options.flags)
    runner = Runner(wiring, tasks, failures, options.seconds)
    runner.open()
    return ModuleSet(runner, wiring, tasks, Loaders(wiring, failures, options), failures)


class Failures:
    """Passes failures to `report`, and to modules that listen. A listener that fails at that is not called again."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._runner: Runner | None = None
        self._tasks: Tasks | None = None

    def listen(self, runner: Runner, tasks: Tasks) -> None:
        self._runner, self._tasks = runner, tasks

    def stop(self) -> None:
        """Called when everything closes: a listener could not finish."""
        self._runner = self._tasks = None

    def __call__(self, failed: ModuleFailed) -> None:
        self._report(failed)
        is_ours = failed.event == ModuleFailed.__name__
        if self._runner and self._tasks and not is_ours and self._runner.listeners(ModuleFailed):
            self._tasks.start(self._runner.emit(failed), "")


def _unload(runner: Runner, loader: Loader) -> None:
    for module in runner.modules:
        loader.unload(module)


def registered(things: Mapping[str, Thing], name: str, kind: str, mark: str = "") -> Thing:
    """The thing of that name, or `NotRegistered` with a suggestion."""
    if name in things:
        return things[name]
    near = get_close_matches(name, things, 1)
    every = ", ".join(f"`{mark}{each}`" for each in sorted(things)) or f"no {kind} at all"
    hint = f"did you mean `{mark}{near[0]}`?" if near else f"there is {every}"
    raise NotRegistered(f"no module brings the {kind} `{mark}{name}`: {hint}")


def _known(entries: Mapping[str, ModuleEntry]) -> str:
    return f"one of: {', '.join(entries)}" if entries else "no module was loaded at all"


_RENAME = "give it another name, or leave one of the two modules out: the first one loaded has it"
