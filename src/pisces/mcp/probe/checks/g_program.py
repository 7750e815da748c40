"""The program: stdout is for messages, and at the end nothing of it stays. Comes last, because it ends the server."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from time import monotonic
from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.mcp.probe.check import ServerCheck
from pisces.mcp.probe.subject import NotChecked

if TYPE_CHECKING:
    from pisces.mcp.probe.speaker import StdioSpeaker
    from pisces.mcp.probe.subject import ServerSubject

STDOUT = Rule("mcp-stdout", ERROR, "A server writes to stdout what is no message")
STDERR = Rule("mcp-stderr", WARNING, "A server writes much to stderr")
UNOFFERED = Rule("mcp-unoffered", WARNING, "A server asks for what the client did not offer")
END_OF_INPUT = Rule("mcp-end-of-input", WARNING, "A server does not end when its input ends")
LEFT_BEHIND = Rule("mcp-left-behind", WARNING, "A server leaves processes behind")
TERMINATED = Rule("mcp-terminated", WARNING, "A server does not end when it is asked to")

_MUCH = 64 << 10  # bytes of stderr in one test
_PATIENCE = 2.0  # seconds that clients give a server to end: the official SDKs do
_LOOK = 0.01
_AFTER = 0.3  # seconds for its children to notice


async def _stdout(subject: ServerSubject) -> list[str]:
    of_programs = _programs(subject)
    lines = dict.fromkeys(line for each in of_programs for line in each.junk)
    return [f"{line[:200]!r} is on stdout, which is for messages: log to stderr" for line in lines]


async def _stderr(subject: ServerSubject) -> list[str]:
    most = max(each.err_bytes for each in _programs(subject))
    return [f"it wrote {most:,} bytes to stderr in one session: some clients store all of it"] if most > _MUCH else []


def _programs(subject: ServerSubject) -> list[StdioSpeaker]:
    return [subject.of_program(each) for each in subject.sessions]


async def _unoffered(subject: ServerSubject) -> list[str]:
    asked = dict.fromkeys(method for each in subject.sessions for method in each.asked)
    return [f"it sends `{method}`, which this client did not announce" for method in asked]


async def _end_of_input(subject: ServerSubject) -> list[str]:
    speaker = subject.of_program(subject.speaker)
    speaker.process.close_input()
    subject.left = _left_after(speaker)
    await asyncio.sleep(0)
    return [] if subject.left is not None else [f"it still runs {_PATIENCE:g} s after its input ended"]


def _left_after(speaker: StdioSpeaker) -> list[int] | None:
    """The processes that are alive after the program has ended; None if it does not end.

    Nothing is awaited: while the event loop stands still, nobody ends what the program left.
    """
    until = monotonic() + _PATIENCE
    while not speaker.process.has_exited:
        if monotonic() > until:
            return None
        time.sleep(_LOOK)
    until = monotonic() + _AFTER
    while left := speaker.process.members():
        if monotonic() > until:
            return left
        time.sleep(_LOOK)
    return []


async def _left_behind(subject: ServerSubject) -> list[str]:
    if subject.left is None:
        raise NotChecked("it has not ended by itself")
    count = len(subject.left)
    return [f"{count} of the processes that it started run on"] if count else []


async def _terminated(subject: ServerSubject) -> list[str]:
    if sys.platform == "win32" or not subject.is_program:
        raise NotChecked("there is no such signal for it")
    async with subject.fresh() as fresh:
        speaker = subject.of_program(fresh)
        await subject.greeted(speaker)
        os.kill(speaker.process.pid, signal.SIGTERM)
        until = monotonic() + _PATIENCE
        while not speaker.process.has_exited:
            if monotonic() > until:
                return [f"it still runs {_PATIENCE:g} s after SIGTERM"]
            await asyncio.sleep(_LOOK)
    return []


CHECKS = (
    ServerCheck(TERMINATED, "it ends at SIGTERM", _terminated),
    ServerCheck(UNOFFERED, "it asks for nothing that was not offered", _unoffered),
    ServerCheck(STDERR, "it writes little to stderr", _stderr),
    ServerCheck(END_OF_INPUT, "it ends when its input ends", _end_of_input),
    ServerCheck(LEFT_BEHIND, "it leaves no process behind", _left_behind, needs_server=False),
    ServerCheck(STDOUT, "only messages are on stdout", _stdout, needs_server=False),
)
