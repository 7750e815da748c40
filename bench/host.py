"""What `Host` costs: opening one on many packages, a call past rules and handlers, a hook, and memory.

Opening is compared with a listing of the same packages, as CPU of whole processes. The rest is the best of many
measurements in one process: a busy machine can only slow them down.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from bench.listing import LIST
from bench.measure import PYTHON, Failed, Subject, environment_of, in_turns, pisces
from bench.result import Outcome, Result, Skipped, at_most
from bench.workspaces import home_with
from pisces import Host, Places, ToolCall
from pisces.events import ToolCall as ToolCallEvent
from pisces.modules.loaded_module import LoadedModule
from pisces.shapes.listener import Listener
from pisces.testing.driven import ReachableHost

PACKAGES = 100
HANDLERS = 50
RULES = 20
MOST_OPEN = 3.0
MOST_PROCESS = 3.0
MOST_CALL = 0.3  # ms
MOST_HOOK = 1.3
MOST_MEMORY = 40.0  # MB
EACH, MANY = 5, 101
OPEN = """
import asyncio
from pisces import Host

async def main():
    async with Host.open(".", approve=lambda *_: False) as host:
        USE

asyncio.run(main())
"""
LOOP = "import asyncio, sys; from pisces.__main__ import main; sys.exit(main())"
READ = """
        from pisces import ToolCall
        host.tools, host.commands, host.instructions
        await host.judge(ToolCall("Bash", "1", {"command": "make"}))
"""
# Of the process itself: what `wait` says of a child includes the size of its parent before the start.
MEMORY = """
        with open("/proc/self/status") as status:
            sizes = dict(line.split(":", 1) for line in status)
        print(sizes["VmHWM"].split()[0])
"""
GUARD = "import json, sys; sys.exit(2 if 'rm -rf' in json.load(sys.stdin)['tool_input']['command'] else 0)"


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    cwd = folder / "project"
    cwd.mkdir()
    home = home_with(PACKAGES, folder / "home")
    yield from _opening(home, cwd, rounds)
    for what, use in (("an open host", ""), ("a host whose tools, commands, hooks and rules were read", READ)):
        yield _memory(f"{what}, {PACKAGES} packages", use, Subject("memory", (), home, cwd))
    call = asyncio.run(_call(folder / "rules", max(rounds, MANY)))
    names = f"a call past {RULES} rules and {HANDLERS} handlers of a host", "a limit of 300 microseconds"
    yield Result(*names, MOST_CALL, call, "wall", call / MOST_CALL, at_most=1)
    if os.name != "posix":
        yield Skipped("a hook of a host", "run by /bin/sh")
        return
    bare, ours = asyncio.run(_hook(folder / "hook", max(rounds, 41)))
    names = "a call past a guard in Python, in a host", "its bare program"
    yield Result(*names, bare, ours, "wall", ours / bare, at_most=MOST_HOOK)


def _opening(home: Path, cwd: Path, rounds: int) -> Iterator[Outcome]:
    """A program that embeds a host has an event loop anyway: importing asyncio costs more than a listing."""
    listing = Subject("extensions list", pisces(*LIST), home, cwd)
    in_loop = Subject("extensions list, with asyncio", (PYTHON, "-c", LOOP, *LIST), home, cwd)
    opening = Subject("Host.open", (PYTHON, "-c", OPEN.replace("USE", "pass")), home, cwd)
    listed, with_loop, opened = in_turns([listing, in_loop, opening], rounds)
    what = f"Host.open, {PACKAGES} packages"
    yield at_most(MOST_OPEN, (what, "extensions list, in a program that has asyncio"), opened, with_loop)
    yield at_most(MOST_PROCESS, (f"{what}, with the import of asyncio", "extensions list"), opened, listed)


def _memory(what: str, use: str, subject: Subject) -> Outcome:
    if sys.platform != "linux":
        return Skipped(what, "read from /proc")
    program = OPEN.replace("        USE", f"{use}{MEMORY}")
    env = environment_of(subject)
    done = subprocess.run([PYTHON, "-c", program], cwd=subject.cwd, env=env, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{what}: {done.stderr.strip().splitlines()[-1]}")
    size = int(done.stdout) / 1024
    return Result(what, "a limit of 40 MB", MOST_MEMORY, size, "memory", size / MOST_MEMORY, at_most=1)


async def _call(folder: Path, rounds: int) -> float:
    """No rule and no handler has anything to say about the call until the last rule allows it."""
    rules = [f"Bash(tool-{number}:*)" for number in range(RULES - 1)]
    permissions = {"deny": rules[: RULES // 2], "ask": rules[RULES // 2 :], "allow": ["Bash(make:*)"]}
    module = LoadedModule("module.py", "module", 0)
    module.handlers.extend([Listener(ToolCallEvent, lambda _event: None, "module.py")] * HANDLERS)
    async with ReachableHost.open(_places(folder, {"permissions": permissions}), _no) as host:
        host.modules.runner.add([module])

        async def judge() -> None:
            judged = await host.judge(ToolCall("Bash", "1", {"command": "make all", "description": "builds"}))
            assert judged.verdict.is_allowed

        await judge()
        return min([await _milliseconds(judge, EACH) for _ in range(rounds)])


async def _hook(folder: Path, rounds: int) -> tuple[float, float]:
    command = f'{sys.executable} -I -c "{GUARD}"'
    hooks = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]}
    places = _places(folder, {"hooks": hooks, "permissions": {"allow": ["Bash(make:*)"]}})
    async with Host.open(places, _no) as host:

        async def bare() -> None:
            pipe = asyncio.subprocess.PIPE
            program = await asyncio.create_subprocess_exec(
                "/bin/sh", "-c", command, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(places.env)
            )
            await program.communicate(b'{"tool_input": {"command": "make all"}}')

        async def ours() -> None:
            assert (await host.judge(ToolCall("Bash", "1", {"command": "make all"}))).verdict.is_allowed

        pairs = [(await _milliseconds(bare, 1), await _milliseconds(ours, 1)) for _ in range(rounds)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def _places(folder: Path, settings: dict[str, object]) -> Places:
    (folder / "home" / ".claude").mkdir(parents=True)
    (folder / "work").mkdir()
    (folder / "home" / ".claude" / "settings.json").write_text(json.dumps(settings))
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder / "home")}
    return Places(str(folder / "home"), str(folder / "work"), env)


def _no(*_: object) -> bool:
    return False


async def _milliseconds(work: Callable[[], Awaitable[None]], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        await work()
    return (time.perf_counter() - started) * 1000 / times
