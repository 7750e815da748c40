"""Changes of lists and resources with the newer protocol (2026-07-28), where a server announces what it was asked for.

What is announced arrives as any other notification; here it is only asked for, as long as the connection lasts.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mcp.client.subscriptions import listen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp import ClientSession


class Listening:
    def __init__(self, session: ClientSession) -> None:
        self._session = session
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def lists(self, capabilities: Mapping[str, Any]) -> None:
        """Asks for changes of all lists that the server says may change."""
        kinds = ("tools", "prompts", "resources")
        wanted = {f"{kind}_list_changed": True for kind in kinds if (capabilities.get(kind) or {}).get("listChanged")}
        if wanted:
            self._start("", wanted)

    def resource(self, uri: str) -> None:
        if uri not in self._tasks:
            self._start(uri, {"resource_subscriptions": [uri]})

    async def forget(self, uri: str) -> None:
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        for uri in list(self._tasks):
            await self.forget(uri)

    def _start(self, uri: str, wanted: dict[str, Any]) -> None:
        name = f"pisces: changes of {uri or 'lists'}"
        self._tasks[uri] = asyncio.get_running_loop().create_task(self._listened(wanted), name=name)

    async def _listened(self, wanted: dict[str, Any]) -> None:
        with suppress(Exception):  # the border with the SDK: a server that does not announce is asked instead
            async with listen(self._session, **wanted) as changes:
                async for _ in changes:
                    pass
