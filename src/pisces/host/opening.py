"""Opens a host: trust is read, modules that may run are loaded, and everything is closed again in the right order."""

from __future__ import annotations

from contextlib import asynccontextmanager

from pisces.by_name import export_of
from pisces.host.start import HostStart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pisces.host.host import Host
    from pisces.host.options import Approve, HostOptions
    from pisces.host.wiring import Wired
    from pisces.places import Places


class Opening:
    """What a `Host` stands on: `wired`, which is loaded with the first use of it where no module runs before."""

    def __init__(self, start: HostStart) -> None:
        self._start = start
        self._wired: Wired | None = None
        self.is_closed = False

    @property
    def wired(self) -> Wired:
        if self._wired is None:
            self._wired = self._unconnected()
            self._wired.connect()
        return self._wired

    def _unconnected(self) -> Wired:
        made: Wired = export_of("pisces.host", "wiring", "Wired")(self._start)
        if self.is_closed:
            made.under_way.refuse()
        return made

    async def load(self) -> None:
        """Modules act as soon as they are loaded. Raises `PiscesError` for a named package that is none."""
        start, options = self._start, self._start.options
        running = start.chosen.entries.running if start.chosen else ()
        if running or options.packages or options.module_options:
            self._wired = self._unconnected()
            await self._wired.load()
            loaded = {each.path for each in self._wired.modules.runner.modules}
            running = tuple(each for each in running if each.path in loaded)
        start.log_ends.begin(running, start.chosen.off_by if start.chosen else "")

    async def close(self) -> None:
        """Ends what is under way, then says goodbye to the hooks."""
        self.is_closed = True
        if self._wired is not None:
            await self._wired.close()
        self._start.log_ends.end()

    async def unload(self) -> None:
        """Modules hear of the end after everybody else."""
        if self._wired is not None:
            await self._wired.modules.close()


@asynccontextmanager
async def open_host(made: type[Host], places: Places, approve: Approve, options: HostOptions) -> AsyncIterator[Host]:
    opening = Opening(HostStart(places, approve, options))
    try:
        await opening.load()
        try:
            yield made(opening)
        finally:
            await opening.close()
    finally:
        await opening.unload()
