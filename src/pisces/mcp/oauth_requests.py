"""Requests to an authorization server: bounded, without our headers, redirected within one origin or not at all.

Faults never repeat what the other side says to a request that carried a secret: it could repeat the secret.
"""

from __future__ import annotations

import asyncio
import re
import time
from base64 import b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx2

from pisces.diagnostics import PiscesError
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.formats.visible import visible
from pisces.mcp.http_address import origin_of, shown_address
from pisces.mcp.http_network import CONNECT_SECONDS, Network
from pisces.mcp.oauth import LOGIN_FAILED
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.tokens import Grant

BASIC, POST, PUBLIC = "client_secret_basic", "client_secret_post", "none"
INVALID_GRANT = "invalid_grant"

_LARGEST = 1024 * 1024
_SECONDS = 20.0
_REDIRECTS = 3
_LONGEST_SAID = 300
_TOKEN = re.compile(r"[!-~]{1,16384}")
_CODES = frozenset(
    """access_denied invalid_client invalid_client_metadata invalid_grant invalid_redirect_uri invalid_request
    invalid_scope invalid_software_statement invalid_target invalid_token server_error slow_down
    temporarily_unavailable unapproved_software_statement unauthorized_client unsupported_grant_type
    unsupported_response_type unsupported_token_type login_required consent_required interaction_required""".split()
)


class LoginFault(PiscesError):
    """Why there is no token. `code` is that of OAuth, if the other side sent one that exists; `status` is HTTP's."""

    def __init__(self, message: str, hint: str = "", code: str = "", status: int = 0) -> None:
        super().__init__(LOGIN_FAILED.at("", message, hint=hint))
        self.code, self.status = code, status


class ServerReply(Value):
    """`content` is the JSON object of the answer, empty where it is none."""

    status: int
    content: Mapping[str, Any] = EMPTY

    @property
    def is_fine(self) -> bool:
        return self.status in (200, 201)

    @property
    def code(self) -> str:
        code = self.content.get("error")
        return code if isinstance(code, str) and code in _CODES else ""


class Tokens(Value):
    """`expires_at` is a time of the clock; None where the other side does not say."""

    access: str
    refresh: str = ""
    expires_at: float | None = None
    scope: str | None = None

    def __repr__(self) -> str:
        return "Tokens(...)"


def login_client(env: Mapping[str, str], seconds: float = _SECONDS) -> httpx2.AsyncClient:
    """`seconds` is the most that one answer takes."""
    timeout = httpx2.Timeout(min(seconds, _SECONDS), connect=min(seconds, CONNECT_SECONDS))
    return httpx2.AsyncClient(transport=Network(env, largest=_LARGEST), timeout=timeout, trust_env=False)


async def replied(client: httpx2.AsyncClient, request: httpx2.Request) -> ServerReply:
    """The answer to one request. Raises `LoginFault` where there is none, or one that is too large or too slow."""
    for _ in range(1 + _REDIRECTS):
        response = await answered(client, request)
        following = response.next_request
        if following is None or request.method != "GET" or not _is_same_origin(following.url, request.url):
            break
        request = following
    return ServerReply(response.status_code, _object(response))


async def answered(client: httpx2.AsyncClient, request: httpx2.Request, *, stream: bool = False) -> httpx2.Response:
    """httpx2 limits the time between two bytes; this limits all of it. With `stream`, only the head is waited for."""
    where, seconds = shown_address(str(request.url)), client.timeout.read
    try:
        async with asyncio.timeout(seconds):
            response = await client.send(request, stream=stream, follow_redirects=False)
            if stream:
                await response.aclose()
            return response
    except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
        raise LoginFault(f"{where} does not answer: {visible(error) or type(error).__name__}") from None
    except TimeoutError:
        raise LoginFault(f"{where} did not answer in {seconds:g} seconds") from None


def _is_same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    return not one.userinfo and origin_of(str(one)) == origin_of(str(other))


def _object(response: httpx2.Response) -> Mapping[str, Any]:
    try:
        value = parse(response.content.decode("utf-8"))
    except (UnicodeDecodeError, Malformed, RecursionError):
        return EMPTY
    return value if isinstance(value, dict) else EMPTY


async def token_reply(client: httpx2.AsyncClient, url: str, form: Mapping[str, str], who: Grant) -> ServerReply:
    """A request of a client to the token or revocation endpoint, with its identity as it was registered."""
    headers: dict[str, str] = {"Accept": "application/json"}
    fields = {**form, "client_id": who.client_id}
    if who.client_secret and who.auth_method == BASIC:
        pair = f"{quote(who.client_id, safe='')}:{quote(who.client_secret, safe='')}"
        headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        del fields["client_id"]
    elif who.client_secret:
        fields["client_secret"] = who.client_secret
    return await replied(client, client.build_request("POST", url, data=fields, headers=headers))


async def tokens_for(client: httpx2.AsyncClient, form: Mapping[str, str], who: Grant) -> Tokens:
    """What the token endpoint of `who` gives for a code, a refresh token or the client's own word."""
    sent = {**form, "resource": who.resource} if who.resource else form
    reply = await token_reply(client, who.token_url, sent, who)
    where = shown_address(who.token_url)
    if not reply.is_fine:
        why = f"`{reply.code}`" if reply.code else f"HTTP {reply.status}"
        raise LoginFault(f"{where} gives no token: {why}", code=reply.code, status=reply.status)
    return _tokens(reply.content, where)


def _tokens(content: Mapping[str, Any], where: str) -> Tokens:
    access, refresh, kind = (content.get(key) for key in ("access_token", "refresh_token", "token_type"))
    if not isinstance(access, str) or not _TOKEN.fullmatch(access):
        raise LoginFault(f"{where} answers without a token that can be used")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise LoginFault(f"{where} gives a token that is no bearer token")
    if not isinstance(refresh, str) or not _TOKEN.fullmatch(refresh):
        refresh = ""
    scope = content.get("scope")
    return Tokens(access, refresh, _expiry(content.get("expires_in")), scope if isinstance(scope, str) else None)


def _expiry(seconds: Any) -> float | None:
    """Some servers send the number as text. What is no number of seconds says nothing."""
    try:
        lasts = float(seconds) if isinstance(seconds, int | float | str) and not isinstance(seconds, bool) else None
    except (ValueError, OverflowError):
        return None
    if lasts is None or lasts != lasts:
        return None
    return time.time() + min(max(lasts, 0.0), 10 * 365 * 86400.0)


def said(content: Mapping[str, Any]) -> str:
    """What the other side says about an error, for people: short and without tricks. Never after a secret was sent."""
    text = content.get("error_description") or content.get("error")
    return visible(text[:_LONGEST_SAID]) if isinstance(text, str) else ""
