"""The header of a Gemini subagent file, as shapes: closed records, local first, then remote by card."""

from __future__ import annotations

import re

from pisces.by_name import export_of
from pisces.formats.fit import FLAG, NUMBER, TEXT, WHOLE, Either, Listed, Mapped, Misfit, Record, misfits, one_of
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.harnesses.gemini.known_tools import is_tool_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.formats.fit import Path

_SLUG = re.compile(r"[a-z0-9_-]+")
_HEADER_KEYS = frozenset(("tools", "mcp_servers", "model", "temperature", "max_turns", "timeout_mins"))
_REMOTE_KEYS = frozenset(("agent_card_url", "agent_card_json", "auth"))


def _slug(name: str) -> str:
    return "" if _SLUG.fullmatch(name) else "may only have lower-case letters, digits, `-` and `_`"


def _filled(text: str) -> str:
    return "" if text else "must not be empty"


def _tool(name: str) -> str:
    return "" if is_tool_name(name) else f"no tool is called `{name}`"


def _positive(number: float) -> str:
    return "" if number > 0 else "must be more than zero"


def _url(text: str) -> str:
    is_url = export_of("pisces.formats", "js_url", "is_url")  # slow to load, needed for agents elsewhere only
    return "" if is_url(text) else "must be a web address"


def _json(text: str) -> str:
    try:
        parse(text)
    except Malformed as error:
        return f"must be valid JSON: {error.message}"
    return ""


NAME = TEXT.that(_slug)
FILLED = TEXT.that(_filled)
URL = TEXT.that(_url)
_OAUTH = {
    **dict.fromkeys(("client_id", "client_secret", "token_param_name"), TEXT),
    **dict.fromkeys(("scopes", "audiences"), Listed(TEXT)),
    **dict.fromkeys(("authorization_url", "token_url", "issuer", "redirect_uri", "registration_url"), URL),
}
_SERVER_AUTH = Either(
    (
        Record({"type": one_of("google-credentials")}, {"scopes": Listed(TEXT)}),
        Record({"type": one_of("oauth")}, _OAUTH),
    )
)
_SERVER = Record(
    {},
    {
        **dict.fromkeys(("command", "cwd", "url", "http_url", "tcp", "description"), TEXT),
        **dict.fromkeys(("args", "include_tools", "exclude_tools"), Listed(TEXT)),
        **dict.fromkeys(("env", "headers"), Mapped(TEXT)),
        "type": one_of("sse", "http"),
        "timeout": NUMBER,
        "trust": FLAG,
        "auth": _SERVER_AUTH,
    },
)
LOCAL = Record(
    {"name": NAME, "description": FILLED},
    {
        "kind": one_of("local"),
        "display_name": TEXT,
        "tools": Listed(TEXT.that(_tool)),
        "mcp_servers": Mapped(_SERVER),
        "model": TEXT,
        "temperature": NUMBER,
        "max_turns": WHOLE.that(_positive),
        "timeout_mins": WHOLE.that(_positive),
    },
    closed=True,
)
_HTTP_AUTH = {"token": FILLED, "username": FILLED, "password": FILLED, "value": FILLED}
_AUTH = Either(
    (
        Record({"type": one_of("apiKey"), "key": FILLED}, {"name": TEXT}),
        Record({"type": one_of("http"), "scheme": FILLED}, _HTTP_AUTH),
        Record({"type": one_of("google-credentials")}, {"scopes": Listed(TEXT)}),
        Record({"type": one_of("oauth")}, _OAUTH),
    )
)
_REMOTE = {"kind": one_of("remote"), "description": TEXT, "display_name": TEXT, "auth": _AUTH}
REMOTE_URL = Record({"name": NAME, "agent_card_url": URL}, _REMOTE, closed=True)
REMOTE_JSON = Record({"name": NAME, "agent_card_json": TEXT.that(_json)}, _REMOTE, closed=True)


def header_misfits(header: object) -> list[Misfit]:
    """Everything that keeps Gemini CLI from loading an agent with this header; none when it loads."""
    if isinstance(header, list):
        return [misfit for index, each in enumerate(header) for misfit in _remote_misfits(each, (index,))]
    local = list(misfits(header, LOCAL))
    if not local:
        return []
    remote = _remote_misfits(header, ())
    return remote if not remote or _meant_remote(header) else local


def is_remote(header: Any) -> bool:
    """Of a header without a misfit: remote agents, and no others, have a card."""
    return isinstance(header, list) or "agent_card_url" in header or "agent_card_json" in header


def _remote_misfits(header: object, path: tuple[int, ...]) -> list[Misfit]:
    tries = [list(misfits(header, shape, path)) or _auth_misfits(header, path) for shape in (REMOTE_URL, REMOTE_JSON)]
    return min(tries, key=len)


def _auth_misfits(header: object, path: tuple[int, ...]) -> list[Misfit]:
    """Plain HTTP authentication needs what its scheme needs."""
    auth = header.get("auth") if isinstance(header, dict) else None
    if not isinstance(auth, dict) or auth.get("type") != "http" or auth.get("value"):
        return []
    needed = {"Bearer": ("token",), "Basic": ("username", "password")}.get(auth["scheme"], ("value",))
    at: Path = (*path, "auth")
    return [Misfit(at, f"scheme `{auth['scheme']}` needs `{key}`") for key in needed if not auth.get(key)]


def _meant_remote(header: object) -> bool:
    if not isinstance(header, dict):
        return False
    return header.get("kind") == "remote" or bool(header.keys() & _REMOTE_KEYS and not header.keys() & _HEADER_KEYS)
