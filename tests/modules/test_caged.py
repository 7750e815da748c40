"""The cage that other people's modules run in keeps them from the network, from our files, and from staying."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from pisces.testing.session import AsyncSession
from tests.modules.caged import NOBODY, Cage, cage, played

if sys.platform == "win32":
    pytest.skip("the cage is a script for a POSIX shell", allow_module_level=True)

MODULE = """
import { spawn } from "node:child_process"
import { connect } from "node:net"
export default (pi) => {
  const reached = (port) => new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true))
    socket.on("error", () => done(false))
  })
  pi.registerCommand("net", { handler: async (port) => reached(Number(port)) })
  pi.registerCommand("who", { handler: async () => [process.getuid(), process.env.HOME] })
  pi.registerCommand("stay", { handler: async () => {
    const child = spawn("sh", ["-c", "echo > started; exec sleep 600"], { detached: true, stdio: "ignore" })
    child.unref()
  } })
}
"""


@pytest.fixture
def made() -> Iterator[Cage]:
    with cage() as each:
        each.write({"module.ts": MODULE})
        yield each


def test_a_caged_module_is_nobody_and_has_a_home_of_its_own(made: Cage) -> None:
    async def play(session: AsyncSession) -> Any:
        return await session.command("/who")

    user, home = played(made, [made.work / "module.ts"], play)
    assert home == str(made.home)
    assert user == (NOBODY if os.geteuid() == 0 else os.geteuid())


def test_a_caged_module_reaches_nobody(made: Cage) -> None:
    if not made.is_apart:
        pytest.skip("this system does not let us take the network away")

    async def play(session: AsyncSession) -> bool:
        return bool(await session.command(f"/net {port}"))

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert played(made, [made.work / "module.ts"], play) is False


def test_what_a_caged_module_starts_ends_with_it(made: Cage) -> None:
    if not made.is_apart:
        pytest.skip("this system has no namespaces for processes")

    async def play(session: AsyncSession) -> None:
        await session.command("/stay")
        await session.until(lambda: (made.work / "started").exists())
        assert len(_running(str(made.root))) >= 2

    played(made, [made.work / "module.ts"], play)
    asyncio.run(_until_gone(str(made.root)))


async def _until_gone(marked: str) -> None:
    async with asyncio.timeout(10):
        while _running(marked):
            await asyncio.sleep(0.02)


def _running(marked: str) -> list[str]:
    """Processes whose environment names this folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if marked.encode() in file.read():
                    found.append(pid)
        except OSError:
            continue
    return found
