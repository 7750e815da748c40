"""What a hook costs over its bare program, started in the same event loop with the same input and environment.

The best of many measurements of each, which take turns: a busy machine can only slow them down.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from bench.result import Outcome, Result, Skipped
from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.found_hooks import found_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import SessionFacts

MOST = 1.3
ROUNDS = 41
SHELL = "grep -q 'rm -rf' && exit 2; exit 0"
PYTHON = "import json, sys; sys.exit(2 if 'rm -rf' in json.load(sys.stdin)['tool_input']['command'] else 0)"
REQUEST = ToolRequest(ToolCall("Bash", "c1", {"command": "echo hi"}))


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if os.name != "posix":
        yield Skipped("hooks", "run by /bin/sh")
        return
    guards = {"a guard in shell": SHELL, "a guard in Python": f'{sys.executable} -I -c "{PYTHON}"'}
    for what, command in guards.items():
        places, loaded = _hooked(folder / what.replace(" ", "-"), [command])
        bare, ours = asyncio.run(_measured(places, loaded, [command], max(rounds, ROUNDS)))
        yield Result(what, "its bare program", bare, ours, "wall", ours / bare, at_most=MOST)
    commands = [f"{SHELL} # {number}" for number in range(10)]
    places, loaded = _hooked(folder / "ten", commands)
    bare, ours = asyncio.run(_measured(places, loaded, commands, rounds))
    yield Result("ten guards at once", "ten bare programs at once", bare, ours, "wall", ours / bare, at_most=MOST)


def _hooked(root: Path, commands: list[str]) -> tuple[Places, tuple[LoadedHook, ...]]:
    home, work = root / "home", root / "work"
    (home / ".claude").mkdir(parents=True)
    work.mkdir()
    hooks = [{"type": "command", "command": command} for command in commands]
    values = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}}
    (home / ".claude" / "settings.json").write_text(json.dumps(values))
    places = Places(str(home), str(work), {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home)})
    return places, found_hooks(places, Trust()).loaded


async def _measured(
    places: Places, loaded: tuple[LoadedHook, ...], commands: list[str], rounds: int
) -> tuple[float, float]:
    facts = SessionFacts(places.cwd, places.cwd, places.home)
    hooks = HookSet(loaded, lambda: facts, places.env)
    payload = b'{"tool_input": {"command": "echo hi"}}'
    env = dict(places.env)

    async def bare() -> None:
        await asyncio.gather(*(_bare(command, payload, env) for command in commands))

    async def ours() -> None:
        assert await hooks.judged(REQUEST, []) is None

    pairs = [(await _milliseconds(bare), await _milliseconds(ours)) for _ in range(rounds)]
    await hooks.close()
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


async def _bare(command: str, payload: bytes, env: dict[str, str]) -> None:
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        "/bin/sh", "-c", command, stdin=pipe, stdout=pipe, stderr=pipe, env=env
    )
    await program.communicate(payload)


async def _milliseconds(work: Callable[[], Awaitable[None]]) -> float:
    started = time.perf_counter()
    await work()
    return (time.perf_counter() - started) * 1000
