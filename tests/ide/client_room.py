"""A folder with a project in it, and our client looking for an editor from there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from pisces.ide.client.client import CONNECTED, IdeClient
from pisces.places import Places

PATIENCE = 20.0
T = TypeVar("T")


class Room:
    """`env` has no more than it takes, and says that the editor is in the container with us, if this is one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.project = self.folder / "project"
        self.project.mkdir()
        self.main = self.project / "main.py"
        self.main.write_text("answer = 42\n")
        self.env = {"TMPDIR": str(self.folder), "HOME": str(self.folder), "REMOTE_CONTAINERS": "1"}

    def client(self, **env: str) -> IdeClient:
        return IdeClient(Places(str(self.folder), str(self.project), {**self.env, **env}))


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Never longer than the patience of a test."""
    return asyncio.run(asyncio.wait_for(coroutine, 3 * PATIENCE))


async def until(ide: IdeClient, is_so: Callable[[], object]) -> None:
    """Looks after each change that the client tells, and ten times a second."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)


async def connected(ide: IdeClient) -> None:
    await until(ide, lambda: ide.status.state == CONNECTED)
