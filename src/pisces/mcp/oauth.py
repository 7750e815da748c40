"""What an entry says about the login to its server, in the spelling of every harness.

`oauth: false` means that there is none. Everything else can be found out by asking the server.
"""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.mcp.plan import ServerPlan

LOGIN_FAILED = Rule("mcp-login-failed", ERROR, "A login to an MCP server failed")

CODE, CLIENT_CREDENTIALS = "authorization_code", "client_credentials"
_MOST_PORT = 65535


class OAuthEntry(Value):
    """What is empty is found out. `authorization_url` and `token_url` replace discovery when both are given."""

    client_id: str = ""
    client_secret: str = ""
    scopes: tuple[str, ...] = ()
    audiences: tuple[str, ...] = ()
    authorization_url: str = ""
    token_url: str = ""
    registration_url: str = ""
    issuer: str = ""
    metadata_url: str = ""
    redirect_uri: str = ""
    callback_port: int = 0
    callback_host: str = ""
    resource: str = ""
    grant: str = CODE
    is_off: bool = False


def oauth_entry(plan: ServerPlan) -> OAuthEntry:
    fields = plan.found.item.fields
    table = {_key(key): value for key, value in plan.oauth.items()}
    whole = {"scopes": fields.get("scopes"), "resource": fields.get("oauth_resource")}
    port = table.get("callbackport")
    return OAuthEntry(
        client_id=_text(table, "clientid"),
        client_secret=_text(table, "clientsecret"),
        scopes=_words(table.get("scopes") or table.get("scope") or whole["scopes"]),
        audiences=_words(table.get("audiences") or table.get("audience")),
        authorization_url=_text(table, "authorizationurl"),
        token_url=_text(table, "tokenurl"),
        registration_url=_text(table, "registrationurl"),
        issuer=_text(table, "issuer"),
        metadata_url=_text(table, "authservermetadataurl"),
        redirect_uri=_text(table, "redirecturi"),
        callback_port=port if isinstance(port, int) and 0 < port <= _MOST_PORT else 0,
        callback_host="localhost" if "callbackPort" in plan.oauth else "",  # those who spell it so register that name
        resource=_text(table, "resource") or _text(whole, "resource"),
        grant=CLIENT_CREDENTIALS if _text(table, "granttype", "grant") == CLIENT_CREDENTIALS else CODE,
        is_off=fields.get("oauth") is False or table.get("enabled") is False,
    )


def _key(name: object) -> str:
    """`clientId`, `client_id` and `client-id` are one name."""
    return str(name).replace("_", "").replace("-", "").lower()


def _text(table: Mapping[str, Any], *keys: str) -> str:
    return next((value for value in map(table.get, keys) if isinstance(value, str) and value), "")


def _words(value: Any) -> tuple[str, ...]:
    """A list, or one text with blanks."""
    words = value.split() if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(word for word in words if isinstance(word, str) and word))
