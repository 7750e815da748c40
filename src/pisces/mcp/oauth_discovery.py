"""Who gives tokens for a server: RFC 9728 says which authorization server, RFC 8414 or OpenID where its endpoints are.

Every answer is checked against where it was asked for: a resource is the server's own, an issuer is the one that was
named, S256 is offered. A server on another machine can name nothing on this one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pisces.mcp.http_address import Origin, endpoint_flaw, origin_of, shown_address
from pisces.mcp.oauth import CODE, OAuthEntry
from pisces.mcp.oauth_requests import LoginFault, replied
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx2

_RESOURCE = "/.well-known/oauth-protected-resource"
_OAUTH = "/.well-known/oauth-authorization-server"
_OPENID = "/.well-known/openid-configuration"
_PARAMETER = re.compile(r'([A-Za-z_]{1,40})\s{0,8}=\s{0,8}(?:"((?:[^"\\]|\\.){0,4000})"|([^\s",]{1,4000}))')
_VERSION = {"MCP-Protocol-Version": "2025-11-25", "Accept": "application/json"}
_MISSING = {*range(300, 500)} - {408, 429}  # these two are trouble, and say nothing about what is there


class Challenge(Value):
    """What a server says when it refuses: where its metadata are, and which scope it wants."""

    metadata_url: str = ""
    scope: str = ""
    error: str = ""


class AuthServer(Value):
    """`resource` is what tokens are asked for. `methods` is how clients may identify themselves; None: not said."""

    issuer: str
    authorization: str
    token: str
    registration: str = ""
    revocation: str = ""
    methods: tuple[str, ...] | None = None
    scopes: tuple[str, ...] = ()
    sends_issuer: bool = False
    resource: str = ""
    wanted_scopes: tuple[str, ...] = ()


def challenge_in(headers: list[str]) -> Challenge:
    """Of the `WWW-Authenticate` headers of an answer."""
    text = ", ".join(headers)[:16384]
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(text):
        value = match[3] if match[2] is None else re.sub(r"\\(.)", r"\1", match[2])
        found.setdefault(match[1].lower(), value)
    return Challenge(*(found.get(key, "") for key in ("resource_metadata", "scope", "error")))


def resource_of(url: str) -> str:
    """The name of a server as a resource: its address without query, fragment and credentials."""
    address = shown_address(url)
    return address[:-1] if urlsplit(url).path == "/" else address


async def authorization_server(
    client: httpx2.AsyncClient, url: str, challenge: Challenge, entry: OAuthEntry
) -> AuthServer:
    """Raises `LoginFault` where nobody is named, or somebody who may not be asked."""
    server = origin_of(url)
    assert server is not None
    resource = await _resource(client, url, server, challenge)
    name = entry.resource or _text(resource, "resource") or resource_of(url)
    wanted = entry.scopes or tuple(challenge.scope.split()) or _texts(resource.get("scopes_supported")) or ()
    if entry.authorization_url and entry.token_url:
        found = _configured(entry)
    else:
        found = await _metadata(client, url, resource, entry)
    for label, address in (("authorization", found.authorization), ("token", found.token)):
        flaw = endpoint_flaw(address, server) if address or entry.grant == CODE or label == "token" else ""
        if flaw:
            raise LoginFault(f"the {label} endpoint of `{_host(found.issuer)}` {flaw}")
    return found.replace(
        registration=_usable(entry.registration_url or found.registration, server),
        revocation=_usable(found.revocation, server),
        resource=name,
        wanted_scopes=wanted,
    )


def _configured(entry: OAuthEntry) -> AuthServer:
    """The entry says both endpoints, so nobody is asked; PKCE is sent whether they check it or not."""
    issuer = entry.issuer or _base(entry.token_url)
    return AuthServer(issuer, entry.authorization_url, entry.token_url)


def _usable(address: str, server: Origin) -> str:
    return address if address and not endpoint_flaw(address, server) else ""


async def _resource(client: httpx2.AsyncClient, url: str, server: Origin, challenge: Challenge) -> Mapping[str, Any]:
    """The metadata of the server as a resource; empty where it has none, as servers of 2025-03-26 have not."""
    for address in _resource_addresses(url, server, challenge):
        reply = await replied(client, client.build_request("GET", address, headers=_VERSION))
        if reply.is_fine and reply.content:
            named = reply.content.get("resource")
            if not isinstance(named, str) or not _is_part(url, named):
                raise LoginFault(f"the metadata of {shown_address(url)} are about another resource")
            return reply.content
        if reply.status not in _MISSING and not reply.is_fine:
            raise LoginFault(f"{shown_address(address)} fails: HTTP {reply.status}", status=reply.status)
    return EMPTY


def _resource_addresses(url: str, server: Origin, challenge: Challenge) -> Iterator[str]:
    """The one that the server names comes first, if it is the server's own."""
    path = urlsplit(url).path.rstrip("/")
    own = [challenge.metadata_url] if origin_of(challenge.metadata_url) == server else []
    yield from dict.fromkeys([*own, f"{_base(url)}{_RESOURCE}{path}", f"{_base(url)}{_RESOURCE}"])


def _is_part(url: str, resource: str) -> bool:
    """Whether the server is the resource, or below it. Anything else would get tokens that are for somebody else."""
    if origin_of(resource) != origin_of(url) or urlsplit(resource).fragment:
        return False
    above, here = (urlsplit(each).path.rstrip("/") for each in (resource, url))
    return here == above or here.startswith(f"{above}/")


async def _metadata(client: httpx2.AsyncClient, url: str, resource: Mapping[str, Any], entry: OAuthEntry) -> AuthServer:
    server = origin_of(url)
    assert server is not None
    named = _texts(resource.get("authorization_servers"))
    issuer = entry.issuer or (named[0] if named else _base(url))
    flaw = endpoint_flaw(issuer, server)
    if flaw:
        raise LoginFault(f"the authorization server that {shown_address(url)} names {flaw}")
    for address in [entry.metadata_url] if entry.metadata_url else _metadata_addresses(issuer):
        if endpoint_flaw(address, server):
            raise LoginFault(f"the address of the metadata {endpoint_flaw(address, server)}")
        reply = await replied(client, client.build_request("GET", address, headers=_VERSION))
        if reply.is_fine and reply.content:
            return _read(reply.content, "" if entry.metadata_url and not entry.issuer else issuer, entry)
        if reply.status not in _MISSING and not reply.is_fine:
            raise LoginFault(f"{shown_address(address)} fails: HTTP {reply.status}", status=reply.status)
    hint = "give `authorizationUrl` and `tokenUrl` in the `oauth` of its entry"
    raise LoginFault(f"`{_host(issuer)}` does not say where one logs in", hint)


def _metadata_addresses(issuer: str) -> list[str]:
    base, path = _base(issuer), urlsplit(issuer).path.rstrip("/")
    later = [f"{base}{path}{_OPENID}"] if path else []
    return [f"{base}{_OAUTH}{path}", f"{base}{_OPENID}{path}", *later]


def _read(content: Mapping[str, Any], issuer: str, entry: OAuthEntry) -> AuthServer:
    """An empty `issuer` is for metadata that the user's own entry names, which say themselves whose they are."""
    named = _text(content, "issuer")
    if not named or (issuer and not _is_same_issuer(named, issuer)):
        raise LoginFault(f"the metadata of `{_host(issuer)}` are those of another authorization server")
    if entry.grant == CODE and "S256" not in (_texts(content.get("code_challenge_methods_supported")) or ()):
        raise LoginFault(f"`{_host(named)}` does not offer PKCE with S256, so a code could be stolen")
    types = _texts(content.get("response_types_supported"))
    if entry.grant == CODE and types is not None and "code" not in types:
        raise LoginFault(f"`{_host(named)}` gives no authorization codes")
    return AuthServer(
        named,
        _text(content, "authorization_endpoint"),
        _text(content, "token_endpoint"),
        _text(content, "registration_endpoint"),
        _text(content, "revocation_endpoint"),
        methods=_texts(content.get("token_endpoint_auth_methods_supported")),
        scopes=_texts(content.get("scopes_supported")) or (),
        sends_issuer=content.get("authorization_response_iss_parameter_supported") is True,
    )


def _is_same_issuer(one: str, other: str) -> bool:
    """To the letter; only an origin is the same with and without its slash."""
    return one == other or (one.rstrip("/") == other.rstrip("/") == _base(other))


def _text(content: Mapping[str, Any], key: str) -> str:
    value = content.get(key)
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(each for each in value if isinstance(each, str))


def _base(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _host(url: str) -> str:
    origin = origin_of(url)
    return origin.host if origin else "the authorization server"
