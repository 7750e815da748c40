"""TypeScript and JavaScript modules, in sidecars: one process for what the user chose, one for what the project brings.

A module that is loaded again gets a process of its own, so that the others need not start anew and the old one lives on
where the new one does not load. Loaded by name, and only where there is such a module: nobody else pays for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from pisces.diagnostics import PiscesError
from pisces.events.emit import Report
from pisces.modules.api import Wiring
from pisces.modules.entry import ModuleEntry
from pisces.modules.load import Loaded
from pisces.modules.sidecar import Sidecar, runtime_in


class Scripts:
    def __init__(self, wiring: Wiring, report: Report, env: Mapping[str, str]) -> None:
        self._wiring = wiring
        self._report = report
        self._env = env
        self._sidecars: dict[str, Sidecar] = {}  # by level, or by the path of a module that was loaded again
        self._fresh: dict[str, Sidecar] = {}  # started, and not yet in charge

    async def load(self, entries: Sequence[ModuleEntry]) -> Loaded:
        """All domains at once: each takes its time to start."""
        levels = sorted({entry.level for entry in entries})
        domains = {level: [entry for entry in entries if entry.level == level] for level in levels}
        every = await asyncio.gather(*(self._started(level, domain) for level, domain in domains.items()))
        modules = tuple(module for loaded in every for module in loaded.modules)
        return Loaded(modules, tuple(error for loaded in every for error in loaded.errors))

    async def reload(self, entry: ModuleEntry) -> Loaded:
        """The module in a new process; until `replace` the old one goes on."""
        return await self._opened(entry.path, [entry])

    async def replace(self, entry: ModuleEntry) -> None:
        """The one that was loaded last is the module from now on. A process that has no other module ends."""
        new = self._fresh.pop(entry.path)
        for name, sidecar in list(self._sidecars.items()):
            if not sidecar.drop(entry.path):
                del self._sidecars[name]
                await sidecar.close()
        self._sidecars[entry.path] = new

    async def close(self) -> None:
        every = (*self._sidecars.values(), *self._fresh.values())
        await asyncio.gather(*(sidecar.close() for sidecar in every))

    async def _started(self, level: str, entries: Sequence[ModuleEntry]) -> Loaded:
        loaded = await self._opened(level, entries)
        if level in self._fresh:
            self._sidecars[level] = self._fresh.pop(level)
        return loaded

    async def _opened(self, name: str, entries: Sequence[ModuleEntry]) -> Loaded:
        """In `_fresh` under this name, unless it is a single module that does not load."""
        paths = [entry.path for entry in entries]
        self._wiring.pins.update({entry.path: entry.pins for entry in entries if entry.pins is not None})
        try:
            sidecar = await Sidecar.open(runtime_in(self._env), paths, self._wiring, self._report)
        except PiscesError as error:
            return Loaded((), tuple(error.diagnostic.replace(path=path, about=path) for path in paths))
        if name in paths and not sidecar.loaded:
            await sidecar.close()
        else:
            self._fresh[name] = sidecar
        return Loaded(tuple(sidecar.loaded), tuple(sidecar.errors))
