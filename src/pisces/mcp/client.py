"""One server of a host: idle until it is used, then owned by one task, which connects, waits and closes.

Calls may come from any task. A server that dies, hangs or lies fails its own callers and nobody else.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.mcp.connection import PROMPTS, RESOURCES, TEMPLATES, TOOLS, ServerAsks, ServerError, ServerFacts, ServerGone

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pisces.mcp.connection import Connect, Connection, Progress
    from pisces.mcp.plan import ServerPlan
    from pisces.shapes.verdict import Verdict

    MayStart = Callable[[ServerPlan], Awaitable[Verdict]]

IDLE, ASKED, STARTING, UP, FAILED, REFUSED, CLOSED = "idle", "asked", "starting", "up", "failed", "refused", "closed"
STATES = (IDLE, ASKED, STARTING, UP, FAILED, REFUSED, CLOSED)

_CLOSE_SECONDS = 5.0

SDK_MISSING = Rule("mcp-sdk-missing", ERROR, "the MCP SDK is not installed")


def connected_by_sdk(plan: ServerPlan, asks: ServerAsks) -> Any:
    """Loads the SDK. Raises `PiscesError` with the command that installs it where it is missing."""
    try:
        connected = export_of("pisces.mcp", "sdk", "connected")
    except ImportError as error:
        hint = 'run `pip install "pisces-agent[mcp]"`'
        raise PiscesError(SDK_MISSING.at("", "MCP servers need the official SDK", hint=hint)) from error
    return connected(plan, asks)


class McpClient:
    """`may_start` decides before anything is started or reached; `state` and `reason` say what became of it."""

    def __init__(
        self, plan: ServerPlan, asks: ServerAsks, may_start: MayStart, connect: Connect = connected_by_sdk
    ) -> None:
        self.plan, self.state, self.reason = plan, IDLE, ""
        self.facts = ServerFacts()
        self._asks, self._may_start, self._connect = asks, may_start, connect
        self._owner: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Connection] | None = None
        self._stop: asyncio.Event | None = None

    @property
    def name(self) -> str:
        return self.plan.name

    async def start(self) -> Connection:
        """The connection, made if there is none. Raises `ServerGone` with the reason."""
        if self.state == CLOSED:
            raise ServerGone(f"the server `{self.name}` is closed")
        if self._owner is None or self._owner.done():
            loop = asyncio.get_running_loop()
            self._ready, self._stop = loop.create_future(), asyncio.Event()
            self._ready.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._owner = loop.create_task(self._own(self._ready, self._stop), name=f"pisces: server {self.name}")
        assert self._ready is not None
        return await asyncio.shield(self._ready)

    async def _own(self, ready: asyncio.Future[Connection], stop: asyncio.Event) -> None:
        try:
            self.state = ASKED
            verdict = await self._may_start(self.plan)
            if not verdict.is_allowed:
                self._fail(ready, REFUSED, verdict.why or "it may not be started")
                return
            self.state = STARTING
            async with asyncio.timeout(self.plan.start_seconds) as limit, self._connect(self.plan, self._asks) as made:
                limit.reschedule(None)
                self.state, self.facts = UP, made.facts
                ready.set_result(made)
                await stop.wait()
        except TimeoutError:
            self._fail(ready, FAILED, f"it was not ready after {self.plan.start_seconds:g} seconds")
        except asyncio.CancelledError:
            self._fail(ready, CLOSED, "it was closed while it started")
            raise
        except Exception as error:  # noqa: BLE001  # the border with somebody's server and with the SDK
            self._fail(ready, FAILED, str(error) or type(error).__name__)

    def _fail(self, ready: asyncio.Future[Connection], state: str, why: str) -> None:
        self.state, self.reason = state, why
        if not ready.done():
            ready.set_exception(ServerGone(f"the server `{self.name}` is not there: {why}"))

    async def tools(self) -> tuple[Mapping[str, Any], ...]:
        """What it may offer of what it has."""
        return tuple(each for each in await (await self.start()).listed(TOOLS) if self.plan.offers(str(each["name"])))

    async def prompts(self) -> tuple[Mapping[str, Any], ...]:
        return await (await self.start()).listed(PROMPTS)

    async def resources(self) -> tuple[Mapping[str, Any], ...]:
        return await (await self.start()).listed(RESOURCES)

    async def templates(self) -> tuple[Mapping[str, Any], ...]:
        return await (await self.start()).listed(TEMPLATES)

    async def call(
        self, tool: str, arguments: Mapping[str, Any], progress: Progress | None = None
    ) -> Mapping[str, Any]:
        if not self.plan.offers(tool):
            raise ServerError(f"the server `{self.name}` may not offer `{tool}`")
        return await (await self.start()).call_tool(tool, arguments, self.plan.call_seconds, progress)

    async def close(self) -> None:
        owner, self.state = self._owner, CLOSED
        if owner is None or owner.done():
            return
        if self._ready is not None and self._ready.done() and self._stop is not None:
            self._stop.set()
        else:
            owner.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait([owner], timeout=_CLOSE_SECONDS)
