"""Events and gates that do nothing: the best of many measurements, as a busy machine can only slow them down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from bench.result import Outcome, Result
from pisces.events.emit import emit
from pisces.events.time_limit import TimeLimit
from pisces.gates.judge import Gate, judge_now
from pisces.gates.tool_calls import ToolGates, allows_tools
from pisces.modules.headless import Headless, open_headless
from pisces.modules.loaded_module import LoadedModule
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.listener import Listener
from pisces.shapes.request import LineRequest
from pisces.shapes.verdict import ALLOW, Verdict

HANDLERS = 50
RULES = 20
MOST = 0.1  # ms
MOST_CALL = 0.3  # ms
EACH = 5  # walks for one measurement
MANY = 101  # measurements: one of them is not disturbed


def compare(_folder: Path, rounds: int) -> Iterator[Outcome]:
    for what, handler in (("sync", _nothing), ("async", _nothing_later)):
        ours, bare = asyncio.run(_measured(handler, rounds))
        times = f"{ours / bare:.0f}x a bare loop"
        names = f"an event past {HANDLERS} {what} handlers", f"a limit of 100 microseconds ({times})"
        yield Result(*names, MOST, ours, "wall", ours / MOST, at_most=1)

    call, line = asyncio.run(_judged(rounds)), _decided(rounds)
    names = f"a tool call past {HANDLERS} handlers and {RULES} rules", "a limit of 300 microseconds"
    yield Result(*names, MOST_CALL, call, "wall", call / MOST_CALL, at_most=1)
    names = f"a command line past {RULES} rules, without a loop", "a limit of 100 microseconds"
    yield Result(*names, MOST, line, "wall", line / MOST, at_most=1)


async def _judged(rounds: int) -> float:
    """A `ToolCall` is made for each walk, so freezing its input counts."""
    module = LoadedModule("module.py", "module", 0)
    module.handlers.extend([Listener(ToolCall, _nothing, "module.py")] * HANDLERS)
    async with open_headless((), Headless("/"), _silent) as modules:
        modules.runner.add([module])
        gates = ToolGates(modules.runner, [*_rules(), allows_tools("bench", "")])

        async def walk() -> object:
            return await gates(ToolCall("bash", "1", {"command": "ls", "env": {"PATH": ["/bin"]}}))

        return min([await _milliseconds(walk) for _ in range(max(rounds, MANY))])


def _decided(rounds: int) -> float:
    gates, request = [*_rules(), Gate("last", lambda _request: Verdict(ALLOW), None)], LineRequest("ls", "/do", "do.md")

    def decide() -> float:
        started = time.perf_counter()
        for _ in range(EACH):
            judge_now(request, gates)
        return (time.perf_counter() - started) * 1000 / EACH

    return min(decide() for _ in range(max(rounds, MANY)))


def _rules() -> list[Gate]:
    return [Gate("rule", lambda _request: None, None)] * RULES


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
