"""One start of a server: the task that owns it, in one event loop, and what its callers wait for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.mcp.connection import ServerGone

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from pisces.mcp.connection import Connection

CLOSE_SECONDS = 5.0  # for a server to end by itself, before its owner is cancelled
_CANCEL_SECONDS = 2.0


class ServerRun:
    """`ready` has the connection or the reason why there is none. The owner waits for `stop`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.made: Connection | None = None
        self.ready: asyncio.Future[Connection] = loop.create_future()
        self.stop: asyncio.Future[None] = loop.create_future()
        self.ready.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be waiting
        self._owner: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        return self._owner is None or self._owner.done() or self.loop.is_closed()

    def own(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._owner = self.loop.create_task(work, name=name)
        # A task that is cancelled before its first step runs nothing, not even a `finally`.
        self._owner.add_done_callback(lambda _: self.fail(ServerGone("it was ended before it was ready")))

    def succeed(self, made: Connection) -> None:
        self.made = made
        if not self.ready.done():
            self.ready.set_result(made)

    def fail(self, why: ServerGone) -> None:
        self.made = None
        if not self.ready.done():
            self.ready.set_exception(why)

    def end(self) -> None:
        if not self.stop.done():
            self.stop.set_result(None)

    async def closed(self) -> None:
        """Ended at the latest when both limits are over. One that is still starting is cancelled at once."""
        owner = self._owner
        if owner is None or owner.done():
            return
        self.end()
        if self.ready.done():
            await asyncio.wait([owner], timeout=CLOSE_SECONDS)
        if not owner.done():
            owner.cancel()
            await asyncio.wait([owner], timeout=_CANCEL_SECONDS)
