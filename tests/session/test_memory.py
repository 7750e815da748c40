"""A session that runs for a long time holds no more than one that has just begun."""

from __future__ import annotations

import asyncio
import gc
import itertools
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pisces.models.model import AnswerStream, ModelFacts
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelAsk
from pisces.session.session import Session, open_session
from pisces.shapes.message import CallPart, ResultPart
from tests.session.world import SessionWorld

WINDOW = 6_000
READ = CallPart("1", "read", {"path": "a"})
A_TURN = 4  # blocks that a request may leave behind; one that is held has more than ten


class Forgetful(ScriptedModel):
    """Reads a file with every other request, and remembers no request."""

    @asynccontextmanager
    async def answering(self, ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        async with super().answering(ask) as stream:
            self.asked.clear()
            yield stream


def endless(ask: ModelAsk) -> Any:
    if "You write the notes" in ask.system:
        return "the notes"
    return "fine" if any(isinstance(each, ResultPart) for each in ask.messages[-1].parts) else (READ,)


def used() -> int:
    """Blocks of memory that Python has given out."""
    gc.collect()
    return sys.getallocatedblocks()


async def sizes(session: Session, counts: tuple[int, ...]) -> list[int]:
    """What is in memory after so many prompts each, of two requests."""
    found = []
    for count in counts:
        for _ in range(count):
            await session.submit("go on")
        found.append(used())
    return found


def test_memory_is_flat_over_a_thousand_turns(tmp_path: Path) -> None:
    facts = ModelFacts("scripted-1", "scripted", "scripted", window=WINDOW)
    world = SessionWorld(tmp_path, (), facts=facts)
    (world.work / "a").write_text("some text\n" * 20, encoding="utf-8")
    world.options = world.options.replace(model=Forgetful(itertools.repeat(endless), facts=facts), readers=())

    async def run() -> list[int]:
        async with open_session(world.places, world.options) as session:
            return await sizes(session, (100, 400))

    early, late = asyncio.run(run())
    assert late - early < 400 * 2 * A_TURN
