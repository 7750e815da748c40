"""What a connected server is asked, through the SDK's session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

from mcp import MCPError
from pisces.formats.masking import masked
from pisces.mcp.connection import PROMPTS, RESOURCES, TEMPLATES, TOOLS, ServerError, ServerFacts, ServerGone
from pisces.value import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.shared.dispatcher import ProgressFnT
    from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

    from mcp import ClientSession
    from pisces.mcp.connection import Progress
    from pisces.mcp.sdk_streams import End

_METHODS = {
    TOOLS: "tools/list",
    PROMPTS: "prompts/list",
    RESOURCES: "resources/list",
    TEMPLATES: "resources/templates/list",
}
_SECONDS = 60.0  # for everything but calls of tools, which have a limit of their own
_MOST_PAGES, _MOST_ITEMS = 100, 10_000

_AS_IT_CAME: TypeAdapter[Any] = TypeAdapter(Any)
_Request = types.Request[Any, str]


class SdkConnection:
    """An answer is validated by the SDK for the version that was agreed, and stays the JSON that came."""

    def __init__(self, session: ClientSession, dispatcher: JSONRPCDispatcher[Any], end: End) -> None:
        self.facts = _facts(session)
        self._session, self._dispatcher, self._end = session, dispatcher, end

    def when_over(self, call: Callable[[str], object]) -> None:
        self._end.when_over(call)

    async def listed(self, kind: str) -> tuple[Mapping[str, Any], ...]:
        if ("resources" if kind == TEMPLATES else kind) not in self.facts.capabilities:
            return ()
        found: list[Mapping[str, Any]] = []
        cursors: set[str | None] = set()
        cursor: str | None = None
        while cursor not in cursors and len(cursors) < _MOST_PAGES and len(found) < _MOST_ITEMS:
            cursors.add(cursor)
            try:
                page = await self._answer(_METHODS[kind], {"cursor": cursor} if cursor is not None else {})
            except ServerError as error:
                if error.code != types.METHOD_NOT_FOUND or found:
                    raise
                return ()
            found += page[kind]
            cursor = page.get("nextCursor")
            if cursor is None:
                break
        return tuple(found[:_MOST_ITEMS])

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], seconds: float, progress: Progress | None = None
    ) -> Mapping[str, Any]:
        return await self._answer("tools/call", {"name": name, "arguments": dict(arguments)}, seconds, progress)

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Mapping[str, Any]:
        return await self._answer("prompts/get", {"name": name, "arguments": dict(arguments)})

    async def read(self, uri: str) -> Mapping[str, Any]:
        return await self._answer("resources/read", {"uri": uri})

    async def subscribe(self, uri: str) -> None:
        await self._answer("resources/subscribe", {"uri": uri})

    async def unsubscribe(self, uri: str) -> None:
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
        await self._answer("logging/setLevel", {"level": level})

    async def ping(self) -> None:
        await self._answer("ping", {})

    async def _answer(
        self, method: str, params: dict[str, Any], seconds: float = _SECONDS, progress: Progress | None = None
    ) -> dict[str, Any]:
        """The one way to a server. A timeout and a cancelled caller tell the server that nobody waits any more."""
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                answer: dict[str, Any] = await self._session.send_request(
                    _Request(method=method, params=params),
                    _AS_IT_CAME,
                    progress_callback=_awaited(progress) if progress is not None else None,
                )
                return answer
        except Exception as error:  # noqa: BLE001  # the border with the SDK and with somebody's server
            late = f"`{method}` had no answer after {seconds:g} seconds" if limit.expired() else ""
            raise self._fault(error, late) from None

    def _fault(self, error: Exception, late: str) -> ServerError:
        if self._end.reason:
            return ServerGone(self._end.reason)
        if late:
            return ServerGone(late, types.REQUEST_TIMEOUT)
        if isinstance(error, MCPError):
            kind = ServerGone if _is_closed(error) else ServerError
            return kind(masked(error.message), error.code, error.error.data)
        return ServerError(why(error))


def why(error: BaseException) -> str:
    """What went wrong, in one line. What the SDK says of a value that does not fit has many, and the value in it."""
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        return f"its answer does not fit the protocol: {place}: {first['msg']}"
    text = error.message if isinstance(error, MCPError) else str(error)
    return masked(text.strip().partition("\n")[0]) or type(error).__name__


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
