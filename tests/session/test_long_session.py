"""A session of many lines: what it costs does not depend on how many there were."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pisces.models.scripted import FACTS
from pisces.models.wire import ModelAsk
from pisces.session.session import Session
from pisces.shapes.message import CallPart, ResultPart
from tests.session.world import SessionWorld

LINES, WINDOW = 120, 8_000


def answers() -> Iterator[Any]:
    """A call and an answer for each line, and a summary whenever one is asked for."""

    def answer(ask: ModelAsk) -> Any:
        if not ask.tools:
            return "A summary."
        if any(isinstance(part, ResultPart) for part in ask.messages[-1].parts):
            return "words of an answer " * 20
        return (CallPart("1", "read", {"path": "a.txt"}),)

    while True:
        yield answer


def test_memory_does_not_grow_with_the_session(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, answers(), facts=FACTS.replace(window=WINDOW))
    (world.work / "a.txt").write_text("line\n" * 50, encoding="utf-8")

    async def work(session: Session) -> list[int]:
        sizes = []
        for number in range(LINES):
            if number == LINES // 3:
                tracemalloc.start()
            await session.submit(f"line {number}")
            world.model.asked.clear()
            world.events.clear()
            if number >= LINES // 3 and number % 20 == 19:
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        return sizes

    sizes = world.during(work)
    assert min(sizes[-2:]) < min(sizes[:2]) + 200_000
