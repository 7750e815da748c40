"""Imports Python modules and calls their factories, one after another. A module that breaks costs nobody but itself.

The factory is the module's `extension`, else its `default`: a function, sync or async, that takes the API and
registers. Until it has returned, actions raise `NotInitialised`. A module that is loaded again replaces its former self
only if that goes well; else the former one lives on. Modules that hang share one budget, so that a start with several
of them does not take the time of each; what a module takes that does load is not counted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from pisces.diagnostics import Diagnostic
from pisces.events.emit import Report
from pisces.events.time_limit import TimeLimit, is_failure
from pisces.modules.actions import Actions
from pisces.modules.api import Api, Wiring
from pisces.modules.bytecode import Bytecode
from pisces.modules.entry import RUNS, ModuleEntry
from pisces.modules.importing import PREFIX, Importer
from pisces.modules.load_errors import MODULE_SLOW, failure_of, no_factory
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.output import Output
from pisces.value import Value

SECONDS = 10.0  # for a module to be imported and for its factory to return
TOGETHER = 1.5  # times that: for all modules of one load that do not come to an end
LEAST = 0.3  # times that: what a module has after others have used it up
FACTORIES = ("extension", "default")


class Loaded(Value):
    """`errors` has one diagnostic for each entry that did not load: `path` and `line` are those of the user's code,
    `about` is the path of the entry.
    """

    modules: tuple[LoadedModule, ...]
    errors: tuple[Diagnostic, ...] = ()


class Loader:
    """Loads, loads again and unloads. `seconds` is how long one module may take; `cache` is a folder for bytecode."""

    def __init__(self, wiring: Wiring, report: Report, *, seconds: float = SECONDS, cache: str = "") -> None:
        self._wiring = wiring
        self._report = report
        self._seconds = seconds
        self._importer = Importer(Bytecode(cache))

    async def load(self, entries: Iterable[ModuleEntry]) -> Loaded:
        limit = TimeLimit(report=self._report, has_signals=not self._wiring.is_embedded)
        output = Output(self._report)
        results: list[LoadedModule | Diagnostic] = []
        lost = 0.0
        if not self._wiring.is_embedded:
            output.open()
        try:
            for entry in [each for each in entries if each.state == RUNS]:  # nobody runs what was not let in
                began = time.monotonic()
                results.append(await self._started(entry, limit, seconds_after(lost, self._seconds)))
                lost += time.monotonic() - began if _is_too_slow(results[-1]) else 0
        except BaseException:  # somebody gave up waiting: nobody would ever unload these
            for module in _modules(results):
                self.unload(module)
            raise
        finally:
            output.close()
            limit.close()
        return Loaded(_modules(results), tuple(each for each in results if not isinstance(each, LoadedModule)))

    def unload(self, module: LoadedModule) -> None:
        """Removes its code from the process; an API object that somebody still has raises `Stale` from now on."""
        if self._wiring.generations.get(module.path) == module.generation:
            del self._wiring.generations[module.path]
        self._importer.forget(module.generation)

    async def _started(self, entry: ModuleEntry, limit: TimeLimit, seconds: float) -> LoadedModule | Diagnostic:
        """The module as its factory left it, or why there is none."""
        generations = self._wiring.generations
        before = generations.get(entry.path)
        module = LoadedModule(entry.path, entry.name, _new_generation())
        generations[entry.path] = module.generation
        failure: Diagnostic | None = None
        is_loaded = False
        try:
            failure = await self._factory_called(entry, module, limit, seconds)
            is_loaded = failure is None
        finally:
            ended = before if is_loaded else module.generation
            if ended is not None:
                self._importer.forget(ended)
            if not is_loaded:
                _restore(generations, entry.path, before)
        return failure or module

    async def _factory_called(
        self, entry: ModuleEntry, module: LoadedModule, limit: TimeLimit, seconds: float
    ) -> Diagnostic | None:
        loading = _Loading(self._wiring)
        api = Api(module, loading)  # type: ignore[arg-type]  # a view of the wiring
        stage = _Stage()

        def start(given: Api) -> Any:
            stage.factory = _factory_in(self._importer.imported(entry, module.generation))
            return stage.factory(given) if callable(stage.factory) else None

        try:
            await limit.call(entry.path, start, api, seconds)
        except BaseException as error:  # the border with a module's own code, `sys.exit` included
            if not is_failure(error):
                raise
            return failure_of(error, entry, stage.factory)
        if not callable(stage.factory):
            return no_factory(entry, stage.factory)
        loading.is_over = True
        return None


def seconds_after(lost: float, seconds: float) -> float:
    """How long the next module may take, once others that hang have taken so much."""
    return max(seconds * LEAST, min(seconds, seconds * TOGETHER - lost))


class _Stage:
    """How far a load has come: `factory` is what the module exports, once it is imported."""

    factory: Callable[..., Any] | None = None


class _Loading:
    """The wiring as a factory sees it: nothing to act on before it has returned, even in a running session."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self.is_over = False

    @property
    def actions(self) -> Actions | None:
        return self._wiring.actions if self.is_over else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wiring, name)


def _modules(results: Iterable[LoadedModule | Diagnostic]) -> tuple[LoadedModule, ...]:
    return tuple(each for each in results if isinstance(each, LoadedModule))


def _is_too_slow(result: LoadedModule | Diagnostic) -> bool:
    return isinstance(result, Diagnostic) and result.code == MODULE_SLOW.code


def _restore(generations: dict[str, int], path: str, before: int | None) -> None:
    if before is None:
        del generations[path]
    else:
        generations[path] = before


def _factory_in(module: ModuleType) -> Any:
    return next((getattr(module, name) for name in FACTORIES if hasattr(module, name)), None)


def _new_generation() -> int:
    """Larger than any before, also than those that are forgotten: an old API object must never seem alive again."""
    number = time.time_ns()
    while f"{PREFIX}{number}" in sys.modules:
        number += 1
    return number
