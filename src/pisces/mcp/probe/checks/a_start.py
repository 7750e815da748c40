"""The start: it answers `initialize`, soon, in a version that was offered, and says who it is."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.mcp.connection import ServerError, ServerGone
from pisces.mcp.probe.check import ServerCheck
from pisces.mcp.probe.limits import known_limits
from pisces.mcp.probe.subject import OFFERED, VERSIONS

if TYPE_CHECKING:
    from pisces.mcp.probe.speaker import Speaker
    from pisces.mcp.probe.subject import ServerSubject

STARTS = Rule("mcp-start", ERROR, "A server does not start, or does not answer `initialize`")
START_TIME = Rule("mcp-start-time", WARNING, "A server starts more slowly than a harness waits")
GREETING = Rule("mcp-greeting", ERROR, "The answer to `initialize` lacks something")
VERSION = Rule("mcp-version", ERROR, "A server answers with a protocol version that it was not offered")
VERSION_UNKNOWN = Rule(
    "mcp-version-unknown", ERROR, "A server fails when it is offered a version that it does not know"
)
DISCOVER = Rule(
    "mcp-discover", WARNING, "A server ignores `server/discover`, so newer clients wait before they connect"
)

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NEVER = "1999-01-01"
_NEWER = "2026-07-28"  # the first version without a handshake
_DISCOVER_SECONDS = 3.0  # after the first sign of life
_META = {
    "io.modelcontextprotocol/protocolVersion": _NEWER,
    "io.modelcontextprotocol/clientCapabilities": {},
}


async def _starts(subject: ServerSubject) -> list[str]:
    await subject.start()
    return []


async def _start_time(subject: ServerSubject) -> list[str]:
    late = [each for each in known_limits().values() if subject.ready_seconds > each.start_seconds]
    took = f"it was ready after {subject.ready_seconds:.1f} s"
    return [f"{took}: {each.label} gives up after {each.start_seconds:g} s" for each in late]


async def _greeting(subject: ServerSubject) -> list[str]:
    greeting = subject.greeting
    problems = [
        f"`{key}` is missing" for key in ("capabilities", "serverInfo") if not isinstance(greeting.get(key), dict)
    ]
    server = greeting.get("serverInfo")
    said = server if isinstance(server, dict) else {"name": "?", "version": "?"}
    # The official Python SDK sends an empty version where a server gives it none.
    problems += [f"`serverInfo.{key}` is missing" for key in ("name", "version") if not isinstance(said.get(key), str)]
    wrong = [name for name, value in subject.capabilities.items() if not isinstance(value, dict)]
    problems += [f"the capability `{name}` is no object" for name in wrong]
    if not isinstance(greeting.get("instructions", ""), str):
        problems.append("`instructions` is no text")
    return problems


async def _version(subject: ServerSubject) -> list[str]:
    version = subject.greeting.get("protocolVersion")
    if not isinstance(version, str) or not _DATE.fullmatch(version):
        return [f"`protocolVersion` is {version!r}"]
    if version in VERSIONS:
        return []
    return [f"it was offered {OFFERED} and answers {version}, which no client of that version knows"]


async def _unknown_version(subject: ServerSubject) -> list[str]:
    async with subject.fresh() as speaker:
        try:
            greeting = await subject.greeted(speaker, _NEVER)
        except ServerGone as error:
            return [f"offered {_NEVER}: {error}"]
        except ServerError as error:
            return [f"offered {_NEVER}, it answers with an error ({error}) instead of a version that it knows"]
    is_echo = greeting.get("protocolVersion") == _NEVER
    return [f"it claims to speak {_NEVER}, which never existed: it repeats what it is offered"] if is_echo else []


async def _discover(subject: ServerSubject) -> list[str]:
    """Both eras: a server of the older one answers the question of the newer one with an error, and then works."""
    async with subject.fresh() as speaker:
        try:
            await _discovered(speaker, 3 * subject.ready_seconds + _DISCOVER_SECONDS)
            return []
        except ServerGone as error:
            return [f"`server/discover` before `initialize` kills it: {error}"]
        except TimeoutError:
            return ["`server/discover` gets no answer, not even an error: newer clients wait 10 s for that"]
        except ServerError:
            pass
        try:
            await subject.greeted(speaker)
        except ServerError as error:
            return [f"after `server/discover` it does not answer `initialize`: {error}"]
    return []


async def _discovered(speaker: Speaker, longest: float) -> None:
    """Raises as the request does; TimeoutError if a later `ping` is answered long before, or nothing for `longest`."""
    asking = asyncio.ensure_future(speaker.request("server/discover", {"_meta": _META}, longest))
    pinging = asyncio.ensure_future(speaker.request("ping", seconds=longest))
    try:
        await asyncio.wait([asking, pinging], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait([asking], timeout=_DISCOVER_SECONDS)
        if not asking.done() or (not speaker.ended and isinstance(asking.exception(), ServerGone)):
            raise TimeoutError
        asking.result()
    finally:
        for each in (asking, pinging):
            each.cancel()
        await asyncio.gather(asking, pinging, return_exceptions=True)


CHECKS = (
    ServerCheck(STARTS, "it starts and answers `initialize`", _starts, needs_server=False),
    ServerCheck(START_TIME, "it is ready before any harness gives up", _start_time),
    ServerCheck(GREETING, "it says its name, its version and its capabilities", _greeting),
    ServerCheck(VERSION, "it speaks a version that it was offered, or an older one", _version),
    ServerCheck(VERSION_UNKNOWN, "offered an unknown version, it names one that it knows", _unknown_version),
    ServerCheck(DISCOVER, "it answers clients of the newer protocol at once", _discover),
)
