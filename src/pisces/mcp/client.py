"""One server of a host: idle until it is used, then owned by one task, which connects, waits and closes.

Calls may come from any task. A server that dies, hangs or lies fails its own callers and nobody else. One that failed
is started again by the next caller, but not before its back-off is over.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib.util import find_spec
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.masking import masked
from pisces.mcp.connection import PROMPTS, RESOURCES, TEMPLATES, TOOLS, ServerAsks, ServerError, ServerFacts, ServerGone
from pisces.mcp.server_run import CLOSE_SECONDS, ServerRun

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pisces.mcp.connection import Connect, Connection, Progress
    from pisces.mcp.plan import ServerPlan
    from pisces.shapes.verdict import Verdict

    MayStart = Callable[[ServerPlan], Awaitable[Verdict]]

IDLE, ASKED, STARTING, UP, FAILED, REFUSED, CLOSED = "idle", "asked", "starting", "up", "failed", "refused", "closed"
STATES = (IDLE, ASKED, STARTING, UP, FAILED, REFUSED, CLOSED)

_LONGEST_BACK_OFF = 60.0  # seconds; a server that ran for so long begins with the shortest one again

SDK_MISSING = Rule("mcp-sdk-missing", ERROR, "the MCP SDK is not installed")


def with_sdk(file: str, export: str) -> Any:
    """What a file that needs the SDK exports. Raises `PiscesError` with the command that installs it."""
    try:
        return export_of("pisces.mcp", file, export)
    except ImportError as error:
        hint = 'run `pip install "pisces-agent[mcp]"`'
        is_there = find_spec("mcp") is not None
        why = f", and the one that is installed cannot be used ({error})" if is_there else ""
        raise PiscesError(SDK_MISSING.at("", f"MCP servers need the official SDK{why}", hint=hint)) from error


def connected_by_sdk(plan: ServerPlan, asks: ServerAsks) -> Any:
    """Loads the SDK with the first server that is used."""
    return with_sdk("sdk", "connected")(plan, asks)


class McpClient:
    """`may_start` decides before anything is started or reached; `state` and `reason` say what became of it."""

    def __init__(
        self, plan: ServerPlan, asks: ServerAsks, may_start: MayStart, connect: Connect = connected_by_sdk
    ) -> None:
        self.plan, self.state, self.reason = plan, IDLE, ""
        self.facts = ServerFacts()
        self._asks, self._may_start, self._connect = asks, may_start, connect
        self._run: ServerRun | None = None
        self._watchers: list[Callable[[McpClient], object]] = []
        self._failures, self._retry_at, self._up_since = 0, 0.0, 0.0

    @property
    def name(self) -> str:
        return self.plan.name

    def watch(self, call: Callable[[McpClient], object]) -> None:
        """Called after each change of `state`, in the loop of the server. What it raises is ignored."""
        self._watchers.append(call)

    async def start(self) -> Connection:
        """The connection, made if there is none. Raises `ServerGone` with the reason."""
        run, loop = self._run, asyncio.get_running_loop()
        if self.state == UP and run is not None and run.made is not None and run.loop is loop:
            return run.made
        if self.state == CLOSED:
            raise self._gone()
        if run is None or run.is_over:
            if monotonic() < self._retry_at:
                raise self._gone()
            run = self._run = ServerRun(loop)
            run.own(self._own(run), f"pisces: server {self.name}")
        elif run.loop is not loop:
            raise ServerGone(f"the server `{self.name}` was started in another event loop")
        elif self.state == FAILED:  # it is being ended
            raise self._gone()
        return await asyncio.shield(run.ready)

    async def _own(self, run: ServerRun) -> None:
        try:
            self._become(ASKED)
            refused = await self._refusal()
            if refused:
                self._fail(run, REFUSED, refused)
                return
            self._become(STARTING)
            # A connection has its own limit, with a better reason. This one is for those that have none.
            limit = asyncio.timeout(self.plan.start_seconds + CLOSE_SECONDS)
            async with limit, self._connect(self.plan, self._asks) as made:
                limit.reschedule(None)
                self._note_up(run, made)
                await run.stop
        except asyncio.CancelledError:
            self._become(IDLE)
            raise
        except TimeoutError:
            self._fail(run, FAILED, f"it was not ready after {self.plan.start_seconds:g} seconds")
        except PiscesError as error:
            self._fail(run, FAILED, f"{error.diagnostic.message}: {error.diagnostic.hint}")
        except Exception as error:  # noqa: BLE001  # the border with somebody's server and with the SDK
            self._fail(run, FAILED, str(error) or type(error).__name__)
        finally:
            run.fail(self._gone())

    async def _refusal(self) -> str:
        """Why it may not be started; empty if it may. Who cannot answer does not allow."""
        try:
            verdict = await self._may_start(self.plan)
            return "" if verdict.is_allowed is True else verdict.why or "it may not be started"
        except Exception as error:  # noqa: BLE001  # the border with whoever decides
            return f"whoever decides has failed: {masked(str(error)) or type(error).__name__}"

    def _note_up(self, run: ServerRun, made: Connection) -> None:
        self.facts, self._up_since = made.facts, monotonic()
        run.succeed(made)
        self._become(UP)
        made.when_over(lambda why: self._fail(run, FAILED, why))

    def _fail(self, run: ServerRun, state: str, why: str) -> None:
        """Once for each run: what goes wrong while it is being ended is no new failure."""
        if self._run is not run or self.state in (CLOSED, FAILED, REFUSED):
            return
        if state == FAILED:
            was_stable = self.state == UP and monotonic() - self._up_since >= _LONGEST_BACK_OFF
            self._failures = 1 if was_stable else self._failures + 1
            self._retry_at = monotonic() + min(2.0 ** min(self._failures - 1, 10), _LONGEST_BACK_OFF)
        self._become(state, why)
        run.fail(self._gone())
        run.end()

    def _become(self, state: str, reason: str = "") -> None:
        if self.state == CLOSED:
            return
        self.state, self.reason = state, reason
        for call in self._watchers:
            with suppress(Exception):  # the border with the caller: no watcher can stop a server or keep it
                call(self)

    def _gone(self) -> ServerGone:
        if self.state == CLOSED:
            return ServerGone(f"the server `{self.name}` is closed")
        left = self._retry_at - monotonic()
        again = f" (it is not started again for {ceil(left)} s)" if left > 0 else ""
        return ServerGone(f"the server `{self.name}` is not there: {self.reason or 'it was ended'}{again}")

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
        made = await self.start()
        try:
            return await made.call_tool(tool, arguments, self.plan.call_seconds, progress)
        except ServerGone as error:
            if self.state == UP:
                raise ServerGone(f"the server `{self.name}`: {error}", error.code, error.data) from None
            raise self._gone() from None

    async def close(self) -> None:
        """Bounded, from any task and from any event loop. Calls that are under way fail at once."""
        run = self._run
        self._become(CLOSED, self.reason)
        if run is None or run.is_over:
            return
        if run.loop is asyncio.get_running_loop():
            await run.closed()
        elif run.loop.is_running():
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run.closed(), run.loop))
