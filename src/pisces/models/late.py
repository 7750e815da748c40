"""A model that is made with its first request: what it needs is slow to import, or its key is to be asked for."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from pisces.models.model import AnswerStream, Model, ModelFacts
    from pisces.models.wire import ModelAsk


class LateModel:
    """`make` may raise `ModelFailed`, and is asked again by the next request then."""

    def __init__(self, facts: ModelFacts, make: Callable[[], Awaitable[Model]]) -> None:
        self.facts, self._make = facts, make
        self._made: Model | None = None
        self._making = asyncio.Lock()

    @asynccontextmanager
    async def answering(self, ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        async with self._making:
            if self._made is None:
                self._made = await self._make()
        async with self._made.answering(ask) as stream:
            yield stream

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()
