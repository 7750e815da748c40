"""Whatever hangs, breaks or is closed too early: everybody gets an answer, nothing is allowed, and nothing is left."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, Tool, ToolCall, Verdict
from pisces.events import Input, ModuleFailed
from tests.host.leaks import nothing_left
from tests.host.world import Answers, World

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process has open is read from /proc")

CLOSED = "the host is closed"
MAKE = ToolCall("bash", "1", {"command": "make"})


def tool(name: str, run: Callable[..., Any]) -> Tool:
    return Tool(name, "d", {"type": "object"}, run)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(world: World, approve: Any = None, **options: Any) -> AsyncIterator[Host]:
    """A host that leaves nothing behind."""
    async with nothing_left(str(world.home)), Host.open(world.places, approve or Answers(), **options) as host:
        yield host


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)


def hanging_package(world: World) -> str:
    """Its command `/hang` starts a child of its own and waits; its hook does the same."""
    script = "#!/bin/sh\ntouch started\nsleep 1000 &\nsleep 1000\n"
    world.write("kit/bin/hang", script)
    (world.cwd / "kit" / "bin" / "hang").chmod(0o755)
    command = {"type": "executable", "binary": "${extensionPath}/bin/hang", "description": "d"}
    manifest = {"name": "kit", "version": "1.0.0", "commands": {"hang": command}}
    return world.write("kit/gemini-extension.json", json.dumps(manifest))


def hooked(world: World, command: str, event: str = "PreToolUse") -> None:
    hooks = {event: [{"hooks": [{"type": "command", "command": command, "timeout": 600}]}]}
    world.write("~/.claude/settings.json", json.dumps({"hooks": hooks}))


def test_a_whole_session_leaves_nothing_behind(world: World) -> None:
    hanging_package(world)
    hooked(world, "sleep 0.01 & cat > /dev/null")
    path = world.module("@pisces.on(Input)\ndef hears(event): pass")

    async def play() -> None:
        async with opened(world, modules=[path], packages=["kit"]) as host:
            await asyncio.gather(*(host.judge(MAKE) for _ in range(10)))
            await host.submit("hello")
            assert host.tools is not None
            assert not host.diagnostics

    asyncio.run(play())


def test_a_tool_that_hangs_is_ended_when_the_host_closes(world: World) -> None:
    begun = asyncio.Event()

    async def hang(_given: object, _context: object) -> str:
        begun.set()
        await asyncio.Event().wait()
        return "never"

    async def play() -> None:
        async with opened(world, tools=[tool("hang", hang)]) as host:
            call = asyncio.create_task(host.call("hang", {}))
            await begun.wait()
        result = await call
        assert (result.is_error, result.text) == (True, CLOSED)

    asyncio.run(play())


def test_a_tool_that_will_not_be_ended_does_not_hold_up_the_end(world: World) -> None:
    begun = asyncio.Event()
    let_go = asyncio.Event()

    async def stubborn(_given: object, _context: object) -> str:
        begun.set()
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        return "late"

    async def play() -> float:
        async with Host.open(world.places, Answers(), tools=[tool("stubborn", stubborn)]) as host:
            call = asyncio.create_task(host.call("stubborn", {}))
            await begun.wait()
            began = time.monotonic()
        took = time.monotonic() - began
        let_go.set()
        await asyncio.wait([call], timeout=10)
        return took

    assert asyncio.run(play()) < 15


def test_whoever_never_approves_is_not_waited_for_when_the_host_closes(world: World) -> None:
    asked = asyncio.Event()

    async def never(*_: object) -> bool:
        asked.set()
        await asyncio.Event().wait()
        return True

    async def play() -> None:
        async with opened(world, never) as host:
            waiting = asyncio.create_task(host.judge(MAKE))
            await asked.wait()
        assert (await waiting).verdict == Verdict("deny", "host", CLOSED)

    asyncio.run(play())


def test_an_approval_that_comes_when_the_host_is_closed_is_none(world: World) -> None:
    asked = asyncio.Event()

    async def late(*_: object) -> bool:
        asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return True  # a program that does not let itself be interrupted
        return False

    async def play() -> None:
        async with opened(world, late, tools=[tool("make", lambda *_: "made")]) as host:
            judging = asyncio.create_task(host.judge(MAKE))
            await asked.wait()
            asked.clear()
            calling = asyncio.create_task(host.call("make", {}))
            await asked.wait()
        assert (await judging).verdict == Verdict("deny", "host", CLOSED)
        assert "made" not in (await calling).text

    asyncio.run(play())


@pytest.mark.parametrize("line", ["/mark", "/kit:hang"])
def test_a_command_that_nobody_approves_ends_with_the_host_and_does_not_run(world: World, line: str) -> None:
    hanging_package(world)
    world.write("~/.gemini/extensions/kit/gemini-extension.json", (world.cwd / "kit/gemini-extension.json").read_text())
    world.write("~/.gemini/extensions/kit/bin/hang", "#!/bin/sh\ntouch started\n")
    (world.home / ".gemini/extensions/kit/bin/hang").chmod(0o755)
    world.write("~/.gemini/commands/mark.toml", 'prompt = "!{touch started}"\n')
    asked = asyncio.Event()

    async def never(*_: object) -> bool:
        asked.set()
        await asyncio.Event().wait()
        return True

    async def play() -> None:
        async with opened(world, never) as host:
            waiting = asyncio.create_task(host.submit(line))
            await asyncio.wait_for(asked.wait(), 20)
        assert (await waiting).blocked == CLOSED
        assert not (world.cwd / "started").exists()

    asyncio.run(play())


def test_a_hook_that_hangs_ends_with_the_host_and_allows_nothing(world: World) -> None:
    hooked(world, "touch started; sleep 1000 & sleep 1000")

    async def play() -> None:
        async with opened(world) as host:
            waiting = asyncio.create_task(host.judge(MAKE))
            await until((world.cwd / "started").exists)
        assert not (await waiting).verdict.is_allowed

    asyncio.run(play())


def test_a_program_that_hangs_ends_with_the_host(world: World) -> None:
    hanging_package(world)

    async def play() -> None:
        async with opened(world, packages=["kit"]) as host:
            waiting = asyncio.create_task(host.submit("/hang"))
            await until((world.cwd / "started").exists)
        assert (await waiting).blocked == CLOSED

    asyncio.run(play())


def test_a_caller_that_gives_up_ends_what_it_asked_for(world: World) -> None:
    hanging_package(world)

    async def play() -> None:
        async with opened(world, packages=["kit"]) as host:
            waiting = asyncio.create_task(host.submit("/hang"))
            await until((world.cwd / "started").exists)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await host.judge(MAKE)).verdict.is_allowed, "the host goes on"

    asyncio.run(play())


def test_a_closed_host_denies_everything(world: World) -> None:
    async def play() -> None:
        async with opened(world, tools=[tool("it", lambda *_: "ran")]) as host:
            assert (await host.call("it", {})).text == "ran"
        assert (await host.judge(MAKE)).verdict == Verdict("deny", "host", CLOSED)
        assert (await host.call("it", {})).text == CLOSED
        assert (await host.submit("hello")).blocked == CLOSED
        assert (await host.emit(MAKE)).reason == CLOSED
        assert (await host.emit(Input("hello"))).text == "hello"

    asyncio.run(play())


def test_an_error_of_the_program_itself_closes_the_host_and_comes_through(world: World) -> None:
    async def play() -> None:
        async with nothing_left(str(world.home)):
            with pytest.raises(KeyError, match="mine"):
                await breaks()

    async def breaks() -> None:
        async with Host.open(world.places, Answers()) as host:
            await host.judge(MAKE)
            raise KeyError("mine")

    asyncio.run(play())


def test_a_host_that_is_given_up_while_it_opens_leaves_nothing(world: World) -> None:
    path = world.write("slow.py", "import asyncio\nasync def extension(pisces):\n    await asyncio.Event().wait()\n")

    async def opens() -> None:
        async with Host.open(world.places, Answers(), modules=[path]):
            pytest.fail("not reached")

    async def play() -> None:
        async with nothing_left(str(world.home)):
            opening = asyncio.create_task(opens())
            await asyncio.wait([opening], timeout=0.5)
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening

    asyncio.run(play())


def test_fifty_calls_at_once_get_their_own_answers(world: World) -> None:
    """Each is asked about once, half are denied by a module, and none has the answer of another."""
    path = world.module(
        "@pisces.on(ToolCall)\nasync def odd(event):\n    import asyncio\n    await asyncio.sleep(0)\n"
        "    return event.block(f'odd {event.input[\"n\"]}') if event.input['n'] % 2 else None"
    )
    asked: list[str] = []

    async def approve(request: Any, _questions: object) -> bool:
        asked.append(request.exact)
        await asyncio.sleep(0)
        return True

    async def echo(given: Any, _context: object) -> str:
        await asyncio.sleep(0)
        return f"even {given['n']}"

    async def play() -> list[str]:
        async with opened(world, approve, modules=[path], tools=[tool("echo", echo)]) as host:
            results = await asyncio.gather(*(host.call("echo", {"n": number}) for number in range(50)))
            return [result.text for result in results]

    texts = asyncio.run(play())
    assert texts == [f"{'odd' if number % 2 else 'even'} {number}" for number in range(50)]
    assert sorted(asked) == sorted(f'echo {{"n": {number}}}' for number in range(0, 50, 2))


def test_fifty_calls_past_a_hook_are_all_judged_by_it(world: World) -> None:
    script = "import json, sys\nn = json.load(sys.stdin)['tool_input']['n']\nsys.exit(2 if n % 2 else 0)\n"
    world.write("~/guard.py", script)
    hooked(world, f"{sys.executable} -S {world.home}/guard.py")

    async def play() -> list[str]:
        async with opened(world) as host:
            calls = [ToolCall("bash", str(number), {"command": "make", "n": number}) for number in range(50)]
            return [each.verdict.decision for each in await asyncio.gather(*map(host.judge, calls))]

    assert asyncio.run(play()) == ["allow", "deny"] * 25


def test_two_hosts_in_one_process_know_nothing_of_each_other(world: World, tmp_path: Path) -> None:
    other = World(tmp_path / "other")
    guard = world.module("@pisces.on(ToolCall)\ndef guard(event): return event.block('one says no')")
    failures: list[ModuleFailed] = []

    async def play() -> None:
        async with opened(other, mode="all", report=failures.append) as two:
            async with opened(world, modules=[guard]) as one:
                assert (await one.judge(MAKE)).verdict.why == "one says no"
                assert (await two.judge(MAKE)).verdict.who == "approval mode all"
                one.mode = "plan"
                assert two.mode == "all"
            assert (await two.judge(MAKE)).verdict.is_allowed, "closing one leaves the other as it is"

    asyncio.run(play())
    assert not failures


def test_the_same_workspace_may_be_open_twice(world: World) -> None:
    path = world.module(
        "seen = []\n@pisces.on(Input)\ndef hears(event):\n"
        "    seen.append(1)\n    return event.replace(text=str(len(seen)))"
    )

    async def play() -> list[str]:
        two_hosts = [Host.open(world.places, Answers(), modules=[path]) for _ in range(2)]
        async with nothing_left(str(world.home)), two_hosts[0] as one, two_hosts[1] as two:
            return [(await host.emit(Input("x"))).text for host in (one, two, one)]

    assert asyncio.run(play()) == ["1", "1", "2"]
