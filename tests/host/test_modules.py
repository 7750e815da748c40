"""Modules in a host: which run, what they bring, and that the program they are guests of is left alone."""

from __future__ import annotations

import asyncio
import signal
import sys
from time import monotonic

import pisces
from pisces import Host
from pisces.events import ModuleFailed, SessionShutdown, SessionStart, ToolResult
from tests.host.world import MODULE, Answers, World


def test_a_tool_is_denied_unless_it_is_approved(world: World) -> None:
    path = world.write("greeter.py", MODULE)
    failures: list[ModuleFailed] = []

    async def texts() -> list[tuple[bool, str]]:
        results = []
        for answer in (False, True):
            async with Host.open(world.places, Answers(answer), modules=[path], report=failures.append) as host:
                result = await host.call("greet", {"name": "Ada"})
                results.append((result.is_error, result.text))
        return results

    assert asyncio.run(texts()) == [(True, "it was not allowed"), (False, "Hello, Ada")]
    assert not failures


def test_an_unknown_tool_is_a_failed_result(world: World) -> None:
    async def result() -> ToolResult:
        async with Host.open(world.places, Answers()) as host:
            return await host.call("nonsense", {})

    assert asyncio.run(result()).is_error


def test_modules_hear_of_the_start_from_the_program_and_of_the_end_from_the_host(world: World) -> None:
    actions = pisces.Headless(world.places.cwd)

    async def run() -> None:
        path = world.write("greeter.py", MODULE)
        async with Host.open(world.places, Answers(), modules=[path], actions=actions) as host:
            assert actions.ui.notices == []
            await host.emit(SessionStart())
            assert actions.ui.notices == [("info", "started")]
            assert list(host.tools) == ["greet"]
            await host.emit(SessionShutdown())

    asyncio.run(run())
    assert [text for _, text in actions.ui.notices] == ["started", "ended", "ended"]


def test_what_a_project_brings_does_not_run_untrusted(world: World) -> None:
    world.write(".pisces/extensions/greeter.py", MODULE)

    async def run(**options: bool) -> tuple[list[str], list[str]]:
        async with Host.open(world.places, Answers(), **options) as host:  # type: ignore[arg-type]
            return list(host.tools), [each.code for each in host.diagnostics]

    tools, codes = asyncio.run(run())
    assert "greet" not in tools
    assert "workspace-not-trusted" in codes
    tools, codes = asyncio.run(run(trust_workspace=True))
    assert "greet" in tools
    assert "workspace-not-trusted" not in codes


def test_a_module_that_does_not_load_is_a_diagnostic_and_the_others_load(world: World) -> None:
    paths = [world.write("broken.py", "def extension(pisces:\n"), world.write("greeter.py", MODULE)]

    async def run() -> tuple[list[str], list[str]]:
        async with Host.open(world.places, Answers(), modules=paths, discover=False) as host:
            return [each.path for each in host.diagnostics], list(host.tools)

    assert asyncio.run(run()) == ([paths[0]], ["greet"])


def test_the_program_keeps_its_output_its_signals_and_its_loop(world: World) -> None:
    path = world.write("greeter.py", MODULE)

    def owned() -> list[object]:
        return [sys.stdout, sys.stderr, *map(signal.getsignal, (signal.SIGINT, signal.SIGTERM))]

    async def run() -> None:
        loop = asyncio.get_running_loop()
        before, factory, catcher = owned(), loop.get_task_factory(), loop.get_exception_handler()
        async with Host.open(world.places, Answers(), modules=[path]) as host:
            await host.call("greet", {"name": "Ada"})
            await host.submit("hello")
            assert owned() == before
            assert loop.get_task_factory() is factory
            assert loop.get_exception_handler() is catcher
        assert owned() == before

    asyncio.run(run())


def test_a_module_is_loaded_again(world: World) -> None:
    path = world.module("pisces.tool('old', 'd')(lambda: 1)")

    async def run() -> list[list[str]]:
        async with Host.open(world.places, Answers(), modules=[path], discover=False) as host:
            seen = [list(host.tools)]
            world.module("pisces.tool('new', 'd')(lambda: 1)")
            assert await host.reload(path) == ()
            seen.append(list(host.tools))
            world.write("mod.py", "def extension(pisces:\n")
            assert [each.path for each in await host.reload(path)] == [path]
            return [*seen, list(host.tools)]

    assert asyncio.run(run()) == [["old"], ["new"], ["new"]]


def test_the_time_of_a_question_is_not_that_of_the_tool(world: World) -> None:
    path = world.write("greeter.py", MODULE)
    asked: list[float] = []

    async def approve(_request: object, _questions: object) -> bool:
        began = monotonic()
        while monotonic() - began < 0.5:
            await asyncio.sleep(0.01)
        asked.append(monotonic() - began)
        return True

    async def result() -> ToolResult:
        async with Host.open(world.places, approve, modules=[path]) as host:
            return await host.call("greet", {"name": "Ada"})

    assert asyncio.run(result()).duration_ms < asked[0] * 1000
