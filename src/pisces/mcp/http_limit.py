"""An answer over HTTP weighs at most so much. A stream of events has no end: the SDK bounds each event itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

from pisces.mcp.connection import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_EVENTS = "text/event-stream"
_END_SECONDS = 2.0


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                # The SDK answers the one call with this class of error, and goes on.
                raise httpx2.StreamError(f"the answer has more than {MOST_BYTES >> 20} MB and was dropped")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def bounded(response: httpx2.Response) -> None:
    """A hook for each response. Nothing is unpacked, because a small answer could become a huge one: we ask for none
    that is packed, and one that comes nevertheless is not JSON.
    """
    response.headers.pop("content-encoding", None)
    if not response.headers.get("content-type", "").lower().startswith(_EVENTS):
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Bounded(response.stream)


async def brief_end(request: httpx2.Request) -> None:
    """A hook for each request. A session is ended with DELETE, which must not hold up our own end."""
    if request.method == "DELETE":
        request.extensions["timeout"] = dict.fromkeys(("connect", "read", "write", "pool"), _END_SECONDS)
