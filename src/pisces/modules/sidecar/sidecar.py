"""Runs modules written for pi and omp in a process beside us, and starts it again when it ends.

One sidecar is one trust domain: its modules share a process, and whatever one of them does to it, the host goes on.
While it is down, guards fail closed and everything else waits a moment and then goes on without it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from typing import Any, Self

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.pins import broken_pin
from pisces.events.emit import Report, error_text
from pisces.modules.api import Wiring
from pisces.modules.load import seconds_after
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.sidecar.bridge import Ask
from pisces.modules.sidecar.link import Down, HostSide
from pisces.modules.sidecar.process import SidecarLimits
from pisces.modules.sidecar.run import Failure, Key, RuntimeBroken, SidecarRun
from pisces.modules.sidecar.runtime import Runtime
from pisces.shapes.events.session import SessionStart
from pisces.shapes.events.surroundings import ModuleFailed

MOST_STARTS = 40  # until every module that ends the process is found out

_DOWN = "is down: "
_NOT_INSTALLED = ("Cannot find package", "Cannot find module", "Module not found", "not a dependency")

SCRIPT_FAILED = Rule("module-script", ERROR, "A TypeScript or JavaScript module does not load")
SIDECAR_BROKEN = Rule("sidecar-broken", ERROR, "The program that runs TypeScript and JavaScript modules does not work")


class Sidecar:
    """`async with await Sidecar.open(...) as sidecar`: `loaded` has the modules, `errors` a diagnostic for each
    path that did not load. The same `LoadedModule` objects live on when the process is started again.
    """

    def __init__(
        self, runtime: Runtime, paths: Sequence[str], wiring: Wiring, report: Report, limits: SidecarLimits
    ) -> None:
        self._runtime = runtime
        self._paths = dict(enumerate(paths))
        self._host = HostSide(wiring, report, limits, lambda number: self._paths.get(number, ""))
        self._stubs: dict[str, list[str]] = {}
        self._modules: dict[int, LoadedModule] = {}
        self._run: SidecarRun | None = None
        self._up = asyncio.Event()
        self._restarting: asyncio.Task[None] | None = None
        self._falls = 0
        self._why = "is not started"
        self._is_closed = self._has_session = False
        self.errors: list[Diagnostic] = []
        self.generation = 0

    @classmethod
    async def open(
        cls, runtime: Runtime, paths: Sequence[str], wiring: Wiring, report: Report, limits: SidecarLimits | None = None
    ) -> Self:
        """Raises a PiscesError where the runtime itself does not work; a module that does not is in `errors`."""
        sidecar = cls(runtime, paths, wiring, report, limits or SidecarLimits())
        await sidecar._start_or_refuse()
        return sidecar

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_trouble: object) -> None:
        await self.close()

    @property
    def loaded(self) -> list[LoadedModule]:
        return [self._modules[number] for number in sorted(self._modules)]

    @property
    def is_up(self) -> bool:
        return self._up.is_set()

    @property
    def printed(self) -> str:
        """The last of what modules wrote to stdout and stderr."""
        return self._run.process.printed if self._run else ""

    @property
    def pid(self) -> int:
        return self._run.process.pid if self._run else 0

    @property
    def busy_with(self) -> tuple[str, ...]:
        """What modules are asked to do right now."""
        return self._run.link.busy_with if self._run else ()

    async def close(self) -> None:
        self._is_closed = True
        self._up.clear()
        self._why = "is closed"
        await self._stop()

    async def restart(self) -> None:
        """Ends the process and loads every module anew, with what has changed in its files."""
        await self._stop()
        self._falls = 0
        await self._start_or_refuse()

    def drop(self, path: str) -> bool:
        """A module that lives in another process from now on. Whether any other is left here."""
        for number in [number for number, each in self._paths.items() if each == path]:
            del self._paths[number]
            self._modules.pop(number, None)
            if self._run is not None:
                self._run.link.drop(number)
                self._run.registered = {key for key in self._run.registered if key[0] != number}
        self.errors = [error for error in self.errors if error.about != path]
        return bool(self._paths)

    async def _stop(self) -> None:
        task, self._restarting = self._restarting, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._up.clear()
        run, self._run = self._run, None
        if run is not None:
            await run.close()

    async def ask(self, number: int, key: Key, *call: Any) -> Mapping[str, Any]:
        """`call`: what, its arguments, and perhaps who wants to know of progress. Waits a moment while it is down."""
        run = await self._running()
        if key not in run.registered:
            path = self._paths.get(number, "this module")
            raise Down(f"`{path}` was loaded again and does not have this any longer")
        what, args, *update = call
        if what == "event" and args["event"]["type"] == SessionStart.NAME:
            self._has_session = True
        return await run.link.call(what, number, args, *update)

    async def _running(self) -> SidecarRun:
        if self._restarting is not None and not self._up.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._host.limits.patience):
                    await self._up.wait()
        if self._run is None or not self._up.is_set():
            raise Down(f"the sidecar {self._why}")
        return self._run

    # Starting.

    async def _start_or_refuse(self) -> None:
        try:
            await self._start()
        except RuntimeBroken as error:
            self._why = "does not work"
            hint = f"`{' '.join(self._runtime.argv)}` is how it is started"
            raise PiscesError(SIDECAR_BROKEN.at("", str(error), hint=hint)) from error

    async def _start(self) -> None:
        """Starts as often as it takes: once more without each module that ends the process, once more with stubs."""
        failures = self._changed()
        lost = 0.0
        for _ in range(MOST_STARTS):
            run = SidecarRun(self._host, self._bind, self._fell)
            run.seconds = seconds_after(lost, self._host.limits.load)
            left = {number: path for number, path in self._paths.items() if number not in failures}
            try:
                await run.load(self._runtime, left, self._stubs)
            except BaseException:
                await run.close()
                raise
            lost += run.lost
            if not self._learned(run) and len(run.loaded) + len(run.failed) == len(left):
                failures.update(run.failed)
                break
            failures.update(
                {number: each for number, each in run.failed.items() if number not in run.loaded and not each.missing}
            )
            await run.close()
        else:
            raise RuntimeBroken("the sidecar was ended by one module after another")
        self._adopt(run, failures)
        self._up.set()
        await self._resume_session()

    def _changed(self) -> dict[int, Failure]:
        """Modules whose files are not those that somebody agreed to. Asked before every start, also after a crash."""
        pins = self._host.wiring.pins
        broken = {number: broken_pin(pins.get(path, {})) for number, path in self._paths.items()}
        return {
            number: Failure(f"`{path}` is not what you trusted: `pisces trust` shows the difference and asks")
            for number, path in broken.items()
            if path
        }

    def _learned(self, run: SidecarRun) -> bool:
        """Whether there are names to be stubbed that were not known before."""
        is_new = False
        for failure in run.failed.values():
            for specifier, names in (failure.missing or {}).items():
                is_new = is_new or specifier not in self._stubs
                known = self._stubs.setdefault(specifier, [])
                new = [name for name in names if name not in known]
                is_new = is_new or bool(new)
                known.extend(new)
        return is_new

    def _bind(self, number: int, key: Key) -> Ask:
        async def ask(*call: Any) -> Mapping[str, Any]:
            return await self.ask(number, key, *call)

        return ask

    def _adopt(self, run: SidecarRun, failures: Mapping[int, Failure]) -> None:
        """Known modules get what the new run registered. One that does not load any more keeps its old guards, which
        fail closed from now on.
        """
        self._run = run
        self.generation += 1
        for number, new in run.loaded.items():
            known = self._modules.setdefault(number, new)
            for slot in type(new).__slots__:
                setattr(known, slot, getattr(new, slot))
            run.loaded[number] = known
            self._host.wiring.generations[known.path] = known.generation
            self._host.wiring.changed(known, known)
        self.errors = [self._diagnosed(number, failures[number]) for number in sorted(failures)]

    def _diagnosed(self, number: int, failure: Failure) -> Diagnostic:
        path = self._paths[number]
        hint = ""
        if any(words in failure.message for words in _NOT_INSTALLED):
            hint = f"install what it needs: `npm install` in `{os.path.dirname(path)}`"
        return SCRIPT_FAILED.at(path, failure.message, place=(failure.line, 0), hint=hint, about=path)

    async def _resume_session(self) -> None:
        """Modules that are loaded into a running session get `session_start`, as in pi after a reload."""
        if not self._has_session:
            return
        for module in self.loaded:
            for each in module.handlers:
                if each.event is SessionStart:
                    await self._send_session_start(module, each.call)

    async def _send_session_start(self, module: LoadedModule, call: Callable[[Any], Any]) -> None:
        try:
            async with asyncio.timeout(SessionStart.SECONDS):
                await call(SessionStart("reload"))
        except Exception as error:  # noqa: BLE001  # the border with a module's own code
            self._host.report(ModuleFailed(module.path, SessionStart.__name__, error_text(error)))

    # Ending.

    def _fell(self, run: SidecarRun, reason: str) -> None:
        """The process ended by itself: calls that wait fail, the user gets one report, and it is started again."""
        self._up.clear()
        if self._is_closed or run is not self._run:
            run.link.end(f"the sidecar {reason}")
            return
        self._run = None
        if time.monotonic() - run.started > self._host.limits.steady:
            self._falls = 0
        self._falls += 1
        who = run.exit or f"the sidecar {reason}"
        self._why = f"{_DOWN}{who}"
        run.link.end(who)
        self._host.report(ModuleFailed("", "sidecar", f"{who}; it is started again"))
        if self._restarting is None or self._restarting.done():
            loop = asyncio.get_running_loop()
            self._restarting = loop.create_task(self._start_again(), context=Context())

    async def _start_again(self) -> None:
        limits = self._host.limits
        while self._falls <= limits.restarts:
            await asyncio.sleep(min(limits.delay * 2 ** (self._falls - 1), limits.longest_delay))
            try:
                await self._start()
            except RuntimeBroken as error:
                self._falls += 1
                self._why = f"{_DOWN}{error}"
            if self._up.is_set():
                return
        message = f"the sidecar ended {self._falls} times in a row and stays down: {self._why.removeprefix(_DOWN)}"
        self._host.report(ModuleFailed("", "sidecar", message))
