"""Runs a program for an extension: an argument list, no shell, output kept, ended when its time is up."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GRACE = 2.0  # seconds between asking a program to end and ending it


class Executed(Value):
    """`code` is that of the program; 127 where it could not be started, with the reason in `stderr`."""

    stdout: str
    stderr: str
    code: int
    killed: bool = False


async def execute(argv: Sequence[str], cwd: str, timeout: float = 0) -> Executed:
    """Waits without blocking; cancelling the waiting ends the program and everything that it started."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name != "nt",
        )
    except (OSError, ValueError) as error:
        return Executed("", str(error), 127)
    out, err = bytearray(), bytearray()
    killed = False
    try:
        async with asyncio.timeout(timeout or None):
            await _finished(process, out, err)
    except TimeoutError:
        killed = True
        await _end(process)
        err += f"ended after {timeout:g} s\n".encode()
    except asyncio.CancelledError:
        await _end(process)
        raise
    code = process.returncode if process.returncode is not None else -1
    return Executed(out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), code, killed)


async def _finished(process: asyncio.subprocess.Process, out: bytearray, err: bytearray) -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    await asyncio.gather(_kept(process.stdout, out), _kept(process.stderr, err))
    await process.wait()


async def _kept(stream: asyncio.StreamReader, text: bytearray) -> None:
    """What was said until the time was up is worth having, too."""
    while chunk := await stream.read(65536):
        text += chunk


async def _end(process: asyncio.subprocess.Process) -> None:
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await process.wait()
                return
