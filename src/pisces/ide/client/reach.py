"""Does a companion answer, and does it take the token? Asked without a session, so that no client is disturbed.

Gemini CLI's own companion has one MCP server for all sessions, which answers only the newest: after a second client has
connected, every request of the first one waits for ever. A request without a session is refused, and changes nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from pisces.diagnostics import ERROR, Rule
from pisces.formats.sse import Events
from pisces.ide.choosing import Choice
from pisces.ide.client.connection import Attempt, ClientConnection, addresses
from pisces.ide.client.http import Answer, HttpRequest, answer
from pisces.ide.client.http_transport import EVENTS, refusal
from pisces.ide.client.wire import Failed, Unreachable, encoded
from pisces.ide.endpoint import COMPANION_NAME, Endpoint
from pisces.value import Value

DECLINED = Rule("ide-declined", ERROR, "no session was opened, because another client may be using the companion")

MANY = "many"
NEWEST = "newest"
UNKNOWN = "unknown"

_SECONDS = 5.0
_MOST_READ = 64 * 1024
_GOOGLE_SAYS = "for non-initialize request"
_NO_TOKEN = (401, 403)
_PING = encoded({"id": 1, "method": "ping"})


class ReachedEndpoint(Value):
    """An endpoint that answers. `sessions` says which clients it answers: many, the newest only, or unknown.

    `checks_token` says whether the same request without the token is refused; None if there is no token to leave out.
    """

    endpoint: Endpoint
    host: str = ""
    sessions: str = UNKNOWN
    checks_token: bool | None = None
    can_diff: bool | None = None
    server: str = ""


async def reached(choice: Choice, env: Mapping[str, str]) -> tuple[ReachedEndpoint | None, list[Attempt]]:
    """The first endpoint that answers, and the attempts that failed before it."""
    failed: list[Attempt] = []
    for endpoint, host in addresses(choice, env):
        try:
            return await (reach(endpoint, host) if endpoint.port else _greeted(endpoint, env)), failed
        except (Unreachable, Failed) as reason:
            failed.append(Attempt(endpoint, host, str(reason)))
    return None, failed


async def reach(endpoint: Endpoint, host: str) -> ReachedEndpoint:
    """Asks a port. Raises `Unreachable` if nobody answers, the token is refused, or it is no companion."""
    status, headers, body = await _asked(endpoint, host, endpoint.token)
    message = _message_in(body)
    if status in _NO_TOKEN:
        raise refusal(status, body)
    without = (await _asked(endpoint, host, ""))[0] if endpoint.token else 0
    checks = without in _NO_TOKEN
    if message is None and not (checks and 400 <= status < 500):
        raise Unreachable(f"answers ({status}), but not as a companion does")
    return ReachedEndpoint(endpoint, host, _sessions(headers, message), checks if endpoint.token else None)


async def _asked(endpoint: Endpoint, host: str, token: str) -> tuple[int, Mapping[str, str], bytes]:
    headers = {"Accept": f"application/json, {EVENTS}", "Content-Type": "application/json"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    got = await answer(host, endpoint.port, HttpRequest("POST", headers, _PING), _SECONDS)
    try:
        async with asyncio.timeout(_SECONDS):
            return got.status, got.headers, await _start_of(got)
    except TimeoutError:
        raise Unreachable(f"did not answer within {_SECONDS:g} s") from None
    finally:
        got.close()


async def _start_of(got: Answer) -> bytes:
    """The body, or of a stream its first event: a stream need not end."""
    body, events = b"", Events()
    async for chunk in got.chunks():
        body += chunk
        if len(body) > _MOST_READ or (got.media_type == EVENTS and events.fed(chunk)):
            break
    return body


def _message_in(body: bytes) -> dict[str, Any] | None:
    """The JSON-RPC message of an answer, sent as JSON or as one event."""
    text = body.decode("utf-8", "replace")
    lines = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
    try:
        found = json.loads(lines[0] if lines else text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("jsonrpc") == "2.0" else None


def _sessions(headers: Mapping[str, str], message: dict[str, Any] | None) -> str:
    if headers.get("server", "").partition("/")[0] == COMPANION_NAME:
        return MANY
    error = message.get("error") if message else None
    said = error.get("message") if isinstance(error, dict) else ""
    return NEWEST if isinstance(said, str) and _GOOGLE_SAYS in said else UNKNOWN


async def _greeted(endpoint: Endpoint, env: Mapping[str, str]) -> ReachedEndpoint:
    """A program is started for us alone, so a session with it disturbs nobody."""
    connection = ClientConnection(endpoint, "", env, lambda _method, _params: None)
    try:
        await connection.open()
        name = connection.server.get("name")
        return ReachedEndpoint(endpoint, "", MANY, None, connection.can_diff, name if isinstance(name, str) else "")
    finally:
        await connection.close()
