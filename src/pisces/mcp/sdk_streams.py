"""What comes from a server, on its way to the SDK: notifications are passed on as they are, and the end is noticed.

The SDK would validate each notification in a task of its own and drop those that it does not know.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mcp_types import JSONRPCNotification

from pisces.formats.masking import masked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from mcp.shared.message import SessionMessage

    from pisces.mcp.sdk_requests import Requests

    Notified = Callable[[str, Mapping[str, Any]], object]

# The SDK finds by these whose call is meant.
_FOR_SDK = ("notifications/progress", "notifications/cancelled", "notifications/subscriptions/acknowledged")
_MOST_REPORTS = 20  # of lines that are no messages


class End:
    """Why a connection is over, once it is."""

    def __init__(self) -> None:
        self.reason = ""
        self._calls: list[Callable[[str], object]] = []

    def when_over(self, call: Callable[[str], object]) -> None:
        if self.reason:
            call(self.reason)
        else:
            self._calls.append(call)

    def say(self, reason: str) -> None:
        if not self.reason:
            self.reason = reason
            for call in self._calls:
                call(reason)


class Reports:
    """Notifications to the user of a connection, who must not be able to break it."""

    def __init__(self, notified: Notified) -> None:
        self._notified, self._junk = notified, 0

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        with suppress(Exception):  # the border with the caller: the next message still counts
            self._notified(method, params)

    def junk(self, what: str) -> None:
        """As a log message of ours. A server that writes nothing else is not repeated for ever."""
        self._junk += 1
        if self._junk <= _MOST_REPORTS:
            more = " (more are not reported)" if self._junk == _MOST_REPORTS else ""
            self.notify("notifications/message", {"level": "warning", "logger": "pisces", "data": what + more})


class Heard:
    """The SDK's read stream, around one that a transport made."""

    def __init__(self, stream: Any, reports: Reports, end: End, requests: Requests) -> None:
        self._stream, self._reports, self._end, self._requests = stream, reports, end, requests

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._requests.close()
        await self._stream.__aexit__(*error)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def receive(self) -> SessionMessage:
        return await self._stream.receive()  # type: ignore[no-any-return]

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        while True:
            try:
                item: SessionMessage | Exception = await self._stream.__anext__()
            except StopAsyncIteration:
                self._end.say(getattr(self._stream, "reason", "") or "the connection was closed")
                self._requests.close()
                raise
            if isinstance(item, Exception):
                self._reports.junk(masked(str(item)[:200]))
            elif self._is_for_sdk(item.message):
                return item

    def _is_for_sdk(self, message: Any) -> bool:
        if not isinstance(message, JSONRPCNotification):
            return not self._requests.take(message)
        params = message.params or {}
        is_ours = message.method == "notifications/progress" and self._requests.note_progress(params)
        self._reports.notify(message.method, params)
        return message.method in _FOR_SDK and not is_ours
