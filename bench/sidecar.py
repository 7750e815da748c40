"""The sidecar: how soon it is ready, how long an event takes there and back, and one with a megabyte in it.

The goals are times on the clock; each is also shown against the least that could be: a bare start of bun, and the same
megabyte written and read as JSON here.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median

from bench import peers
from bench.result import Outcome, Result, Skipped
from pisces.events.emit import emit
from pisces.events.time_limit import TimeLimit
from pisces.modules.api import Wiring
from pisces.modules.bus import Bus
from pisces.modules.sidecar import Runtime, Sidecar, runtime_in
from pisces.modules.tasks import Tasks
from pisces.shapes.event import Event
from pisces.shapes.events.provider import Context
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.events.tools import ToolCall
from pisces.testing.host import ScriptedHost

MODULE = """export default (pi) => {
  pi.on("tool_call", (event, ctx) => { if (event.input.command === ctx.cwd) return { block: true } })
  pi.on("context", (event) => ({ messages: event.messages.slice(1) }))
}"""
EVENTS = 1000
READY, ROUND_TRIP, MEGABYTE = 150.0, 1.0, 50.0  # milliseconds


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    bun = peers.bun()
    if bun is None:
        yield Skipped("sidecar", "needs bun, on the PATH or in PISCES_PEERS")
        return
    modules = [folder / f"module{number}.ts" for number in range(50)]
    for module in modules:
        module.write_text(MODULE, "utf-8")
    runtime = runtime_in({**os.environ, "PISCES_JS_RUNTIME": bun})
    yield from asyncio.run(_compared(runtime, [str(module) for module in modules], rounds))


async def _compared(runtime: Runtime, modules: list[str], rounds: int) -> list[Outcome]:
    bare = [_bare_start(runtime) for _ in range(rounds)]
    ready = [await _milliseconds(lambda: _opened(runtime, modules[:1])) for _ in range(rounds)]
    fifty = [await _milliseconds(lambda: _opened(runtime, modules)) for _ in range(rounds)]
    event, context = await _events(runtime, modules[0], rounds)
    written = [await _milliseconds(_json_there_and_back) for _ in range(rounds)]
    return [
        _within(READY, "sidecar ready, one module", ready),
        _within(READY * 3, "sidecar ready, 50 modules", fifty),
        _within(ROUND_TRIP * EVENTS, f"{EVENTS} events, there and back", [each * EVENTS for each in event]),
        _within(MEGABYTE, "context of 1 MB, there and back", context),
        _ratio("sidecar ready, one module", "bun -e 0", ready, bare, 20),
        _ratio("context of 1 MB, there and back", "json there and back", context, written, 5),
    ]


def _within(goal: float, what: str, taken: list[float]) -> Result:
    return Result(what, "the goal", goal, median(taken), "wall", median(taken) / goal, at_most=1)


def _ratio(what: str, against: str, ours: list[float], theirs: list[float], limit: float) -> Result:
    return Result(what, against, median(theirs), median(ours), "wall", median(ours) / median(theirs), at_most=limit)


def _bare_start(runtime: Runtime) -> float:
    started = time.perf_counter()
    subprocess.run([runtime.argv[0], "-e", "0"], stdin=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - started) * 1000


async def _milliseconds(work: Callable[[], Awaitable[Sidecar | None]]) -> float:
    started = time.perf_counter()
    made = await work()
    taken = (time.perf_counter() - started) * 1000
    if made is not None:
        await made.close()
    return taken


async def _opened(runtime: Runtime, modules: list[str], host: ScriptedHost | None = None) -> Sidecar:
    wiring = Wiring(os.path.dirname(modules[0]), Bus(_fail, Tasks(_fail)))
    wiring.actions = host
    sidecar = await Sidecar.open(runtime, modules, wiring, _fail)
    assert len(sidecar.loaded) == len(modules), sidecar.errors
    return sidecar


async def _events(runtime: Runtime, module: str, rounds: int) -> tuple[list[float], list[float]]:
    """Through `emit` with a turn, as in a session whose transcript has 500 entries."""
    entries = [{"type": "custom", "id": str(number), "data": "x" * 100} for number in range(500)]
    limit, host = TimeLimit(), ScriptedHost(os.path.dirname(module), entries=entries)
    async with await _opened(runtime, [module], host) as sidecar:
        handlers = sidecar.loaded[0].handlers

        async def sent(event: Event) -> float:
            started = time.perf_counter()
            listening = [each for each in handlers if each.event is type(event)]
            await emit(event, listening, limit, _fail)
            return (time.perf_counter() - started) * 1000

        call = ToolCall("bash", "1", {"command": "ls"})
        small = [await sent(call) for _ in range(EVENTS)]
        large = [await sent(_context()) for _ in range(rounds)]
    limit.close()
    return small, large


def _context() -> Context:
    """A megabyte, as conversations are: many messages of a few kilobytes."""
    text = "The quick brown fox jumps over the lazy dog; 'ein Zug fährt' – \"said\" nobody.\n" * 25
    return Context([{"role": "user", "content": [{"type": "text", "text": text}], "timestamp": n} for n in range(500)])


async def _json_there_and_back() -> None:
    messages = _context().messages
    for _ in range(2):
        messages = json.loads(json.dumps(messages, ensure_ascii=False))


def _fail(failed: ModuleFailed) -> None:
    raise AssertionError(failed)
