"""TypeScript and JavaScript modules, in sidecars: one process for what the user chose, one for what the project brings.

Loaded by name, and only where there is such a module: nobody else pays for it.
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
        self._sidecars: dict[str, Sidecar] = {}

    async def load(self, entries: Sequence[ModuleEntry]) -> Loaded:
        """All domains at once: each takes its time to start."""
        levels = sorted({entry.level for entry in entries})
        domains = {level: [entry for entry in entries if entry.level == level] for level in levels}
        every = await asyncio.gather(*(self._started(level, domain) for level, domain in domains.items()))
        modules = tuple(module for loaded in every for module in loaded.modules)
        return Loaded(modules, tuple(error for loaded in every for error in loaded.errors))

    async def reload(self, entry: ModuleEntry) -> Loaded:
        """Its whole process starts anew, with every module in it: nothing of the old one can be left."""
        sidecar = self._sidecars.get(entry.level)
        if sidecar is None:
            return await self._started(entry.level, [entry])
        try:
            await sidecar.restart()
        except PiscesError as error:
            return Loaded((), (error.diagnostic.replace(about=entry.path),))
        return Loaded(tuple(sidecar.loaded), tuple(sidecar.errors))

    def companions(self, entry: ModuleEntry) -> frozenset[str]:
        """The paths that are loaded again together with this one."""
        sidecar = self._sidecars.get(entry.level)
        return frozenset(module.path for module in sidecar.loaded) if sidecar else frozenset()

    async def close(self) -> None:
        await asyncio.gather(*(sidecar.close() for sidecar in self._sidecars.values()))

    async def _started(self, level: str, entries: Sequence[ModuleEntry]) -> Loaded:
        paths = [entry.path for entry in entries]
        self._wiring.pins.update({entry.path: entry.pins for entry in entries if entry.pins is not None})
        try:
            sidecar = await Sidecar.open(runtime_in(self._env), paths, self._wiring, self._report)
        except PiscesError as error:
            return Loaded((), tuple(error.diagnostic.replace(path=path, about=path) for path in paths))
        self._sidecars[level] = sidecar
        return Loaded(tuple(sidecar.loaded), tuple(sidecar.errors))
