"""What a connected server is asked, through the SDK's session."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as types
from mcp_types.methods import validate_server_result
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

from mcp import MCPError
from pisces.formats.masking import masked
from pisces.mcp.connection import PROMPTS, REFUSED, RESOURCES, TEMPLATES, TOOLS, ServerError, ServerFacts, ServerGone
from pisces.mcp.sdk_asks import input_given
from pisces.mcp.sdk_listening import Listening
from pisces.mcp.sdk_tasks import needs_task, task_result
from pisces.value import EMPTY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from mcp.shared.dispatcher import ProgressFnT

    from mcp import ClientSession
    from pisces.mcp.connection import Progress
    from pisces.mcp.sdk_requests import Requests
    from pisces.mcp.sdk_streams import End
    from pisces.mcp.sdk_times import CallTimes

_METHODS = {
    TOOLS: "tools/list",
    PROMPTS: "prompts/list",
    RESOURCES: "resources/list",
    TEMPLATES: "resources/templates/list",
}
_SECONDS = 60.0  # for everything but calls of tools, which have a limit of their own
_MOST_PAGES, _MOST_ITEMS = 100, 10_000
_MOST_WEIGHT = 32 << 20  # of a whole list
_MOST_WORDS = 4000  # characters of an error
_MOST_ROUNDS = 10  # of a call that needs input

_AS_IT_CAME: TypeAdapter[Any] = TypeAdapter(Any)
_T = TypeVar("_T")
_Request = types.Request[Any, str]


class SdkConnection:
    """An answer is validated by the SDK for the version that was agreed, and stays the JSON that came."""

    def __init__(
        self,
        session: ClientSession,
        requests: Requests,
        end: End,
        times: CallTimes,
        refusal: Callable[[], str],
    ) -> None:
        self.facts = _facts(session)
        self._session, self._requests, self._end, self._times = session, requests, end, times
        self._refusal = refusal
        self._is_modern = self.facts.protocol in MODERN_PROTOCOL_VERSIONS
        self._tasks: frozenset[str] = frozenset()  # tools that run as a task only
        self._level = ""
        self.listening = Listening(session)
        if self._is_modern:
            self.listening.lists(self.facts.capabilities)

    def when_over(self, call: Callable[[str], object]) -> None:
        self._end.when_over(call)

    async def listed(self, kind: str) -> tuple[Mapping[str, Any], ...]:
        if ("resources" if kind == TEMPLATES else kind) not in self.facts.capabilities:
            return ()
        found: list[Mapping[str, Any]] = []
        async for page in self._pages(kind):
            found += page
        if kind == TOOLS:
            self._tasks = frozenset(each["name"] for each in found if needs_task(each))
        return tuple(found[:_MOST_ITEMS])

    async def _pages(self, kind: str) -> AsyncIterator[list[Mapping[str, Any]]]:
        """Bounded, and no page twice. A server that has no such list after all has an empty one."""
        cursors: set[str | None] = set()
        cursor, count, weight = None, 0, 0
        while cursor not in cursors and len(cursors) < _MOST_PAGES and count < _MOST_ITEMS:
            try:
                page = await self._page(kind, cursor)
            except ServerError as error:
                if error.code != types.METHOD_NOT_FOUND or cursors:
                    raise
                return
            cursors.add(cursor)
            count, weight = count + len(page[kind]), weight + len(repr(page))
            if weight > _MOST_WEIGHT:
                raise ServerError(f"its list of {kind} has more than {_MOST_WEIGHT >> 20} MB")
            yield page[kind]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    async def _page(self, kind: str, cursor: str | None) -> dict[str, Any]:
        if kind != TOOLS or not self._is_modern:
            return await self._answer(_METHODS[kind], {"cursor": cursor} if cursor is not None else {})
        # The SDK has to see these: it puts arguments into headers as the tool's schema says.
        params = types.PaginatedRequestParams(cursor=cursor)
        answer = await self._bounded("tools/list", lambda: self._session.list_tools(params=params), _SECONDS)
        listed: dict[str, Any] = answer.model_dump(by_alias=True, mode="json", exclude_unset=True)
        return listed

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], seconds: float, progress: Progress | None = None
    ) -> Mapping[str, Any]:
        params = {"name": name, "arguments": dict(arguments)}
        if name in self._tasks:
            return await self._bounded("tools/call", lambda: self._by_task(params, seconds, progress), seconds)
        try:
            return await self._answer("tools/call", params, seconds, progress)
        except ServerError as error:
            if not self._is_modern or error.code != types.HEADER_MISMATCH:
                raise
            await self.listed(TOOLS)
            return await self._answer("tools/call", params, seconds, progress)

    async def _by_task(self, params: dict[str, Any], seconds: float, progress: Progress | None) -> dict[str, Any]:
        asked = {**params, "task": {"ttl": int(seconds * 1000)}}
        return await task_result(await self._requests.answer("tools/call", asked, progress), self._send)

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Mapping[str, Any]:
        return await self._answer("prompts/get", {"name": name, "arguments": dict(arguments)})

    async def read(self, uri: str) -> Mapping[str, Any]:
        return await self._answer("resources/read", {"uri": uri})

    async def subscribe(self, uri: str) -> None:
        if self._is_modern:
            self.listening.resource(uri)
        else:
            await self._answer("resources/subscribe", {"uri": uri})

    async def unsubscribe(self, uri: str) -> None:
        if self._is_modern:
            await self.listening.forget(uri)
        else:
            await self._answer("resources/unsubscribe", {"uri": uri})

    async def completions(
        self, reference: Mapping[str, str], name: str, value: str, others: Mapping[str, str] = EMPTY
    ) -> tuple[str, ...]:
        params: dict[str, Any] = {"ref": dict(reference), "argument": {"name": name, "value": value}}
        if others:
            params["context"] = {"arguments": dict(others)}
        answer = await self._answer("completion/complete", params)
        return tuple(answer["completion"]["values"])

    async def set_log_level(self, level: str) -> None:
        """The newer protocol has no request for it: each request says the level."""
        if self._is_modern:
            self._level = level
        else:
            await self._answer("logging/setLevel", {"level": level})

    async def ping(self) -> None:
        await self._answer("server/discover" if self._is_modern else "ping", {})

    async def _answer(
        self, method: str, params: dict[str, Any], seconds: float = _SECONDS, progress: Progress | None = None
    ) -> dict[str, Any]:
        return await self._bounded(method, lambda: self._send(method, params, progress), seconds)

    async def _bounded(self, method: str, ask: Callable[[], Awaitable[_T]], seconds: float) -> _T:
        """The one way to a server. A timeout and a cancelled caller tell the server that nobody waits any more."""
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                with self._times.counted(limit):
                    return await ask()
        except Exception as error:  # noqa: BLE001  # the border with the SDK and with somebody's server
            late = f"`{method}` had no answer after {seconds:g} seconds" if limit.expired() else ""
            raise self._fault(error, late) from None

    async def _send(self, method: str, params: dict[str, Any], progress: Progress | None = None) -> dict[str, Any]:
        if self._is_modern:
            return await self._send_stamped(method, params, progress)
        answer = await self._requests.answer(method, params, progress)
        with suppress(KeyError):  # the version has no such method
            validate_server_result(method, self.facts.protocol, answer)
        return answer

    async def _send_stamped(self, method: str, params: dict[str, Any], progress: Progress | None) -> dict[str, Any]:
        """The newer protocol wants more with each request, which the session knows; and it may want input."""
        callback = _awaited(progress) if progress is not None else None
        if self._level:
            params = {**params, "_meta": {types.LOG_LEVEL_META_KEY: self._level}}
        request = _Request(method=method, params=params)
        answer: dict[str, Any] = await self._session.send_request(request, _AS_IT_CAME, progress_callback=callback)
        for _ in range(_MOST_ROUNDS):
            if answer.get("resultType") != "input_required":
                return answer
            request = _Request(method=method, params={**params, **await input_given(self._session, answer)})
            answer = await self._session.send_request(request, _AS_IT_CAME, progress_callback=callback)
        raise ServerError(f"it asked for more input {_MOST_ROUNDS} times")

    def _fault(self, error: BaseException, late: str) -> ServerError:
        if self._end.reason:
            return ServerGone(self._end.reason)
        if late:
            return ServerGone(late, types.REQUEST_TIMEOUT)
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, ServerError):
            return error
        if isinstance(error, MCPError):
            wanted = self._refusal() if error.message == REFUSED else ""
            if _is_over(error):
                self._end.say("its session is over")
            kind = ServerGone if _is_over(error) or _is_closed(error) else ServerError
            return kind(wanted or masked(error.message[:_MOST_WORDS]), error.code, error.error.data)
        return ServerError(why(error))


def why(error: BaseException) -> str:
    """What went wrong, in one line. What the SDK says of a value that does not fit has many, and the value in it."""
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        return f"its answer does not fit the protocol: {place}: {first['msg']}"
    text = error.message if isinstance(error, MCPError) else str(error)
    return masked(text.strip().partition("\n")[0]) or type(error).__name__


def _is_over(error: MCPError) -> bool:
    """What the SDK says for HTTP 404 in a session: the server has forgotten it, and a new one has to be made."""
    return error.code == types.INVALID_REQUEST and error.message == "Session terminated"


def _is_closed(error: MCPError) -> bool:
    return error.code == types.CONNECTION_CLOSED and error.message == "Connection closed"


def _awaited(given: Progress) -> ProgressFnT:
    async def passed_on(progress: float, total: float | None, message: str | None) -> None:
        given(progress, total, message or "")

    return passed_on


def _facts(session: ClientSession) -> ServerFacts:
    known, can = session.server_info, session.server_capabilities
    return ServerFacts(
        name=known.name if known else "",
        version=known.version if known else "",
        protocol=session.protocol_version or "",
        instructions=session.instructions or "",
        capabilities=can.model_dump(by_alias=True, mode="json", exclude_none=True) if can else EMPTY,
    )
