"""Modules in TypeScript and JavaScript, really run: a sidecar, a runner and a scripted host around them."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pisces.gates.tool_calls import ToolGates, allows_tools
from pisces.modules.api import Wiring
from pisces.modules.bus import Bus
from pisces.modules.runner import Runner
from pisces.modules.sidecar import Runtime, Sidecar, SidecarLimits, runtime_in
from pisces.modules.tasks import Tasks
from pisces.modules.tool_call import call_tool
from pisces.shapes.event import Event
from pisces.shapes.events.session import SessionStart
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.testing.host import ScriptedHost

E = TypeVar("E", bound=Event)
T = TypeVar("T")

PEERS = Path(os.environ.get("PISCES_PEERS") or Path(__file__).parents[2] / ".peers").resolve()
MODULES = PEERS / "node_modules"


def bun() -> Runtime:
    """The one of npm if it is there, else that of the PATH; without bun the test is skipped."""
    found = shutil.which("bun", path=str(MODULES / ".bin"))
    if found is None or Path(found).stat().st_size < 1_000_000:  # npm's own `bun` is a stand-in until it is installed
        found = next(map(str, sorted(MODULES.glob("@oven/bun-*/bin/bun*"))), None) or shutil.which("bun")
    if found is None:
        pytest.skip("bun is not installed: scripts/setup-peers does that")
    return runtime_in({**os.environ, "PISCES_JS_RUNTIME": found})


def written(folder: Path, files: Mapping[str, str]) -> list[str]:
    """The paths of the files, which are written."""
    paths = [folder / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return [str(path) for path in paths]


def wiring_for(cwd: str, failures: list[ModuleFailed] | None = None) -> Wiring:
    report = (failures if failures is not None else []).append
    return Wiring(cwd, Bus(report, Tasks(report)))


class JsSession:
    """What modules did is in `host`, what went wrong in `failures`."""

    def __init__(self, sidecar: Sidecar, runner: Runner, host: ScriptedHost, failures: list[ModuleFailed]) -> None:
        self.sidecar = sidecar
        self.runner = runner
        self.host = host
        self.failures = failures

    @property
    def messages(self) -> list[str]:
        return [failure.message for failure in self.failures]

    async def emit(self, event: E) -> E:
        return await self.runner.emit(event)

    async def tool(self, name: str, /, **arguments: Any) -> ToolResult:
        judge = ToolGates(self.runner, [allows_tools("test", "")])
        return await call_tool(self.runner, ToolCall(name, "call-1", arguments), judge)

    async def command(self, line: str) -> Any:
        name, _, args = line.partition(" ")
        return await self.runner.call_command(self.runner.commands[name], args)

    async def until(self, condition: Callable[[], object], seconds: float = 10) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.005)


@asynccontextmanager
async def js_session(
    paths: Iterable[str],
    *,
    limits: SidecarLimits | None = None,
    runtime: Runtime | None = None,
    seconds: float | None = None,
    **script: Any,
) -> AsyncIterator[JsSession]:
    """`script`: `answers` and `entries` of the scripted host."""
    failures: list[ModuleFailed] = []
    tasks = Tasks(failures.append)
    every = list(paths)
    cwd = os.path.dirname(every[0])
    wiring = Wiring(cwd, Bus(failures.append, tasks))
    host = ScriptedHost(cwd, **script)
    runner = Runner(wiring, tasks, failures.append, seconds)
    async with await Sidecar.open(runtime or bun(), every, wiring, failures.append, limits) as sidecar:
        runner.open()
        try:
            runner.add(sidecar.loaded)
            runner.bind(host)
            host.tools = lambda: tuple(runner.tools.values())
            await runner.emit(SessionStart())
            yield JsSession(sidecar, runner, host, failures)
        finally:
            await runner.close()


def played(paths: Iterable[str], play: Callable[[JsSession], Awaitable[T]], **options: Any) -> T:
    """What `play` gives back, of a session with these modules."""

    async def run() -> T:
        async with asyncio.timeout(60), js_session(paths, **options) as session:
            return await play(session)

    return asyncio.run(run())
