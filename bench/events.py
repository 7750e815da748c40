"""An event past 50 handlers that do nothing, sync and async: the best of many, as others can only slow it down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from bench.result import Outcome, Result
from pisces.events.emit import emit
from pisces.events.time_limit import TimeLimit
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.listener import Listener

HANDLERS = 50
MOST = 0.1  # ms
EACH = 5  # walks for one measurement
MANY = 101  # measurements: one of them is not disturbed


def compare(_folder: Path, rounds: int) -> Iterator[Outcome]:
    for what, handler in (("sync", _nothing), ("async", _nothing_later)):
        ours, bare = asyncio.run(_measured(handler, rounds))
        times = f"{ours / bare:.0f}x a bare loop"
        names = f"an event past {HANDLERS} {what} handlers", f"a limit of 100 microseconds ({times})"
        yield Result(*names, MOST, ours, "wall", ours / MOST, at_most=1)


async def _measured(handler: Callable[[ToolCall], object], rounds: int) -> tuple[float, float]:
    event = ToolCall("bash", "1", {"command": "ls"})
    listeners = [Listener(ToolCall, handler, "module.py")] * HANDLERS
    limit = TimeLimit()

    async def walk() -> object:
        return await emit(event, listeners, limit, _silent)

    async def bare() -> object:
        for _ in range(HANDLERS):
            answer = handler(event)
            if isinstance(answer, Awaitable):
                await answer
        return event

    try:
        await walk()
        pairs = [(await _milliseconds(walk), await _milliseconds(bare)) for _ in range(max(rounds, MANY))]
    finally:
        limit.close()
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


async def _milliseconds(act: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    for _ in range(EACH):
        await act()
    return (time.perf_counter() - started) * 1000 / EACH


def _nothing(_event: ToolCall) -> None:
    return


async def _nothing_later(_event: ToolCall) -> None:
    return


def _silent(_failed: object) -> None:
    return
