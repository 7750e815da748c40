"""Closing a host ends no thread of the program that opened it."""

from __future__ import annotations

import asyncio
import threading

from pisces import Host, Tool
from tests.host.world import Answers, World


def test_a_thread_of_the_program_outlives_a_host_that_has_tools_of_the_program_and_of_servers(world: World) -> None:
    world.write(".mcp.json", '{"mcpServers": {"tides": {"command": "tides"}}}')
    ended, wishes = threading.Event(), threading.Event()

    def wait() -> None:
        wishes.wait()
        ended.set()  # not reached by a thread that was interrupted

    thread = threading.Thread(target=wait)
    thread.start()

    async def opened() -> None:
        tool = Tool("greet", "Greets", {"type": "object", "properties": {}}, lambda _given, _context: "Hello")
        async with Host.open(world.places, Answers(), tools=[tool], trust_workspace=True) as host:
            assert "greet" in host.tools
            assert not (await host.call("greet", {})).is_error

    asyncio.run(opened())
    wishes.set()
    thread.join()
    assert ended.is_set()
