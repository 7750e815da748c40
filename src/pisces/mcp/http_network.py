"""The network as servers and logins see it: the user's proxies, verified TLS, bounded answers, one origin.

httpx2 would take proxies from the process; ours come from the environment that the caller was given, and what is on
this machine is never asked for through a proxy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # typeshed does not know it

import httpx2

from pisces.mcp.http_address import HTTP, HTTPS, Origin, origin_of, shown_address

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Mapping

LARGEST_ANSWER = 64 * 1024 * 1024  # bytes; an event of a stream is limited by the SDK to the same
CONNECT_SECONDS = 15.0

_EVENTS = "text/event-stream"


class TooLarge(httpx2.StreamError):
    """A server sends more than anybody would read."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the answer is larger than {limit} bytes")


def proxy_for(url: str, env: Mapping[str, str]) -> str:
    """The proxy that the user's environment names for an address; empty for none."""
    origin = origin_of(url)
    if origin is None or origin.is_loopback:
        return ""
    named = {name.lower(): value for name, value in sorted(env.items()) if name.lower().endswith("_proxy")}
    if "REQUEST_METHOD" in env:  # a CGI program: HTTP_PROXY would come from whoever asks
        named.pop("http_proxy", None)
    skipped = named.get("no_proxy", "")
    if skipped and proxy_bypass_environment(f"{origin.host}:{origin.port}", {"no": skipped}):
        return ""
    proxy = named.get(f"{origin.scheme}_proxy") or named.get("all_proxy") or ""
    return proxy if "://" in proxy or not proxy else f"http://{proxy}"


class Network(httpx2.AsyncBaseTransport):
    """`only` is the origin that every request must be for, so that no credential reaches another one.

    An answer that is no stream of events has at most `largest` bytes. Answers are asked for without compression,
    because a small compressed one can be large.
    """

    def __init__(self, env: Mapping[str, str], only: Origin | None = None, largest: int = LARGEST_ANSWER) -> None:
        self._env, self._only, self._largest = env, only, largest
        self._by_proxy: dict[str, httpx2.AsyncHTTPTransport] = {}
        self._tls: ssl.SSLContext | None = None

    async def _answered(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        origin = origin_of(url)
        if origin is None or not (self._only is None or _is_same_or_safer(origin, self._only)):
            raise httpx2.UnsupportedProtocol(f"{shown_address(url)} is not where this server is", request=request)
        request.headers["Accept-Encoding"] = "identity"
        response = await self._transport(url).handle_async_request(request)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("the answer is compressed, which was not asked for", request=request)
        if not response.headers.get("Content-Type", "").lower().startswith(_EVENTS):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _Bounded(response.stream, self._largest)
        return response

    handle_async_request = _answered  # what httpx2 calls

    def _transport(self, url: str) -> httpx2.AsyncHTTPTransport:
        proxy = proxy_for(url, self._env)
        if proxy not in self._by_proxy:
            self._tls = self._tls or httpx2.create_ssl_context()
            self._by_proxy[proxy] = httpx2.AsyncHTTPTransport(verify=self._tls, trust_env=False, proxy=proxy or None)
        return self._by_proxy[proxy]

    async def aclose(self) -> None:
        for transport in self._by_proxy.values():
            await transport.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inside: httpx2.AsyncByteStream, limit: int) -> None:
        self._inside, self._limit = inside, limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        came = 0
        async for chunk in self._inside:
            came += len(chunk)
            if came > self._limit:
                raise TooLarge(self._limit)
            yield chunk

    async def aclose(self) -> None:
        await self._inside.aclose()


def _is_same_or_safer(origin: Origin, only: Origin) -> bool:
    if origin == only:
        return True
    upgraded = (only.scheme, only.port, origin.scheme, origin.port) == (HTTP, 80, HTTPS, 443)
    return upgraded and origin.host == only.host
