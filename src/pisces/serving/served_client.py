"""One client with a host of its own, and what it hears unasked: that a list has changed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import PiscesError
from pisces.serving.connection import ServedConnection
from pisces.serving.methods import Methods
from pisces.serving.prompts import served_prompts
from pisces.serving.served_host import ServedHost
from pisces.serving.tools import served_tools

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.host.host import Host
    from pisces.places import Places
    from pisces.serving.choices import ServeChoices
    from pisces.serving.connection import RequestOfClient, Send

_LOOK_UP = 1.0  # seconds between two looks at what modules and servers have brought
_CHANGES = {"tools": "notifications/tools/list_changed", "prompts": "notifications/prompts/list_changed"}


class ServedClient:
    """Made in a running event loop. `connection` takes what the client sends."""

    def __init__(self, send: Send, places: Places, choices: ServeChoices, greeted: Any = None) -> None:
        self._choices = choices
        self._served = ServedHost(places, choices)
        self._methods = Methods(self._served, choices)
        self.connection = ServedConnection(send, choices, self._answer, greeted)
        self._served.asking.client = self.connection
        self._listed: dict[str, object] = {}
        self._watching: asyncio.Task[None] | None = None

    async def _answer(self, request: RequestOfClient) -> Mapping[str, Any]:
        result = await self._methods(request)
        kind, slash, act = request.method.partition("/")
        if act == "list" and slash and kind in _CHANGES:
            self._listed[kind] = self._offered(await self._served.host())[kind]
            if self._watching is None:
                self._watching = asyncio.get_running_loop().create_task(self._watch())
        elif self._listed:
            self._tell_changes(await self._served.host())
        return result

    async def _watch(self) -> None:
        """Modules and servers may bring tools at any time, and nobody says so."""
        while True:
            await asyncio.sleep(_LOOK_UP)
            with suppress(PiscesError):
                self._tell_changes(await self._served.host())

    def _tell_changes(self, host: Host) -> None:
        offered = self._offered(host)
        for kind, before in list(self._listed.items()):
            if offered[kind] != before:
                self._listed[kind] = offered[kind]
                self.connection.notify(_CHANGES[kind])

    def _offered(self, host: Host) -> dict[str, object]:
        return {"tools": served_tools(host, self._choices), "prompts": served_prompts(host, self._choices)}

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self.connection.close()
        await self._served.close()
