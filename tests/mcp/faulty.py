"""Plans for the little server of tests, and a count of what a connection leaves behind."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pisces.discovery.found import USER, Found, Source
from pisces.mcp.client import McpClient
from pisces.mcp.connection import ServerAsks
from pisces.mcp.plan import ServerPlan
from pisces.shapes.mcp_server import McpServer
from pisces.shapes.verdict import Verdict

SERVERS = Path(__file__).parent / "servers"
FAULTY = SERVERS / "client_faulty.py"
ENV = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}


def found(name: str) -> Found[McpServer]:
    return Found(McpServer(name, {}, "", ()), Source("test", "Test", "", USER))


def plan(*fault: str, name: str = "faulty", **more: Any) -> ServerPlan:
    argv = (sys.executable, "-S", str(FAULTY), *fault)
    return ServerPlan(name, found(name), **{"argv": argv, "env": ENV, "call_seconds": 20.0, **more})


async def allowed(_plan: ServerPlan) -> Verdict:
    return Verdict.allow()


def client(*fault: str, asks: ServerAsks | None = None, **more: Any) -> McpClient:
    return McpClient(plan(*fault, **more), asks or ServerAsks(), allowed)


@asynccontextmanager
async def open_client(*fault: str, asks: ServerAsks | None = None, **more: Any) -> AsyncIterator[McpClient]:
    made = client(*fault, asks=asks, **more)
    try:
        yield made
    finally:
        await made.close()


def said(result: Any) -> str:
    return str(result["content"][0]["text"])


def is_alive(pid: int) -> bool:
    """A zombie is dead: in a container without an init nobody collects it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(is_true: Callable[[], bool], seconds: float = 10.0) -> None:
    """Waits for another process, which nothing announces."""
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "not so after all this time"
        time.sleep(0.01)


def children() -> set[int]:
    """Processes that we started, and theirs, that are not over."""
    found: set[int] = set()
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and is_alive(int(folder.name)):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text("utf-8").rpartition(")")[2].split()[1])
            except OSError:
                continue
    for pid in parents:
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid() and pid != above:
            found.add(pid)
    return found


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def nothing_left() -> Iterator[None]:
    """For a fixture: processes and descriptors are as many as before. Tasks are counted by `ran`."""
    gc.freeze()  # what was there before, 20,000 collected tests among it, need not be looked at again
    processes, files = children(), len(descriptors())
    yield
    gc.collect()
    until(lambda: not children() - processes)
    assert len(descriptors()) <= files


def ran(work: Any, seconds: float = 60.0) -> Any:
    """Runs a coroutine in a loop of its own. No task is left at its end but the one that runs it."""

    async def whole() -> Any:
        async with asyncio.timeout(seconds):
            result = await work
        left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not left, left
        return result

    return asyncio.run(whole())
