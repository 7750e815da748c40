"""A server whose lists are compared with what is remembered of it: what differs is held, and never offered or called.

It is compared at each start, whenever the server announces a change, and before a call if a change was announced.
"""

from __future__ import annotations

import asyncio
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import WARNING, Rule
from pisces.discovery.tool_names import plain_name
from pisces.formats.visible import visible
from pisces.mcp.client import CLOSED, UP, McpClient, connected_by_sdk
from pisces.mcp.connection import PROMPTS, TOOLS, ServerError, ServerGone
from pisces.mcp.fingerprint import (
    INSTRUCTIONS,
    PROMPT,
    TOOL,
    instruction_items,
    key_of,
    listed_items,
    name_in,
    of_kind,
)
from pisces.mcp.fingerprint_store import FAILURES, launch_of, memory_of, remember
from pisces.mcp.review import SeenList, accepted, difference_lines, review_hash, reviewed
from pisces.shapes.server_requests import ToolsRequest
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pisces.diagnostics import Diagnostic
    from pisces.mcp.client import MayStart
    from pisces.mcp.connection import Connect, Connection, Progress, ServerAsks
    from pisces.mcp.fingerprint import Items
    from pisces.mcp.fingerprint_store import ServerMemory
    from pisces.mcp.plan import ServerPlan
    from pisces.places import Places

TOOLS_HELD = Rule("mcp-tools-held", WARNING, "A server changed what it says to the model, and nobody has reviewed that")

CHANGES = ("notifications/tools/list_changed", "notifications/prompts/list_changed")
SETTLING = 1.0  # seconds after a first start in which changes belong to the first list
_MOST_ROUNDS = 3  # of one comparison, for servers whose list changes while it is read
_FEW, _SHORT = 5, 80  # items and characters in one message
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 30.0  # seconds before a list is read again by itself


class ToolHeld(ServerError):
    """The tool is there, and is not called before somebody has reviewed it."""


class ReviewScene(Value):
    """`ask` puts a question to the user; None where nobody can be asked. `changed` hears that other items are offered.

    `reviewed` hears of a review that the user answered with yes.
    """

    places: Places
    ask: Callable[[ToolsRequest], Awaitable[bool]] | None = None
    changed: Callable[[ReviewedServer], object] = lambda _server: None
    reviewed: Callable[[ReviewedServer, str], object] = lambda _server, _hash: None


class ReviewedServer(McpClient):
    """`offered` are the items that may be shown and used, `held` the others with the reason; both by key.

    Before the server has been started, `offered` is what is remembered.
    """

    def __init__(
        self,
        plan: ServerPlan,
        asks: ServerAsks,
        may_start: MayStart,
        scene: ReviewScene,
        connect: Connect = connected_by_sdk,
    ) -> None:
        self._hear = asks.notified
        self._variant = "+".join(name for name in ("roots", "elicit", "sample") if getattr(asks, name) is not None)
        super().__init__(plan, asks.replace(notified=self._notified), may_start, connect)
        self._scene = scene
        self._memory = memory_of(plan, scene.places)
        self.offered: Items = self._remembered()
        self.held: Mapping[str, str] = {}
        self.list_problem = ""  # why the list of a server that is there cannot be read
        self._lock = asyncio.Lock()
        self._compared: Connection | None = None
        self._is_stale = False
        self._settles_at = 0.0
        self._pause, self._last_read = _FIRST_PAUSE, 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._refresh: asyncio.Task[Any] | None = None
        self._question: asyncio.Task[Any] | None = None
        self._was_asked: set[str] = set()

    @property
    def tool_items(self) -> dict[str, Mapping[str, Any]]:
        """The tools that may be called, by the server's own names."""
        return of_kind(self.offered, TOOL)

    @property
    def prompt_items(self) -> dict[str, Mapping[str, Any]]:
        return of_kind(self.offered, PROMPT)

    @property
    def instructions(self) -> str:
        return str(self.offered.get(INSTRUCTIONS, {}).get("text", ""))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        if not self.held:
            return ()
        few = [(visible(name_in(key) or key)[:_SHORT], why) for key, why in list(self.held.items())[:_FEW]]
        names = ", ".join(f"`{name}` ({visible(why)})" for name, why in few)
        more = f" and {len(self.held) - _FEW} more" if len(self.held) > _FEW else ""
        message = f"the server `{self.name}` offers what nobody has reviewed, so it is held: {names}{more}"
        hint = f"`pisces mcp review {quote(self.name)}` shows the difference and asks"
        return (TOOLS_HELD.at(self.plan.found.source.path, message, hint=hint, about=self.name),)

    async def tools(self) -> tuple[Mapping[str, Any], ...]:
        await self.compare()
        return tuple(self.tool_items.values())

    async def prompts(self) -> tuple[Mapping[str, Any], ...]:
        await self.compare()
        return tuple(self.prompt_items.values())

    async def call(
        self, tool: str, arguments: Mapping[str, Any], progress: Progress | None = None
    ) -> Mapping[str, Any]:
        await self.use(key_of(TOOL, tool))
        return await super().call(tool, arguments, progress)

    async def use(self, key: str) -> None:
        """Returns if an item may be used now. Raises `ToolHeld`, or `ServerError` if the server has no such item."""
        await self.compare()
        if key in self.held and await self._has_answer():
            await self.compare()
        if key in self.held:
            raise ToolHeld(self.held_text(key))
        if key not in self.offered:
            raise ServerError(f"the server `{self.name}` offers no {key.replace(' ', ' `', 1)}`")

    def held_text(self, key: str) -> str:
        """What a model reads that wants to use it: nothing in it is the server's own text."""
        kind, name = key.partition(" ")[0], plain_name(name_in(key))[:_SHORT]
        why = self.held.get(key, "")
        shown = why if why == "it is new" or why.startswith("changed: ") else "somebody has to read it first"
        server = plain_name(self.name)[:_SHORT]  # a project chooses it
        review = f"pisces mcp review {server}" if server == self.name else "pisces mcp review"
        return f"the {kind} `{name}` of the server `{server}` is held: {shown}. The user reviews it: {review}"

    async def settled(self) -> None:
        """Started and compared, and the user has answered, if there was a question."""
        await self.compare()
        if await self._has_answer():
            await self.compare()

    async def _has_answer(self) -> bool:
        """Waits for the user if there is a question; whether there was one."""
        if self._question is not None:
            await asyncio.wait([self._question])
        return self._question is not None

    async def compare(self) -> None:
        """Makes sure that the current list has been compared. Raises `ServerError` if there is none."""
        made = await self.start()
        if made is self._compared and not self._is_stale:
            return
        async with self._lock:
            for _ in range(_MOST_ROUNDS):
                made = await self.start()
                if made is self._compared and not self._is_stale:
                    return
                self._is_stale = False
                try:
                    await self._read(made)
                    self.list_problem = ""
                except BaseException as error:
                    self._is_stale = True
                    self._forget(error)
                    raise

    async def _read(self, made: Connection) -> None:
        seen = await self._seen(made)
        self._memory = memory_of(self.plan, self._scene.places)
        is_first = self._variant not in self._memory.asked and not self._memory.problem
        self._settles_at = monotonic() + SETTLING if is_first else self._settles_at if made is self._compared else 0.0
        after = reviewed(self._memory, self.plan, seen, is_settling=monotonic() < self._settles_at)
        offered, held = self._stored(after.memory, after.offered, after.held)
        self.offered = {key: item for key, item in offered.items() if self._may_offer(key)}
        self.held = {key: why for key, why in held.items() if self._may_offer(key)}
        self._compared, self._last_read = made, monotonic()
        self._ask()
        self._scene.changed(self)
        if is_first:  # servers over HTTP announce what they add before anybody listens
            self._read_again()

    def _forget(self, error: BaseException) -> None:
        """A list that cannot be read says nothing about what was offered before. One that did not come yet may."""
        if isinstance(error, ServerError) and not isinstance(error, ServerGone):
            self.offered, self.held, self.list_problem = {}, {}, str(error)
            self._scene.changed(self)

    async def _seen(self, made: Connection) -> SeenList:
        items, wrong = listed_items(TOOL, await made.listed(TOOLS))
        try:
            prompts, odd = listed_items(PROMPT, await made.listed(PROMPTS))
        except ServerError:
            prompts, odd = {}, {}
        every = {**items, **prompts, **instruction_items(made.facts.instructions)}
        return SeenList(every, {**wrong, **odd}, made.facts.version, self._variant)

    def _stored(self, memory: ServerMemory, offered: Items, held: Mapping[str, str]) -> tuple[Items, Mapping[str, str]]:
        """What cannot be remembered at the first use would be a first use for ever: then everything is held."""
        if memory == self._memory or memory.problem:
            return offered, held
        before = self._memory
        try:
            self._memory = remember(memory, self._scene.places, lambda now: memory if now == before else now)
        except FAILURES as error:
            if memory.items == before.items:
                return offered, held
            return {}, {**dict.fromkeys(offered, f"it cannot be remembered: {error}"), **held}
        self._is_stale |= self._memory != memory  # somebody else wrote meanwhile
        return offered, held

    def _remembered(self) -> Items:
        if self._memory.launch != launch_of(self.plan):
            return {}
        return {key: item for key, item in self._memory.offered.items() if self._may_offer(key)}

    def _may_offer(self, key: str) -> bool:
        return not key.startswith(f"{TOOL} ") or self.plan.offers(name_in(key))

    def _ask(self) -> None:
        """Once about each difference."""
        memory = self._memory
        if self._scene.ask is None or memory.seen is None or not self.held or self.state == CLOSED:
            return
        which = review_hash(memory)
        if which not in self._was_asked and which != memory.rejected:
            self._was_asked.add(which)
            self._question = self._task(self._answered(memory, which))

    async def _answered(self, memory: ServerMemory, which: str) -> None:
        source, ask = self.plan.found.source, self._scene.ask
        request = ToolsRequest("\n".join(difference_lines(memory)), self.name, source.path, source.level, which)
        if ask is None or not await ask(request):
            return
        try:
            remember(memory, self._scene.places, lambda now: accepted(now) if review_hash(now) == which else now)
        except FAILURES:
            return  # it stays held
        self._scene.reviewed(self, which)
        self._is_stale = True

    def _notified(self, method: str, params: Mapping[str, Any]) -> object:
        if method in CHANGES:
            self._read_again()
        return self._hear(method, params)

    def _read_again(self) -> None:
        """Soon, and not more often than a list can change for a good reason. Calls do not wait for that."""
        self._is_stale = True
        if self.state == CLOSED or (self._refresh is not None and not self._refresh.done()):
            return
        is_calm = monotonic() - self._last_read > _LONGEST_PAUSE
        self._pause = _FIRST_PAUSE if is_calm else min(self._pause * 2, _LONGEST_PAUSE)
        self._refresh = self._task(self._refreshed(self._pause))

    async def _refreshed(self, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            if self.state == UP:
                await self.compare()
        except ServerError:
            return  # whoever needs the server gets the error
        finally:
            self._refresh = None

    def _task(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, name=f"pisces: list of {self.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await super().close()
        if tasks:
            await asyncio.wait(tasks)
