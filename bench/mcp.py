"""What MCP servers cost through us: a call against the bare SDK's, many starts against the slowest, and what is loaded.

Calls of all kinds take turns in one process and on the same server program; the best of many measurements counts, as a
busy machine can only slow them down.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.measure import PYTHON, Failed
from bench.result import Outcome, Result, Skipped
from pisces import Host, Places
from pisces.discovery.found import USER, Found, Source
from pisces.mcp.client import McpClient
from pisces.mcp.connection import ServerAsks
from pisces.mcp.plan import ServerPlan
from pisces.shapes.mcp_server import McpServer
from pisces.shapes.verdict import Verdict

MOST_CALL = 1.3
MOST_READY = 1.5
SERVERS, SLOWEST = 20, 4.0  # so many, of which the last one needs so many seconds
EACH, MANY = 5, 101  # calls in a row, before it is the other's turn; and how often
FASTEST = (PYTHON, "-I", "-S", str(Path(__file__).parent / "mcp_server.py"))
BY_SDK = (PYTHON, "-I", str(Path(__file__).parent / "mcp_sdk_server.py"))
HEAVY = ("mcp", "mcp_types", "pydantic", "anyio", "httpx2")
# Everything that must not need a server: the command's exit code is of no interest here.
LIGHT = """
import asyncio, contextlib, io, sys
from pisces import Host
from pisces.__main__ import main

for line in (["extensions", "list"], ["mcp", "list"], ["why", "bench"], ["check", "."]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        with contextlib.suppress(SystemExit):
            main(line)

async def opened():
    async with Host.open(".", approve=lambda *_: False) as host:
        host.tools, host.commands, [each.state for each in host.servers.values()]

asyncio.run(opened())
print(*sorted({name.split(".")[0] for name in sys.modules} & set(sys.argv[1:])))
"""


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if importlib.util.find_spec("mcp") is None:
        yield Skipped("MCP servers", "the extra `mcp` is not installed")
        return
    against = "the bare SDK's call"
    bare, ours, hosted = asyncio.run(_calls(folder, BY_SDK, rounds))
    yield Result("a call of a server by the SDK", against, bare, ours, "wall", ours / bare, at_most=MOST_CALL)
    names = "a call of a server by the SDK, through a host and past its gates"
    yield Result(names, against, bare, hosted, "wall", hosted / bare, at_most=MOST_CALL)
    bare, ours, _ = asyncio.run(_calls(folder, FASTEST, rounds))
    names = "a call of a server that does nothing but answer"
    yield Result(names, against, bare, ours, "wall", ours / bare, at_most=MOST_CALL)
    slowest, ready = asyncio.run(_ready())
    names = f"{SERVERS} servers, until all are ready"
    yield Result(names, "the slowest, alone", slowest, ready, "wall", ready / slowest, at_most=MOST_READY)
    loaded = _loaded(folder)
    names = f"packages of the SDK after list, why, check and Host.open ({loaded or 'none'})"
    yield Result(names, "none", 0, 0, "memory", len(loaded.split()), at_most=0)


async def _calls(folder: Path, argv: tuple[str, ...], rounds: int) -> tuple[float, float, float]:
    client = McpClient(_plan(argv), ServerAsks(), _allowed)
    async with _bare(argv) as bare, Host.open(_places(folder / argv[-1][-12:-3], argv), lambda *_: True) as host:
        await client.start()
        await host.connect()

        async def by_sdk() -> None:
            await bare.call_tool("echo", {"text": "x"}, read_timeout_seconds=60)

        async def by_client() -> None:
            await client.call("echo", {"text": "x"})

        async def by_host() -> None:
            result = await host.call("bench__echo", {"text": "x"})
            if result.is_error:
                raise Failed(result.text)

        try:
            times = await _best((by_sdk, by_client, by_host), max(rounds, MANY))
        finally:
            await client.close()
    return times[0], times[1], times[2]


async def _best(works: tuple[Callable[[], Awaitable[None]], ...], rounds: int) -> list[float]:
    rows = [[await _milliseconds(work) for work in works] for _ in range(rounds)]
    return [min(column) for column in zip(*rows, strict=True)]


async def _milliseconds(work: Callable[[], Awaitable[None]]) -> float:
    started = time.perf_counter()
    for _ in range(EACH):
        await work()
    return (time.perf_counter() - started) * 1000 / EACH


async def _ready() -> tuple[float, float]:
    """The others need less and less time, so that the slowest one is what one has to wait for."""
    alone = await _started([SLOWEST])
    return alone, await _started([SLOWEST * (number + 1) / SERVERS for number in range(SERVERS)])


async def _started(waits: list[float]) -> float:
    clients = [McpClient(_plan((*FASTEST, f"{each}")), ServerAsks(), _allowed) for each in waits]
    started = time.perf_counter()
    try:
        await asyncio.gather(*(each.start() for each in clients))
        return (time.perf_counter() - started) * 1000
    finally:
        await asyncio.gather(*(each.close() for each in clients))


@asynccontextmanager
async def _bare(argv: tuple[str, ...]) -> Any:
    from mcp import Client, StdioServerParameters, stdio_client  # what is compared with, where it is installed

    with open(os.devnull, "w") as quiet:
        parameters = StdioServerParameters(command=argv[0], args=list(argv[1:]))
        async with Client(stdio_client(parameters, errlog=quiet), mode="legacy") as client:
            await client.list_tools()
            yield client


def _plan(argv: tuple[str, ...]) -> ServerPlan:
    found = Found(McpServer("bench", {}, "", ()), Source("bench", "bench", "", USER))
    return ServerPlan("bench", found, argv=argv, env={"PATH": os.environ.get("PATH", os.defpath)})


async def _allowed(_plan: ServerPlan) -> Verdict:
    return Verdict.allow()


def _places(folder: Path, argv: tuple[str, ...]) -> Places:
    home, cwd = folder / "home", folder / "project"
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    cwd.mkdir(exist_ok=True)
    entry = {"command": argv[0], "args": list(argv[1:])}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"bench": entry}}))
    (home / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"allow": ["mcp__bench__echo"]}}))
    return Places(str(home), str(cwd), {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home)})


def _loaded(folder: Path) -> str:
    places = _places(folder / "light", FASTEST)
    command = [PYTHON, "-c", LIGHT, *HEAVY]
    env = {**places.env, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    done = subprocess.run(command, cwd=places.cwd, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Failed(f"what is loaded: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.strip()
