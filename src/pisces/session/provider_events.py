"""What modules make of a request as its provider gets it: the raw body, its headers without any key, and the head of
the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pisces.shapes.events.provider import AfterProviderResponse, BeforeProviderHeaders, BeforeProviderRequest

if TYPE_CHECKING:
    from pisces.host.host import Host

_SECRET = frozenset(("set-cookie", "www-authenticate", "proxy-authenticate"))


def provider_watch(host: Host) -> ProviderWatch | None:
    """None where nobody listens."""
    events = (BeforeProviderRequest(None), BeforeProviderHeaders({}), AfterProviderResponse(0))
    return ProviderWatch(host) if any(map(host.hears, events)) else None


class ProviderWatch:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def body(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """What is no object is not sent."""
        event = BeforeProviderRequest(body)
        if not self._host.hears(event):
            return body
        payload = (await self._host.emit(event)).payload
        return payload if isinstance(payload, Mapping) else body

    async def headers(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        event = BeforeProviderHeaders(headers)
        if not self._host.hears(event):
            return headers
        made = (await self._host.emit(event)).headers
        return {name: value for name, value in made.items() if isinstance(name, str) and isinstance(value, str)}

    async def answered(self, status: int, headers: Mapping[str, str]) -> None:
        event = AfterProviderResponse(status)
        if self._host.hears(event):
            shown = {name: value for name, value in headers.items() if name.lower() not in _SECRET}
            await self._host.emit(event.replace(headers=shown))
