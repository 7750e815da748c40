"""One client with a host of its own, and what it hears unasked: that a list has changed."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, PiscesError
from pisces.formats.masking import masked
from pisces.formats.visible import visible
from pisces.serving.choices import SERVERS
from pisces.serving.connection import ServedConnection
from pisces.serving.greeting import NAME
from pisces.serving.methods import LEVELS, Methods
from pisces.serving.served_host import ServedHost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.host.host import Host
    from pisces.places import Places
    from pisces.serving.choices import ServeChoices
    from pisces.serving.connection import RequestOfClient, Send

_LOGGED = {ERROR: "error", WARNING: "warning", NOTE: "notice"}
_MOST_LOGGED, _LONGEST = 200, 2000  # messages, and characters of one
_LOOK_UP = 1.0  # seconds between two looks at what modules and servers have brought
_CHANGES = {"tools": "notifications/tools/list_changed", "prompts": "notifications/prompts/list_changed"}


class ServedClient:
    """Made in a running event loop. `connection` takes what the client sends."""

    def __init__(self, send: Send, places: Places, choices: ServeChoices, greeted: Any = None) -> None:
        self._places, self._choices = places, choices
        self.connection = ServedConnection(send, choices, self._answer, greeted)
        self._served: ServedHost | None = None
        self._methods: Methods | None = None
        self._listed: dict[str, object] = {}
        self._logged: list[Diagnostic] = []
        self._watching: asyncio.Task[None] | None = None

    def _made(self) -> tuple[ServedHost, Methods]:
        """Once the client has said who it is: a pisces that asks another one gets none of its servers, or each would
        start the next.
        """
        if self._served is None or self._methods is None:
            choices = self._choices
            if self.connection.name == NAME:
                choices = choices.replace(kinds=tuple(each for each in choices.kinds if each != SERVERS))
            self._served = ServedHost(self._places, choices)
            self._served.asking.client = self.connection
            self._methods = Methods(self._served, choices)
        return self._served, self._methods

    async def _answer(self, request: RequestOfClient) -> Mapping[str, Any]:
        served, methods = self._made()
        kind, _, act = request.method.partition("/")
        result = await methods(request)
        if act == "list" and kind in _CHANGES:
            self._listed[kind] = _lists_of(await served.host())[kind]
            if self._watching is None:
                self._watching = asyncio.get_running_loop().create_task(self._watch(served))
        elif self._listed:
            self._tell_changes(await served.host())
        if methods.log_level:
            self._log(await served.host(), methods.log_level)
        return result

    def _log(self, host: Host, level: str) -> None:
        """What is wrong with what was found, to a client that wants to know. Each is said once."""
        for each in host.diagnostics:
            named = _LOGGED.get(each.severity, LEVELS[0])
            if LEVELS.index(named) < LEVELS.index(level) or each in self._logged or len(self._logged) >= _MOST_LOGGED:
                continue
            self._logged.append(each)
            place = f"{os.path.basename(each.path)}: " if each.path else ""
            text = masked(visible(f"{place}[{each.code}] {each.message}"))[:_LONGEST]
            self.connection.notify("notifications/message", {"level": named, "logger": NAME, "data": text})

    async def _watch(self, served: ServedHost) -> None:
        """Modules and servers may bring tools at any time, and nobody says so."""
        while True:
            await asyncio.sleep(_LOOK_UP)
            with suppress(PiscesError):
                self._tell_changes(await served.host())

    def _tell_changes(self, host: Host) -> None:
        lists = _lists_of(host)
        for kind, before in list(self._listed.items()):
            if lists[kind] != before:
                self._listed[kind] = lists[kind]
                self.connection.notify(_CHANGES[kind])

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self.connection.close()
        if self._served is not None:
            await self._served.close()


def _lists_of(host: Host) -> dict[str, object]:
    """What the lists are made of: cheap to compare, because nearly always nothing has changed."""
    commands = (*host.module_commands.values(), *host.commands.entries)
    return {"tools": tuple(host.tools.values()), "prompts": commands}
