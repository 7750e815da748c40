"""The token that goes with each request to a server, renewed when it has expired or is refused.

Two hosts never renew the same token at once: one does it under a lock, the other takes what it stored. Renewing is
never cancelled halfway, because the old refresh token is worth nothing once the new one was sent.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from shlex import quote
from typing import TYPE_CHECKING

import httpx2

from pisces.diagnostics import PiscesError
from pisces.formats.visible import visible
from pisces.mcp.oauth import CLIENT_CREDENTIALS, oauth_entry
from pisces.mcp.oauth_clients import own_client
from pisces.mcp.oauth_discovery import Challenge, authorization_server, challenge_in
from pisces.mcp.oauth_requests import INVALID_GRANT, LoginFault, login_client, tokens_for

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from pisces.mcp.plan import ServerPlan
    from pisces.mcp.tokens import Grant, TokenStore

_EARLY = 30.0  # seconds before the end, because a request takes some time and clocks differ
_PATIENCE = 60.0
_LOOK_AGAIN = 0.05
_LONGEST_SCOPE = 300
_DEAD = (INVALID_GRANT, "invalid_client", "unauthorized_client")


def needs_login(name: str, why: str = "") -> str:
    because = f" ({why})" if why else ""
    return f"needs login: `pisces mcp login {quote(visible(name))}`{because}"


class Bearer(httpx2.Auth):
    """`reason` says why the last request was refused, as long as it was."""

    def __init__(self, plan: ServerPlan, store: TokenStore, env: Mapping[str, str]) -> None:
        self._plan, self._store, self._env = plan, store, env
        self._entry = oauth_entry(plan)
        self._grant: Grant | None = None
        self._is_read = False
        self._one = asyncio.Lock()
        self._renewing: asyncio.Task[Grant | None] | None = None
        self._new: Grant | None = None  # renewed here
        self._is_unsaved = False
        self.reason = ""

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        self.reason = ""
        grant = await self._current()
        response = yield _with_token(request, grant)
        if response.status_code == httpx2.codes.UNAUTHORIZED and not self.reason:
            newer = await self._renewed(grant, challenge_in(response.headers.get_list("www-authenticate")))
            if newer is not None:
                response = yield _with_token(request, newer)
        self._note(response)

    def _note(self, response: httpx2.Response) -> None:
        challenge = challenge_in(response.headers.get_list("www-authenticate"))
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            self.reason = self.reason or needs_login(self._plan.name)
        elif response.status_code == httpx2.codes.FORBIDDEN and challenge.error == "insufficient_scope":
            more = f" --scope {quote(visible(challenge.scope))}" if 0 < len(challenge.scope) <= _LONGEST_SCOPE else ""
            self.reason = f"needs login for more: `pisces mcp login {quote(visible(self._plan.name))}{more}`"

    async def settled(self) -> None:
        """Waits for a renewal that is under way, so that what it gets is stored."""
        if self._renewing is not None and not self._renewing.done():
            await asyncio.wait([self._renewing])
        await self._save()

    async def _current(self) -> Grant | None:
        if not self._is_read:
            self._grant, self._is_read = await self._stored(), True
        await self._save()
        grant, now = self._grant, time.time()
        if grant is None or not grant.access:
            return None
        # A token that lasts shorter than the margin is used nevertheless, or it would be renewed for each request.
        is_good = grant.lasts_until(now + _EARLY) or (grant is self._new and grant.lasts_until(now))
        return grant if is_good else await self._renewed(grant, Challenge()) or grant

    async def _renewed(self, refused: Grant | None, challenge: Challenge) -> Grant | None:
        """Another token than the refused one; None where there is none, and `reason` says why."""
        async with self._one:
            grant = self._grant
            if grant and grant.access and refused and grant.access != refused.access:
                return grant  # another request has renewed it meanwhile
            if self._renewing is None or self._renewing.done():
                self._renewing = asyncio.create_task(self._renew(refused, challenge))
            return await asyncio.shield(self._renewing)

    async def _renew(self, refused: Grant | None, challenge: Challenge) -> Grant | None:
        try:
            made = await self._under_lock(refused, challenge)
        except PiscesError as error:
            self.reason = error.diagnostic.message
            if isinstance(error, LoginFault) and error.code in _DEAD:
                self.reason = needs_login(self._plan.name, "the last one has ended")
            return None
        self._grant, self._new = made or self._grant, made
        return made

    async def _under_lock(self, refused: Grant | None, challenge: Challenge) -> Grant | None:
        lock = await self._locked()
        try:
            stored = self._grant if self._is_unsaved else await self._stored()
            used = refused.access if refused else ""
            if stored and stored.access != used and stored.lasts_until(time.time()):
                return stored  # another host has renewed it, or somebody has logged in
            if self._entry.grant == CLIENT_CREDENTIALS:
                return await self._by_own_word(challenge)
            return await self._refreshed(stored) if stored and stored.refresh else None
        finally:
            os.close(lock)

    async def _locked(self) -> int:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            lock = await asyncio.to_thread(self._store.try_lock, self._plan.url, self._entry.client_id)
            if lock is not None:
                return lock
            await asyncio.sleep(_LOOK_AGAIN)
        raise LoginFault("another pisces renews the token and does not finish")

    async def _stored(self) -> Grant | None:
        """None for a login with another authorization server than the entry names now."""
        entry = self._entry
        grant = await asyncio.to_thread(self._store.find, self._plan.url, entry.client_id)
        if grant is None or (entry.token_url or grant.token_url, entry.issuer or grant.issuer) != (
            grant.token_url,
            grant.issuer,
        ):
            return None
        return grant.replace(client_secret=entry.client_secret) if entry.client_secret else grant

    async def _refreshed(self, grant: Grant) -> Grant:
        form = {"grant_type": "refresh_token", "refresh_token": grant.refresh}
        async with login_client(self._env) as client:
            try:
                tokens = await tokens_for(client, form, grant)
            except LoginFault as error:
                await self._forget(grant, error.code)
                raise
        scope = grant.scope if tokens.scope is None else tokens.scope
        return await self._put(
            grant.replace(
                access=tokens.access,
                refresh=tokens.refresh or grant.refresh,
                expires_at=tokens.expires_at,
                scope=scope,
            )
        )

    async def _forget(self, grant: Grant, code: str) -> None:
        """What would fail again each time: the tokens, or with them a client that the server does not know."""
        if code == INVALID_GRANT:
            await self._put(grant.replace(access="", refresh="", expires_at=None))
        elif code in _DEAD:
            self._grant = None
            await asyncio.to_thread(self._store.drop, self._plan.url, self._entry.client_id)

    async def _by_own_word(self, challenge: Challenge) -> Grant:
        """The client credentials grant: the entry asks for it, and nobody has to log in."""
        async with login_client(self._env) as client:
            server = await authorization_server(client, self._plan.url, challenge, self._entry)
            grant = own_client(self._plan.url, self._entry, server)
            scope = " ".join(server.wanted_scopes)
            form = {"grant_type": CLIENT_CREDENTIALS, **({"scope": scope} if scope else {})}
            tokens = await tokens_for(client, form, grant)
        return await self._put(
            grant.replace(access=tokens.access, expires_at=tokens.expires_at, scope=tokens.scope or scope)
        )

    async def _put(self, grant: Grant) -> Grant:
        self._grant, self._is_unsaved = grant, True
        await self._save()
        return grant

    async def _save(self) -> None:
        """Again with each request and at the end, where it does not work: the old refresh token is worth nothing."""
        if self._is_unsaved and self._grant is not None:
            # What the entry brings is not stored a second time.
            stored = self._grant.replace(client_secret="") if self._entry.client_secret else self._grant
            with suppress(PiscesError):
                await asyncio.to_thread(self._store.put, stored, self._plan.name)
                self._is_unsaved = False


def _with_token(request: httpx2.Request, grant: Grant | None) -> httpx2.Request:
    if grant is not None and grant.access:
        request.headers["Authorization"] = f"Bearer {grant.access}"
    return request
