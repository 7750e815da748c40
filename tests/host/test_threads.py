"""Threads of the program that embeds a host are its own."""

from __future__ import annotations

import asyncio
import threading

from pisces import Host
from tests.host.world import World


def test_closing_a_host_leaves_threads_of_the_program_alone(world: World) -> None:
    wait, ended = threading.Event(), []

    def work() -> None:
        wait.wait(60)
        ended.append("by itself")

    async def opened() -> None:
        async with Host.open(world.places, approve=lambda *_: True) as host:
            assert host.tools is not None

    thread = threading.Thread(target=work)
    thread.start()
    asyncio.run(opened())
    wait.set()
    thread.join()
    assert ended == ["by itself"]
