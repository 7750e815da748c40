"""The server under test: one ordinary session that most checks share, and fresh ones for what would spoil it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from pisces import __version__
from pisces.mcp.client import with_sdk
from pisces.mcp.connection import PROMPTS, RESOURCES, TEMPLATES, TOOLS, ServerError, ServerGone
from pisces.mcp.probe.speaker import StdioSpeaker
from pisces.shapes.mcp_server import AUTO, HTTP, SSE, STDIO
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AbstractAsyncContextManager

    from pisces.discovery.found import Found
    from pisces.mcp.plan import ServerPlan
    from pisces.mcp.probe.speaker import Speaker
    from pisces.places import Places

OFFERED = "2025-11-25"
VERSIONS = ("2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", OFFERED)
METHODS = {
    TOOLS: "tools/list",
    PROMPTS: "prompts/list",
    RESOURCES: "resources/list",
    TEMPLATES: "resources/templates/list",
}
CAPABILITY = {TOOLS: "tools", PROMPTS: "prompts", RESOURCES: "resources", TEMPLATES: "resources"}
NOT_STARTED = "it does not start"
_MOST_PAGES = 100
_MOST_WAITS = 10
_MOST_UNANSWERED = 3  # requests in a row: what comes after them is not worth the wait
_SETTLED = 0.3  # seconds without a message after which a server is taken to have said all that it says by itself


class NotChecked(Exception):
    """The check cannot be made here. The text says why."""


class ServerTarget(Value):
    """`path` is the file that configures the server, empty for a command line that was typed.

    `calls` are the tools that may really be called, with their arguments. `brought` is what the server's package has
    beside it; None means that it is looked for.
    """

    plan: ServerPlan
    places: Places
    path: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    seconds: float = 10.0  # for each answer
    brought: tuple[Found, ...] | None = None


class Listing(Value):
    """All pages of one list. `flaw` says why they were not read to the end."""

    pages: tuple[tuple[Any, ...], ...]
    flaw: str = ""

    @property
    def items(self) -> list[dict[str, Any]]:
        """What is an object at all."""
        return [each for page in self.pages for each in page if isinstance(each, dict)]

    def named(self, key: str = "name") -> list[str]:
        return [each[key] for each in self.items if isinstance(each.get(key), str)]


class ServerSubject:
    """Starts the ordinary session with the first check that needs it, and again after a check has killed it.

    `ready_seconds` is how long the first start took.
    """

    def __init__(self, target: ServerTarget) -> None:
        self.target = target
        self.greeting: Mapping[str, Any] = EMPTY
        self.ready_seconds = 0.0
        self._kinds = (HTTP, SSE) if target.plan.transport == AUTO else (target.plan.transport,)
        self._stack = AsyncExitStack()
        self._speaker: Speaker | None = None
        self._failure = ""
        self._listings: dict[str, Listing | ServerError] = {}
        self.sessions: list[Speaker] = []
        self.left: list[int] | None = None  # processes that outlive the program
        self.results: list[tuple[str, Any]] = []  # of the tools that were called

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    async def ready(self) -> None:
        """NotChecked where the server did not start: one check says so."""
        if self._failure:
            raise NotChecked(NOT_STARTED)
        if self._speaker is None or self._speaker.ended:
            await self.start()
        elif self._speaker.unanswered >= _MOST_UNANSWERED:
            raise NotChecked("it does not answer any more")

    async def start(self) -> None:
        """`ServerError` where it does not answer `initialize`."""
        began = monotonic()
        try:
            await self._connect()
        except ServerError as error:
            self._failure = str(error)
            raise
        self.ready_seconds = self.ready_seconds or monotonic() - began
        await self._settle(self.speaker)

    async def _connect(self) -> None:
        """An address that does not say how it is spoken to: the newer way first, then the older one."""
        await self._stack.aclose()
        self._speaker = await self._stack.enter_async_context(self.fresh())
        try:
            self.greeting = await self.greeted(self._speaker)
        except ServerError:
            if len(self._kinds) == 1 or not 400 <= getattr(self._speaker, "status", 0) < 500:
                raise
            self._kinds = self._kinds[1:]
            await self._connect()

    async def _settle(self, speaker: Speaker) -> None:
        """Some servers register tools after the handshake and send `list_changed` for each."""
        for _ in range(_MOST_WAITS):
            count = speaker.notified
            await asyncio.sleep(_SETTLED)
            if count == speaker.notified:
                return

    @property
    def speaker(self) -> Speaker:
        if self._speaker is None:
            raise NotChecked(NOT_STARTED)
        return self._speaker

    @property
    def capabilities(self) -> Mapping[str, Any]:
        found = self.greeting.get("capabilities")
        return found if isinstance(found, dict) else {}

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[Speaker]:
        """A new session, which nobody has greeted yet."""
        async with self._made() as speaker:
            self.sessions.append(speaker)
            yield speaker

    def _made(self) -> AbstractAsyncContextManager[Speaker]:
        if self.is_program:
            return StdioSpeaker(self.target.plan)
        remote = with_sdk("probe.remote", "RemoteSpeaker")
        made: AbstractAsyncContextManager[Speaker] = remote(self.target.plan, self._kinds[0])
        return made

    @property
    def is_program(self) -> bool:
        return self.target.plan.transport == STDIO

    def of_program(self, speaker: Speaker) -> StdioSpeaker:
        if not isinstance(speaker, StdioSpeaker):
            raise NotChecked("only a program that is started has that")
        return speaker

    async def greeted(self, speaker: Speaker, version: str = OFFERED) -> Mapping[str, Any]:
        """The result of `initialize`, after which the server may be used."""
        client = {"name": "pisces-test", "version": __version__}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        result = await speaker.request("initialize", params, self.target.plan.start_seconds)
        if not isinstance(result, dict):
            raise ServerError("`initialize` was answered with something that is no object")
        await speaker.notify("notifications/initialized")
        return result

    async def ask(self, method: str, params: Mapping[str, Any] = EMPTY) -> Any:
        return await self.speaker.request(method, params, self.target.seconds)

    async def refusal(self, method: str, params: Mapping[str, Any]) -> ServerError | Any:
        """The error that a wrong request gets, or its result. `ServerGone` where it kills the server."""
        try:
            result = await self.ask(method, params)
        except ServerGone:
            raise
        except ServerError as error:
            result = error
        await self.ask("ping")
        return result

    async def listing(self, kind: str) -> Listing:
        """NotChecked where the server has no such thing, or cannot list it: one check says so."""
        try:
            return await self.read(kind)
        except ServerError:
            raise NotChecked(f"`{METHODS[kind]}` fails") from None

    async def read(self, kind: str) -> Listing:
        """Read once. `ServerError` where that fails, NotChecked where the server says that it has no such thing."""
        if CAPABILITY[kind] not in self.capabilities:
            raise NotChecked(f"it announces no {CAPABILITY[kind]}")
        if kind not in self._listings:
            try:
                self._listings[kind] = await self._listed(kind)
            except ServerError as error:
                self._listings[kind] = error
        found = self._listings[kind]
        if isinstance(found, ServerError):
            raise found
        return found

    async def _listed(self, kind: str) -> Listing:
        pages: list[tuple[Any, ...]] = []
        cursors: list[str] = []
        while len(pages) < _MOST_PAGES:
            result = await self.ask(METHODS[kind], {"cursor": cursors[-1]} if cursors else {})
            items = result.get(kind) if isinstance(result, dict) else None
            if not isinstance(items, list):
                return Listing(tuple(pages), f"`{METHODS[kind]}` has no list `{kind}`")
            pages.append(tuple(items))
            cursor = result.get("nextCursor")
            if cursor is None:
                return Listing(tuple(pages))
            if not isinstance(cursor, str):
                return Listing(tuple(pages), f"the cursor {cursor!r} is no text")
            if cursor in cursors:
                return Listing(tuple(pages), f"the cursor {cursor!r} comes again and again: no client gets to the end")
            cursors.append(cursor)
        return Listing(tuple(pages), f"there are more than {_MOST_PAGES} pages")
