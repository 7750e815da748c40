"""A login to a server by somebody who is there: ask the server, find who gives tokens, send the user, store them.

The address for the browser is made of checked parts, and nothing is opened here: whoever calls shows it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit, urlunsplit

import httpx2

from pisces.formats.visible import visible
from pisces.mcp.http_address import checked_address, origin_of, shown_address
from pisces.mcp.login_callback import LOOPBACK, PATH, Returned, callback_at, has_state, returned_in
from pisces.mcp.oauth import OAuthEntry, oauth_entry
from pisces.mcp.oauth_clients import own_client, registered_client
from pisces.mcp.oauth_discovery import AuthServer, Challenge, authorization_server, challenge_in
from pisces.mcp.oauth_requests import LoginFault, answered, login_client, token_reply, tokens_for
from pisces.mcp.tokens import Grant, TokenStore
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pisces.mcp.plan import ServerPlan

    Show = Callable[[str], Awaitable[object]]  # gets the address to open
    Paste = Callable[[], Awaitable[str]]  # the address that the browser ended on

LOGIN_SECONDS = 300.0
_REDIRECTS = 3
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "pisces", "version": "0"},
    },
}


class Person(Value):
    """Who logs in. With `paste`, nobody listens for the browser: it runs on another machine."""

    show: Show
    paste: Paste | None = None
    seconds: float = LOGIN_SECONDS
    scopes: tuple[str, ...] = ()


async def log_in(plan: ServerPlan, store: TokenStore, env: Mapping[str, str], person: Person) -> Grant:
    """The new login, stored. Raises `PiscesError`, and then what was stored before is still there."""
    server_at = checked_address(plan)
    entry = oauth_entry(plan)
    if entry.is_off:
        raise LoginFault(f"the entry of `{plan.name}` says that it has no OAuth login")
    if not server_at.is_private_enough:
        raise LoginFault(f"`{plan.name}` is reached over plain http, where everybody could read its token")
    async with login_client(env, person.seconds) as client:
        challenge = await _challenge(client, plan)
        server = await authorization_server(client, plan.url, challenge, entry)
        server = server.replace(wanted_scopes=tuple(dict.fromkeys((*server.wanted_scopes, *person.scopes))))
        before = await asyncio.to_thread(store.find, plan.url, entry.client_id)
        grant = await _Flow(client, plan, entry, server).grant(before, person)
    await asyncio.to_thread(store.put, grant.replace(client_secret="") if entry.client_secret else grant, plan.name)
    return grant


async def log_out(grant: Grant, env: Mapping[str, str]) -> bool:
    """Whether the authorization server has revoked the tokens. It may be away, or may not offer that."""
    if not grant.revocation_url or not (grant.refresh or grant.access):
        return False
    fine = True
    async with login_client(env) as client:
        for token, kind in ((grant.refresh, "refresh_token"), (grant.access, "access_token")):
            if token:
                form = {"token": token, "token_type_hint": kind}
                reply = await token_reply(client, grant.revocation_url, form, grant)
                fine = fine and reply.is_fine
    return fine


async def _challenge(client: httpx2.AsyncClient, plan: ServerPlan) -> Challenge:
    """What the server says to somebody without a token. One that lets everybody in needs no login."""
    own = {name: value for name, value in plan.headers.items() if name.lower() != "authorization"}
    asked = {**own, "Accept": "application/json, text/event-stream"}
    response = await _first_answer(client, client.build_request("POST", plan.url, json=_INITIALIZE, headers=asked))
    if response.status_code in (httpx2.codes.NOT_FOUND, httpx2.codes.METHOD_NOT_ALLOWED):  # SSE begins with a GET
        response = await _first_answer(client, client.build_request("GET", plan.url, headers=asked))
    if response.status_code in (httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN):
        return challenge_in(response.headers.get_list("www-authenticate"))
    if response.is_success and not plan.oauth:
        raise LoginFault(f"`{plan.name}` asks for no login: it answers everybody")
    return Challenge()


async def _first_answer(client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    """Its head. A redirect is followed within the origin, as the transports do."""
    at = origin_of(str(request.url))
    for _ in range(_REDIRECTS):
        response = await answered(client, request, stream=True)
        following = response.next_request
        if following is None or following.method != request.method or origin_of(str(following.url)) != at:
            break
        request = following
    return response


class _Flow:
    """The authorization code grant of one login."""

    def __init__(self, client: httpx2.AsyncClient, plan: ServerPlan, entry: OAuthEntry, server: AuthServer) -> None:
        self._client, self._plan, self._entry, self._server = client, plan, entry, server
        self._state, self._verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)

    async def grant(self, before: Grant | None, person: Person) -> Grant:
        known = before if before and self._is_known(before) else None
        port, path = _redirect(self._entry, known)
        try:
            return await self._on_port(port, path, known, person)
        except OSError:
            if self._entry.redirect_uri or self._entry.callback_port:
                raise LoginFault(f"port {port} is taken, and the entry wants the answer there") from None
            return await self._on_port(0, PATH, None, person)

    def _is_known(self, before: Grant) -> bool:
        """Whether the client that was registered before will do: with the same server, for the same scopes."""
        is_same = before.issuer == self._server.issuer and bool(before.redirect_uri) and not self._entry.client_id
        return is_same and set(self._scope().split()) <= set(before.scope.split())

    async def _on_port(self, port: int, path: str, known: Grant | None, person: Person) -> Grant:
        async with callback_at(port, path, self._state) as callback:
            host = self._entry.callback_host or LOOPBACK
            address = self._entry.redirect_uri or f"http://{host}:{callback.port}{path}"
            who = (known or await self._client_for(address)).replace(
                redirect_uri=address,
                token_url=self._server.token,
                revocation_url=self._server.revocation,
                resource=self._server.resource,
            )
            await person.show(self._authorization_address(who))
            if person.paste is None:
                returned = await callback.answer(person.seconds)
            else:
                returned = returned_in((await person.paste()).strip())
        return await self._exchanged(who, self._checked(returned))

    async def _client_for(self, redirect_uri: str) -> Grant:
        if self._entry.client_id:
            return own_client(self._plan.url, self._entry, self._server)
        return await registered_client(self._client, self._plan.url, self._entry, self._server, redirect_uri)

    def _scope(self) -> str:
        wanted = self._server.wanted_scopes
        more = ("offline_access",) if wanted and "offline_access" in self._server.scopes else ()
        return " ".join(dict.fromkeys((*wanted, *more)))

    def _authorization_address(self, who: Grant) -> str:
        digest = hashlib.sha256(self._verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": who.client_id,
            "redirect_uri": who.redirect_uri,
            "state": self._state,
            "code_challenge": urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
            "resource": who.resource,
            "scope": self._scope(),
            "audience": " ".join(self._entry.audiences),
            "prompt": "consent" if "offline_access" in self._scope().split() else "",
        }
        parts = urlsplit(self._server.authorization)
        query = "&".join(filter(None, (parts.query, urlencode({key: text for key, text in asked.items() if text}))))
        return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))

    def _checked(self, returned: Returned) -> str:
        """The code, if the answer is one to our question, by the server that we asked (RFC 9207)."""
        if not has_state(returned, self._state):
            raise LoginFault("the answer has a wrong state: it is not the answer to this login")
        expected = self._server.issuer
        if returned.issuer is not None and returned.issuer != expected:
            raise LoginFault("the answer comes from another authorization server than the one that was asked")
        if returned.issuer is None and self._server.sends_issuer:
            raise LoginFault("the answer does not say which authorization server it comes from, as that one promised")
        if returned.error or not returned.code:
            why = " ".join(filter(None, (visible(returned.error[:100]), visible(returned.description[:300]))))
            raise LoginFault(f"{shown_address(expected)} refused: {why or 'it sent no code'}")
        return returned.code

    async def _exchanged(self, who: Grant, code: str) -> Grant:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": who.redirect_uri,
            "code_verifier": self._verifier,
        }
        tokens = await tokens_for(self._client, form, who)
        return who.replace(
            access=tokens.access,
            refresh=tokens.refresh,
            expires_at=tokens.expires_at,
            scope=self._scope() if tokens.scope is None else tokens.scope,
        )


def _redirect(entry: OAuthEntry, known: Grant | None) -> tuple[int, str]:
    """The port and path that the browser comes back to; 0 for any port. A registered client has its own."""
    address = entry.redirect_uri or (known.redirect_uri if known else "")
    if not address:
        return entry.callback_port, PATH
    origin = origin_of(address)
    if origin is None or not origin.is_loopback or origin.scheme != "http":
        raise LoginFault("the `redirectUri` of the entry is not on this machine, so no answer would come")
    return origin.port, urlsplit(address).path or "/"
