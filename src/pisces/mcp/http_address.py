"""Which addresses may be reached, and with what: only http and https, and credentials never in plain text.

Plain `http` carries credentials to this machine only. What a remote server points to is never on this machine.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.mcp.oauth import oauth_entry
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.mcp.plan import ServerPlan

ADDRESS_REFUSED = Rule("mcp-address-refused", ERROR, "An address of an MCP server is not used")

HTTP, HTTPS = "http", "https"
_PORTS = {HTTP: 80, HTTPS: 443}
_STRANGE = re.compile(r"[\x00-\x20\x7f-\xa0\\]")
_STRICT = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_HARMLESS = frozenset("accept accept-language content-type user-agent".split())


class Origin(Value):
    scheme: str
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_private_enough(self) -> bool:
        """Whether nobody between us and it can read what is sent."""
        return self.scheme == HTTPS or self.is_loopback


def origin_of(url: str) -> Origin | None:
    """None for what is no address of a web server, and for what two readers could read in two ways."""
    if _STRANGE.search(url):
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not host:
        return None
    return Origin(parts.scheme, host.rstrip("."), port or _PORTS[parts.scheme])


def shown_address(url: str) -> str:
    """An address without what may be secret in it: user, password, query and fragment."""
    origin = origin_of(url)
    if origin is None:
        return "an address that cannot be read"
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    port = "" if origin.port == _PORTS[origin.scheme] else f":{origin.port}"
    return f"{origin.scheme}://{host}{port}{urlsplit(url).path}"


def checked_address(plan: ServerPlan) -> Origin:
    """Where a server is. Raises `PiscesError` where it may not be reached, or not with the credentials it would get."""
    origin = origin_of(plan.url)
    if origin is None:
        scheme = plan.url.partition(":")[0] if ":" in plan.url else ""
        why = f"`{scheme}:` is no http or https address" if scheme not in _PORTS else "it cannot be read"
        raise refused(plan, f"the address of `{plan.name}` is not used: {why}")
    if has_credentials(plan) and not origin.is_private_enough:
        why = f"`{plan.name}` would get credentials over plain http, which everybody on the way can read"
        raise refused(plan, why, "use its https address")
    return origin


def has_credentials(plan: ServerPlan) -> bool:
    """Whether something is sent that only this server may read. Any header may hold a key, whatever its name."""
    named = any(name.lower() not in _HARMLESS for name in plan.headers)
    has_login = bool(plan.oauth) and not oauth_entry(plan).is_off
    return named or has_login or bool(plan.headers_helper) or _is_secret(plan)


def _is_secret(plan: ServerPlan) -> bool:
    """Whether the address has a user in it, or a query that is not shown as it is: a variable of the user, a key."""
    parts = urlsplit(plan.url)
    return "@" in parts.netloc or (bool(plan.shown) and urlsplit(plan.shown[0]).query != parts.query)


def refused(plan: ServerPlan, message: str, hint: str = "") -> PiscesError:
    return PiscesError(ADDRESS_REFUSED.at(plan.found.source.path, message, hint=hint, about=plan.name))


def endpoint_flaw(url: str, server: Origin) -> str:
    """Why an address that a server names may not be used for a login; empty where it may."""
    origin = origin_of(url) if _STRICT.fullmatch(url) else None
    if origin is None or "@" in urlsplit(url).netloc:
        return "is no http or https address"
    if origin.is_loopback and not server.is_loopback:
        return "is on this machine, and the server is not"
    return "" if origin.is_private_enough else "is plain http"
