"""Something that a module draws on the screen: it lives in the sidecar, which is asked for its lines and given keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any


class RemoteComponent:
    """`changed` is set whenever it should be drawn again, and when it is done; whoever draws clears it.

    `overlay` says how it is drawn over the rest, in pi's words; empty where it takes the editor's place.
    """

    def __init__(
        self, number: int, call: Callable[[str, Mapping[str, Any]], Awaitable[Any]], overlay: Mapping[str, Any]
    ) -> None:
        self._number = number
        self._call = call
        self.overlay = overlay
        self.result: Any = None
        self.is_done = False
        self.changed = asyncio.Event()

    async def render(self, width: int) -> Sequence[str]:
        if self.is_done:
            return ()
        return await self._call("component.render", {"component": self._number, "width": width}) or ()

    async def key(self, data: str) -> None:
        if not self.is_done:
            await self._call("component.key", {"component": self._number, "data": data})

    def finish(self, result: Any = None) -> None:
        self.is_done, self.result = True, result
        self.changed.set()
