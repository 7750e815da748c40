"""The HTTP client of one server: its headers, no limit on how long a stream stays silent, one on what an answer weighs.

A call has its own timeout, so a stream that says nothing for minutes is no fault of the connection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

from pisces.mcp.http_limit import bounded, brief_end

if TYPE_CHECKING:
    from pisces.mcp.plan import ServerPlan

_SECONDS = 30.0  # to connect, to write and to wait for a free connection


def http_client(plan: ServerPlan) -> httpx2.AsyncClient:
    """For streamable HTTP and for SSE. The transports follow a redirect only within the server's own origin."""
    return httpx2.AsyncClient(
        headers={**plan.headers, "accept-encoding": "identity"},
        timeout=httpx2.Timeout(_SECONDS, read=None),
        event_hooks={"request": [brief_end], "response": [bounded]},
    )
