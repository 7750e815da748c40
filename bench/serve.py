"""What `pisces mcp serve` costs: until its first answer, for a call, and in memory.

The first answer is measured as CPU of the process up to the moment in which the client has it, against a Python that
does nothing. A call is compared with the same one in a host without a client.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.measure import PYTHON, Failed, Subject, cost_of, environment_of, pisces
from bench.result import Outcome, Result, Skipped
from bench.workspaces import home_with
from pisces import Host, Places

PACKAGES = 100
MOST_READY = 50.0  # ms of CPU over a bare Python
MOST_CALL = 2.0  # ms over the same call in a host
MOST_MEMORY = 45.0  # MB
CALLS = 200
KINDS = "skills,commands,tools,executables"  # without servers, whose SDK has a size of its own
GREETING: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench"}}
MODULE = "def extension(pisces):\n    @pisces.tool()\n    def same(text: str) -> str:\n        return text\n"


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if sys.platform != "linux":
        yield Skipped("pisces mcp serve", "what a running process has cost is read from /proc")
        return
    cwd = folder / "project"
    cwd.mkdir()
    home = home_with(PACKAGES, folder / "home")
    module = home / ".pisces" / "agent" / "extensions" / "same.py"
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(MODULE)
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"permissions": {"allow": ["same"]}}))
    subject = Subject("mcp serve", pisces("mcp", "serve", "--kinds", KINDS), home, cwd)
    bare = Subject("bare Python", (PYTHON, "-c", "pass"), home, cwd)
    pairs = [(cost_of(bare).cpu, _ready(subject)) for _ in range(rounds)]
    over = median(ours - floor for floor, ours in pairs)
    names = f"the first answer of `mcp serve`, {PACKAGES} packages", "50 ms of CPU over a bare Python"
    yield Result(*names, MOST_READY, over, "cpu", over / MOST_READY, at_most=1)
    served, size = _calls(subject)
    direct = asyncio.run(_direct(Places(str(home), str(cwd), environment_of(subject))))
    names = "a call by a client of `mcp serve`", "2 ms over the same call in a host"
    yield Result(*names, MOST_CALL, served - direct, "wall", (served - direct) / MOST_CALL, at_most=1)
    names = "`mcp serve` after calls, without MCP servers", "a limit of 45 MB"
    yield Result(*names, MOST_MEMORY, size, "memory", size / MOST_MEMORY, at_most=1)


class _Client:
    def __init__(self, subject: Subject) -> None:
        self.process = subprocess.Popen(
            subject.command,
            cwd=subject.cwd,
            env=environment_of(subject),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, id: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or b"{}")
        if "result" not in answer:
            raise Failed(f"mcp serve: {method}: {answer}")
        result: dict[str, Any] = answer["result"]
        return result

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def _ready(subject: Subject) -> float:
    client = _Client(subject)
    try:
        client.ask(1, "initialize", GREETING)
        return int(Path(f"/proc/{client.process.pid}/schedstat").read_text().split()[0]) / 1e6
    finally:
        client.close()


def _calls(subject: Subject) -> tuple[float, float]:
    """Milliseconds of the typical call, and megabytes at the highest."""
    client = _Client(subject)
    try:
        client.ask(1, "initialize", GREETING)
        taken = []
        for number in range(CALLS):
            began = time.perf_counter()
            result = client.ask(number + 2, "tools/call", {"name": "same", "arguments": {"text": "x"}})
            taken.append((time.perf_counter() - began) * 1000)
            if result.get("isError"):
                raise Failed(f"mcp serve: {result}")
        lines = Path(f"/proc/{client.process.pid}/status").read_text().splitlines()
        sizes = dict(line.split(":", 1) for line in lines)
        return median(taken), int(sizes["VmHWM"].split()[0]) / 1024
    finally:
        client.close()


async def _direct(places: Places) -> float:
    taken = []
    async with Host.open(places, lambda *_: False) as host:
        for _ in range(CALLS):
            began = time.perf_counter()
            await host.call("same", {"text": "x"})
            taken.append((time.perf_counter() - began) * 1000)
    return median(taken)
