"""What a process has open: its children, threads, descriptors, tasks and temporary files, before and after."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

SECONDS = 10.0


def processes_of(token: str) -> list[str]:
    """Command lines of all processes that work below a folder or name it, whoever their parent is."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                cwd = os.readlink(folder / "cwd")
            except OSError:
                continue  # it has ended, or is somebody else's
            if token in line or cwd.startswith(token):
                found.append(line)
    return found


def open_things() -> dict[str, object]:
    return {
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "descriptors": sorted(os.listdir("/proc/self/fd"))[:-1],  # without the one of this listing
        "tasks": len(asyncio.all_tasks()),
        "temporary files": sorted(os.listdir(tempfile.gettempdir())),
    }


@asynccontextmanager
async def nothing_left(token: str) -> AsyncIterator[None]:
    """What was not open before is not open afterwards; what ends by itself has a moment to do so."""
    before = open_things()
    yield
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and (open_things() != before or processes_of(token)):
        await asyncio.sleep(0.02)
    assert open_things() == before
    assert processes_of(token) == []
