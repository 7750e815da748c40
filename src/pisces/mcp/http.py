"""The HTTP client of one server: its headers and its token go to its own origin and nowhere else.

A call has its own timeout, so a stream that says nothing for minutes is no fault of the connection. Redirects are
followed by the transports, and within the origin only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2

from pisces.mcp.connection import MOST_BYTES
from pisces.mcp.http_address import checked_address, has_credentials
from pisces.mcp.http_headers import helper_headers
from pisces.mcp.http_network import CONNECT_SECONDS, Network
from pisces.mcp.oauth import oauth_entry
from pisces.mcp.oauth_bearer import Bearer, needs_login
from pisces.mcp.tokens import TokenStore
from pisces.value import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.plan import ServerPlan

_SECONDS = 30.0  # to write and to wait for a free connection
_END_SECONDS = 2.0


class ServerClient(httpx2.AsyncClient):
    """`reason` says why the server refused the last request, if what it wants is known; else it is empty."""

    def __init__(self, plan: ServerPlan) -> None:
        origin = checked_address(plan)
        env: Mapping[str, str] = plan.places.env if plan.places else EMPTY
        self.bearer = _bearer(plan, env) if origin.is_private_enough else None
        self._plan, self._env = plan, env
        self._needs_headers = bool(plan.headers_helper)
        self._is_refused = False
        super().__init__(
            auth=self.bearer,
            headers=dict(plan.headers),
            timeout=httpx2.Timeout(_SECONDS, connect=CONNECT_SECONDS, read=None),
            transport=Network(env, origin, MOST_BYTES),
            trust_env=False,
            event_hooks={"request": [_brief_end], "response": [self._note]},
        )

    @property
    def reason(self) -> str:
        if self.bearer is not None:
            return self.bearer.reason
        if not self._is_refused:
            return ""
        return (
            "it refuses the credentials of its entry" if has_credentials(self._plan) else needs_login(self._plan.name)
        )

    async def send(self, request: httpx2.Request, **given: Any) -> httpx2.Response:
        """The program for headers runs before the first request, and once for a connection."""
        if self._needs_headers:
            made = await helper_headers(self._plan, self._env)
            self.headers.update(made)
            request.headers.update(made)
            self._needs_headers = False
        return await super().send(request, **given)

    async def aclose(self) -> None:
        if self.bearer is not None:
            await self.bearer.settled()
        await super().aclose()

    async def __aexit__(self, *error: object) -> None:
        if self.bearer is not None:
            await self.bearer.settled()
        await super().__aexit__(*error)  # type: ignore[arg-type]

    async def _note(self, response: httpx2.Response) -> None:
        self._is_refused = response.status_code == httpx2.codes.UNAUTHORIZED


def http_client(plan: ServerPlan) -> ServerClient:
    """For streamable HTTP and for SSE. Raises `PiscesError` for an address that is not used."""
    return ServerClient(plan)


def _bearer(plan: ServerPlan, env: Mapping[str, str]) -> Bearer | None:
    """None where the entry brings its own credentials, or says that it wants no login."""
    own = any(name.lower() == "authorization" for name in plan.headers) or plan.headers_helper
    if own or plan.places is None or oauth_entry(plan).is_off:
        return None
    return Bearer(plan, TokenStore(plan.places), env)


async def _brief_end(request: httpx2.Request) -> None:
    """A session is ended with DELETE, which must not hold up our own end."""
    if request.method == "DELETE":
        request.extensions["timeout"] = dict.fromkeys(("connect", "read", "write", "pool"), _END_SECONDS)
