"""A host for one client: opened when it is first needed, in the client's workspace, and asked in its name."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from pisces.host.host import Host
from pisces.serving.asking import ClientAsking
from pisces.serving.servers import unknown_servers
from pisces.shapes.events.tools import ToolExecutionUpdate

if TYPE_CHECKING:
    from pisces.host.options import ToolExecution
    from pisces.places import Places
    from pisces.serving.choices import ServeChoices
    from pisces.serving.connection import RequestOfClient

_SERVER_SECONDS = 8.0  # some clients wait ten for a first list
_LONGEST = 1000  # characters of a progress message


class ServedHost:
    """`await served.host()` from any task. What a client does reaches no other client: each has a host of its own."""

    def __init__(self, places: Places, choices: ServeChoices) -> None:
        self._places, self._choices = places, choices
        self.asking = ClientAsking(choices)
        self.calls: dict[str, RequestOfClient] = {}  # by the id of the call
        self._stack = AsyncExitStack()
        self._lock = asyncio.Lock()
        self._host: Host | None = None
        self._connecting: asyncio.Task[None] | None = None

    async def host(self) -> Host:
        """Raises `PiscesError` where none can be opened."""
        async with self._lock:
            if self._host is None:
                choices = self._choices
                opening = Host.open(
                    self._places,
                    self.asking,
                    mode=choices.mode,
                    trust_workspace=choices.trust_workspace,
                    is_interactive=self.asking.is_offered,
                    watch_tools=self._update,
                )
                self._host = await self._stack.enter_async_context(opening)
                self._connect(self._host)
            return self._host

    def _connect(self, host: Host) -> None:
        """Starts the servers of which nobody knows yet what they offer; all others start with the first call."""
        names = unknown_servers(host, self._choices)
        if names:
            self._connecting = asyncio.get_running_loop().create_task(_connected(host, names))

    async def wait_for_servers(self) -> None:
        """For a while: a client that lists tools should see all, and must not wait for a server that hangs."""
        if self._connecting is not None:
            await asyncio.wait([self._connecting], timeout=_SERVER_SECONDS)

    def _update(self, event: ToolExecution) -> None:
        request = self.calls.get(event.call_id)
        if request is not None and isinstance(event, ToolExecutionUpdate):
            request.progress(*progress_of(event.partial_result))

    async def close(self) -> None:
        async with self._lock:
            await self._stack.aclose()  # whoever waits for a server hears that the host is closed


async def _connected(host: Host, names: list[str]) -> None:
    await host.connect(*names)


def progress_of(partial: Any) -> tuple[float | None, float | None, str]:
    """How far a tool has come, of how much, in words: of whatever it reports."""
    if isinstance(partial, Mapping):
        done, total = _number(partial.get("progress")), _number(partial.get("total"))
        text = partial.get("message") or partial.get("text") or _text_in(partial.get("content"))
        return done, total, str(text)[:_LONGEST]
    done = _number(partial)
    return done, None, "" if done is not None else str(partial)[:_LONGEST]


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return value if is_number else None


def _text_in(content: Any) -> str:
    parts = content if isinstance(content, list | tuple) else ()
    return "".join(str(each.get("text", "")) for each in parts if isinstance(each, Mapping))
