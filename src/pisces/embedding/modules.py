"""Extension modules in somebody else's program: found, loaded, and their tools called past the gates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pisces.diagnostics import Diagnostic
from pisces.gates.judge import Gate
from pisces.gates.required_modules import requires_modules
from pisces.gates.safe import safe_gate
from pisces.gates.tool_calls import ToolGates
from pisces.gates.trust import admitted, trust_in
from pisces.modules.actions import Actions
from pisces.modules.entries import module_entries
from pisces.modules.entry import RUNS, ModuleEntry
from pisces.modules.headless import Headless, open_headless
from pisces.modules.loaded_module import SlashCommand
from pisces.modules.module_set import ModuleOptions, ModuleSet, open_modules as open_set
from pisces.modules.required import is_listed_to_run, required_in, unmet
from pisces.modules.tool_call import call_tool
from pisces.places import Places
from pisces.shapes.event import Event
from pisces.shapes.events.session import SessionStart
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.request import ToolRequest
from pisces.shapes.tool import Tool
from pisces.shapes.verdict import Verdict
from pisces.value import Value

E = TypeVar("E", bound=Event)


class ModulesHere(Value):
    """`entries` in the order in which they are loaded, with those that do not run; `state` says why."""

    entries: tuple[ModuleEntry, ...]
    diagnostics: tuple[Diagnostic, ...]
    places: Places

    @property
    def running(self) -> tuple[ModuleEntry, ...]:
        return tuple(entry for entry in self.entries if entry.state == RUNS)


class OpenModules:
    """Loaded modules: what they bring, and what can be asked of them. See `open_modules`."""

    def __init__(self, loaded: ModuleSet, gates: ToolGates) -> None:
        self._loaded = loaded
        self._gates = gates

    @property
    def tools(self) -> Mapping[str, Tool]:
        """By name, with description and JSON Schema as a model gets them. Modules may bring more at any time."""
        return self._loaded.runner.tools

    @property
    def commands(self) -> Mapping[str, SlashCommand]:
        """Slash commands by name, with description."""
        return self._loaded.runner.commands

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Modules that did not load, and names that two modules want."""
        return (*self._loaded.errors, *self._loaded.clashes)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], call_id: str = "call-1") -> ToolResult:
        """One call of a model: past the gates, run, past the handlers of results. Every failure is a ToolResult."""
        return await call_tool(self._loaded.runner, ToolCall(name, call_id, arguments), self._gates)

    async def run_command(self, line: str) -> Any:
        """What the command returns for `/name and what follows`. Raises `LookupError` if no module has the name."""
        return await self._loaded.run_command(line)

    async def emit(self, event: E) -> E:
        """The event of `pisces.events` as the last handler left it."""
        return await self._loaded.runner.emit(event)

    async def reload(self, path: str) -> tuple[Diagnostic, ...]:
        """Loads one module again; what is wrong with it if it does not load, and then the old one stays."""
        return await self._loaded.reload(path)


def modules_here(places: Places, named: Sequence[str] = ()) -> ModulesHere:
    """The modules of this project and of the user, and those that the caller names by path. Nothing is run.

    Only what is trusted has the state `runs`: what the user has at home, what is named, and what a project brings whose
    folder the user trusts (`pisces trust`). Raises nothing: what is wrong is in `diagnostics`.
    """
    found = admitted(module_entries(places, named), trust_in(places), places)
    missing = unmet(required_in(places), found.entries, is_listed_to_run)
    return ModulesHere(found.entries, (*found.diagnostics, *missing), places)


@asynccontextmanager
async def open_modules(
    found: ModulesHere,
    host: Actions,
    report: Callable[[ModuleFailed], None],
    gates: Sequence[Gate] = (),
    confirm: Callable[[ToolRequest, tuple[Verdict, ...]], Verdict | Awaitable[Verdict]] | None = None,
) -> AsyncIterator[OpenModules]:
    """Loads the modules that run, for the time of an `async with` block: from `SessionStart` to `SessionShutdown`.

    Modules act through `host`. `report` hears of each failure of a module while it runs. A tool call walks past the
    handlers of the modules and `gates`; what then has to be asked goes to `confirm`, and is denied without one. The
    program's stdout, signal handlers and event loop stay as they are. Raises nothing for a module that does not load:
    it is one of `errors`. While one that settings require does not run, every tool call is denied.
    """
    options = ModuleOptions(env=found.places.env, is_embedded=True)
    if isinstance(host, Headless):
        opening = open_headless(found.running, host, report, options)
    else:
        opening = open_set(found.running, host, report, options)
    async with opening as loaded:
        needed = requires_modules(loaded, found.entries, found.places)
        first = (safe_gate(found.places), needed)
        modules = OpenModules(loaded, ToolGates(loaded.runner, (*first, *gates), confirm))
        await modules.emit(SessionStart())
        yield modules
