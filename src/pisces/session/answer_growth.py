"""An answer while it grows: readers hear of each piece, modules of longer and longer ones, and the disk gets the text.

A module gets the whole message with each piece, so one event for each word would cost the square of its length.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.models.wire import CallDelta, TextDelta
from pisces.session.event_messages import said_to_modules
from pisces.shapes.events.agent import MessageEnd, MessageStart, MessageUpdate
from pisces.shapes.message import BY_MODEL, ChatMessage, TextPart

if TYPE_CHECKING:
    from pisces.models.wire import Delta
    from pisces.session.session import Session

_SHORT = 4_000  # characters of a message whose every piece is an event for modules
_SHARE = 50  # of what is longer: a piece is an event when it is the fiftieth part of it
_SECONDS = 1.0  # of text that a process loses if it is killed


class AnswerGrowth:
    """`emit` gets every event of the loop. `end` is last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._said: list[str] = []
        self._size = 0  # of all pieces, also of thinking and calls
        self._waiting: list[Delta] = []  # that modules have not heard of
        self._waiting_size = 0
        self._written = 0  # how many of the texts are on disk
        self._timer: asyncio.TimerHandle | None = None

    async def emit(self, event: Any) -> Any:
        if isinstance(event, MessageUpdate):
            self._session.show(event)
            await self._grow(event.delta)
            return event
        if isinstance(event, MessageEnd):
            await self._say()
        elif isinstance(event, MessageStart):
            self._begin()
        return await self._session.emit(event)

    def end(self) -> None:
        """The answer is stored, or there is none."""
        if self._timer is not None:
            self._timer.cancel()
        if self._written:
            self._session.transcript.drop_partial()
        self._timer, self._written = None, 0

    def _begin(self) -> None:
        """Also where a request is made again."""
        self.end()
        self._said.clear()
        self._waiting.clear()
        self._size = self._waiting_size = 0

    async def _grow(self, delta: Delta) -> None:
        if isinstance(delta, TextDelta):
            self._said.append(delta.text)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(_SECONDS, self._write)
        self._size += len(delta.text)
        if not self._session.host.hears(MessageUpdate(None)):
            return
        if self._waiting and _source(self._waiting[-1]) != _source(delta):
            await self._say()
        self._waiting.append(delta)
        self._waiting_size += len(delta.text)
        if self._waiting_size * _SHARE >= self._size - _SHORT:
            await self._say()

    async def _say(self) -> None:
        """To modules, whatever came since the last time."""
        if not self._waiting:
            return
        delta = self._waiting[-1].replace(text="".join(each.text for each in self._waiting))
        self._waiting.clear()
        self._waiting_size = 0
        message = ChatMessage(BY_MODEL, (TextPart("".join(self._said)),))
        await self._session.host.emit(said_to_modules(MessageUpdate(message, delta)))

    def _write(self) -> None:
        self._timer = None
        new = "".join(self._said[self._written :])
        self._session.transcript.add_partial(new, is_first=not self._written)
        self._written = len(self._said)


def _source(delta: Delta) -> tuple[object, ...]:
    """Pieces of the same one can be joined."""
    return (type(delta), delta.id, delta.name) if isinstance(delta, CallDelta) else (type(delta),)
