"""A host for one client: opened when it is first needed, in the client's workspace, and asked in its name."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from pisces.host.host import Host
from pisces.serving.asking import ClientAsking

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.serving.choices import ServeChoices
    from pisces.serving.connection import RequestOfClient
    from pisces.shapes.events.tools import ToolExecutionUpdate

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
                    watch_update=self._update,
                )
                self._host = await self._stack.enter_async_context(opening)
            return self._host

    def _update(self, event: ToolExecutionUpdate) -> None:
        request = self.calls.get(event.call_id)
        if request is not None:
            request.progress(*progress_of(event.partial_result))

    async def close(self) -> None:
        async with self._lock:
            await self._stack.aclose()


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
