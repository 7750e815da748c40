"""One run of the sidecar's process, from its start to its end: its modules are loaded, then it answers calls."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from pisces.discovery.finders.modules import module_at
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.sidecar.bridge import Ask, Unknown, register
from pisces.modules.sidecar.link import HostSide, Link
from pisces.modules.sidecar.mirror import Mirror
from pisces.modules.sidecar.process import JsonProcess
from pisces.modules.sidecar.runtime import Runtime
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.value import Value

Key = tuple[Any, ...]
Bind = Callable[[int, Key], Ask]

MOST_REPORTS = 100  # of one run: after that its modules only repeat themselves
FAREWELL = 1.0  # seconds to end by itself when it is closed


class Failure(Value):
    """Why a module did not load; `missing` are names of host packages that it wants and nobody has."""

    message: str
    line: int = 0
    missing: Mapping[str, Any] | None = None


class RuntimeBroken(RuntimeError):
    """The runtime itself does not work."""


class SidecarRun:
    """`loaded` and `failed` go by the numbers of the paths. `ended` gets the reason when it ends after loading."""

    def __init__(self, host: HostSide, bind: Bind, ended: Callable[[SidecarRun, str], None]) -> None:
        self._host = host
        self._bind = bind
        self._ended = ended
        self.process = JsonProcess(self._receive, self._gone, host.limits)
        self.link = Link(self.process, Mirror(host.wiring), host)
        self._progress = asyncio.Event()
        self._is_ready = self._is_loaded = False
        self._end = ""
        self._reports = 0
        self._new: dict[int, LoadedModule] = {}
        self.loaded: dict[int, LoadedModule] = {}
        self.failed: dict[int, Failure] = {}
        self.registered: set[Key] = set()
        self.exit = ""  # who called process.exit, in words
        self.started = time.monotonic()
        self.seconds = host.limits.load  # for one module
        self.lost = 0.0  # seconds, to a module that hangs

    async def load(self, runtime: Runtime, paths: Mapping[int, str], stubs: Mapping[str, Any]) -> None:
        """Returns when each path is in `loaded` or in `failed`, or when one of them ended or blocked the process.

        Modules load one after another, so the culprit is known: it is in `failed`, those after it are in neither.
        """
        self._new = {number: self._module(path) for number, path in paths.items()}
        try:
            self.process.start(runtime)
        except OSError as error:
            raise RuntimeBroken(f"`{runtime.argv[0]}` cannot be started: {error}") from error
        last = max(paths, default=-1)
        ordered = [paths.get(number) for number in range(last + 1)]
        hello = {"runtime": runtime.kind, "cwd": self._host.wiring.cwd, "paths": ordered, "stubs": stubs}
        self.process.send({"hello": hello})
        while not self._is_loaded and not self._end:
            await self._next_progress()
        if not self._is_ready:
            raise RuntimeBroken(f"the sidecar {self._end or 'did not start'}{_last_words(self.process.printed)}")
        if self._end:
            guilty = next((each for each in paths if each not in self.loaded and each not in self.failed), None)
            if guilty is None:
                raise RuntimeBroken(f"the sidecar {self._end}")
            self.failed[guilty] = Failure(self.exit or f"the sidecar {self._end} while it was loaded")
            return
        self.link.beat()

    async def close(self) -> None:
        self._is_loaded = False
        await self.process.close(FAREWELL)
        self.link.end("the sidecar was closed")

    def _module(self, path: str) -> LoadedModule:
        return LoadedModule(path, module_at(path).name, time.time_ns())

    async def _next_progress(self) -> None:
        limit = self.seconds if self._is_ready else self._host.limits.load
        try:
            async with asyncio.timeout(limit):
                await self._progress.wait()
                self._progress.clear()
        except TimeoutError:
            self.lost = limit
            self._end = f"took longer than {limit:g} s"
            self.process.kill(self._end)

    def _gone(self, reason: str) -> None:
        is_loaded, self._is_loaded = self._is_loaded, False
        self._end = self._end or reason
        self._progress.set()
        if is_loaded:
            self._ended(self, reason)

    def _receive(self, message: Mapping[str, Any]) -> None:
        if "register" in message:
            self._register(message)
        elif "trouble" in message:
            self._note_trouble(message)
        elif not self._is_loaded and self._note_progress(message):
            self._progress.set()
        else:
            self.link.receive(message)

    def _note_progress(self, message: Mapping[str, Any]) -> bool:
        if "ready" in message:
            self._is_ready = True
        elif "loaded" in message:
            self.loaded[message["loaded"]] = self._new[message["loaded"]]
        elif "failed" in message:
            failure = Failure(str(message["message"]), message.get("line") or 0, message.get("missing"))
            self.failed[message["failed"]] = failure
        elif "done" in message:
            self._is_loaded = True
        elif "broken" in message:
            self._end = f"does not work: {message['broken'].get('message')}"
        else:
            return False
        return True

    def _register(self, message: Mapping[str, Any]) -> None:
        number, kind, value = message["ext"], str(message["register"]), message["value"]
        if number in self.link.dropped:
            return
        module = self.loaded.get(number) or self._new[number]
        key = (number, kind, *(value.get(name) for name in ("event", "handler", "name", "key", "renderer")))
        try:
            thing = register(kind, value, module, self._bind(number, key))
        except Unknown as error:
            self.tell(ModuleFailed(module.path, "on", str(error)))
            return
        self.registered.add(key)
        if self._is_loaded:
            self._host.wiring.changed(module, thing)

    def _note_trouble(self, message: Mapping[str, Any]) -> None:
        path = self._host.path_of(message.get("ext", -1))
        text = str(message.get("message", ""))
        if message["trouble"] == "exit":
            self.exit = f"`{path}` {text}" if path else f"a module {text}"
            return
        self.tell(ModuleFailed(path, str(message.get("name") or "module"), text, str(message.get("trace") or "")))

    def tell(self, failed: ModuleFailed) -> None:
        self._reports += 1
        if self._reports < MOST_REPORTS:
            self._host.report(failed)
        elif self._reports == MOST_REPORTS:
            self._host.report(failed.replace(message=f"{failed.message} (more of this run is not shown)"))


def _last_words(printed: str) -> str:
    lines = [line for line in printed.strip().splitlines() if line.strip()]
    return f": {lines[-1].strip()}" if lines else ""
