"""Who we are to an authorization server: the client that the entry names, or one that we register (RFC 7591)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.mcp.http_address import shown_address
from pisces.mcp.oauth_requests import BASIC, POST, PUBLIC, LoginFault, replied, said
from pisces.mcp.tokens import Grant

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx2

    from pisces.mcp.oauth import OAuthEntry
    from pisces.mcp.oauth_discovery import AuthServer

_METHODS = (PUBLIC, POST, BASIC)
_NAME = "pisces"


def own_client(url: str, entry: OAuthEntry, server: AuthServer) -> Grant:
    """The client that the entry names. Its secret is sent as the server wants it."""
    if not entry.client_id:
        raise LoginFault("the entry wants a client of its own and names no `clientId`")
    method = PUBLIC
    if entry.client_secret:
        method = POST if server.methods is not None and BASIC not in server.methods else BASIC
    return _grant(url, entry, server).replace(
        client_id=entry.client_id, client_secret=entry.client_secret, auth_method=method
    )


async def registered_client(
    client: httpx2.AsyncClient, url: str, entry: OAuthEntry, server: AuthServer, redirect_uri: str
) -> Grant:
    """A client for this machine. Raises `LoginFault` where the server registers none."""
    if not server.registration:
        hint = "register one there, and give its `clientId` in the `oauth` of the entry"
        raise LoginFault(f"{shown_address(server.issuer)} registers no clients by itself", hint)
    wanted = {
        "client_name": _NAME,
        "application_type": "native",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": _offered(server.methods),
        **({"scope": " ".join(server.wanted_scopes)} if server.wanted_scopes else {}),
    }
    reply = await replied(client, client.build_request("POST", server.registration, json=wanted))
    if not reply.is_fine:
        why = said(reply.content) or f"HTTP {reply.status}"
        hint = "register one there, and give its `clientId` in the `oauth` of the entry"
        raise LoginFault(f"{shown_address(server.registration)} registers no client: {why}", hint, reply.code)
    return _grant(url, entry, server).replace(redirect_uri=redirect_uri, **_identity(dict(reply.content), redirect_uri))


def _offered(methods: Sequence[str] | None) -> str:
    """The first of ours that the server takes; without a word of it, the one for programs that keep no secret."""
    return next((each for each in _METHODS if methods is None or each in methods), PUBLIC)


def _identity(content: dict[str, Any], redirect_uri: str) -> dict[str, str]:
    """The server may have changed what was asked for: it must still be something that we can do."""
    number, secret = content.get("client_id"), content.get("client_secret")
    method = content.get("token_endpoint_auth_method") or (BASIC if secret else PUBLIC)
    addresses = content.get("redirect_uris")
    if not isinstance(number, str) or not number or not number.isprintable():
        raise LoginFault("the registered client has no identity")
    if method not in _METHODS or (method != PUBLIC and not (isinstance(secret, str) and secret)):
        raise LoginFault("the registered client would have to identify itself in a way that we cannot")
    if isinstance(addresses, list) and addresses and redirect_uri not in addresses:
        raise LoginFault("the client was registered for another redirect address than ours")
    return {"client_id": number, "client_secret": str(secret) if method != PUBLIC else "", "auth_method": method}


def _grant(url: str, entry: OAuthEntry, server: AuthServer) -> Grant:
    return Grant(
        url,
        entry.client_id,
        server.issuer,
        "",
        server.token,
        revocation_url=server.revocation,
        resource=server.resource,
    )
