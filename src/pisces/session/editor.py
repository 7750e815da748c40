"""The editor beside the session: found and connected in the background, its context goes with the user's messages."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.ide.companion_folder import companion_traces
from pisces.shapes.events.surroundings import IdeContextChanged

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pisces.ide.client.client import IdeClient
    from pisces.ide.client.model_text import ModelText
    from pisces.places import Places
    from pisces.shapes.event import Event

_DISCONNECTED = "disconnected"
_MOST_FAILURES = 6  # in a row, before nobody tries to reach an editor that left a trace
_MOMENT = 0.5  # seconds that the first message waits for a companion that was found


class EditorLink:
    """Where no companion has left a trace, nothing is loaded and nothing waits. One that comes later is found with the
    next message of the user: nothing looks for it meanwhile.
    """

    def __init__(self, places: Places, emit: Callable[[Event], Awaitable[Any]]) -> None:
        self._places, self._emit = places, emit
        self._stack = AsyncExitStack()
        self._watching: asyncio.Task[None] | None = None
        self._text: ModelText | None = None
        self._is_first = self._is_wanted = False
        self._traces: frozenset[tuple[str, int]] = frozenset()
        self.client: IdeClient | None = None

    async def open(self) -> None:
        self._is_wanted = True
        await self._look()

    async def _look(self) -> None:
        """For an editor of which there was no trace before."""
        before, self._traces = self._traces, companion_traces(self._places.env)
        if not self._traces - before:
            return
        self._is_first = True
        client: IdeClient = export_of("pisces.ide.client", "client", "IdeClient")(self._places)
        self._text = export_of("pisces.ide.client", "model_text", "ModelText")()
        self.client = await self._stack.enter_async_context(client)
        self._watching = asyncio.ensure_future(self._watch(client))

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])
        await self._stack.aclose()
        self.client = None

    def restart(self) -> None:
        """The conversation is another one: the model has read nothing of the editor yet."""
        if self._text is not None:
            self._text.restart()

    async def text(self) -> str:
        """For the next message of the user; empty if there is nothing new."""
        if self._is_wanted and self.client is None:
            await self._look()
        if self.client is None or self._text is None:
            return ""
        if self._is_first:
            self._is_first = False
            await self.client.first_context(_MOMENT)
        return self._text.next(self.client.context if self.client is not None else None)

    async def _watch(self, client: IdeClient) -> None:
        """Until it turns out that no editor is there: then nobody looks again and again."""
        seen, last, failures = 0, None, 0
        as_json = export_of("pisces.shapes", "ide_context", "as_json")
        while client.status.state != _DISCONNECTED or (client.status.choice.endpoints and failures < _MOST_FAILURES):
            seen = await client.change(seen)
            failures = failures + 1 if client.status.state == _DISCONNECTED else 0
            if client.context is not None and client.context != last:
                last = client.context
                await self._emit(IdeContextChanged(as_json(last)))
        self.client = None
        await self._stack.aclose()
