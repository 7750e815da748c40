"""What Codex takes as an MCP server, in config.toml and in plugins, as its version 0.166.0 reads both.

A server of another shape stops Codex at start where it stands in config.toml; in a plugin it is left out. Keys that the
shape does not name are ignored.
"""

from __future__ import annotations

from pisces.formats.fit import FLAG, NUMBER, TEXT, WHOLE, Either, Listed, Mapped, Record, misfits, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.field import Keys

VERSION = "0.166.0"


def _seconds(number: float) -> str:
    return "" if number >= 0 else "must not be negative"


def _port(number: float) -> str:
    return "" if 0 <= number < 65536 else "must be a port"


_APPROVAL = one_of("auto", "prompt", "writes", "approve")
_TEXTS = Listed(TEXT)
_VARIABLE = Either((TEXT, Record({"name": TEXT}, {"source": one_of("local", "remote")}, closed=True)))
_SHAPE = Record(
    {},
    {
        **dict.fromkeys(("command", "cwd", "url", "bearer_token", "bearer_token_env_var", "http_headers_helper"), TEXT),
        **dict.fromkeys(("environment_id", "oauth_resource", "name"), TEXT),
        **dict.fromkeys(("args", "enabled_tools", "disabled_tools", "scopes"), _TEXTS),
        **dict.fromkeys(("env", "http_headers", "env_http_headers"), Mapped(TEXT)),
        **dict.fromkeys(("enabled", "required", "supports_parallel_tool_calls"), FLAG),
        **dict.fromkeys(("startup_timeout_sec", "tool_timeout_sec"), NUMBER.that(_seconds)),
        "startup_timeout_ms": WHOLE.that(_seconds),
        "env_vars": Listed(_VARIABLE),
        "auth": one_of("oauth", "chatgpt"),
        "omit_tools_from": Listed(one_of("code_mode", "deferred", "direct")),
        "default_tools_approval_mode": _APPROVAL,
        "oauth": Record({}, {"client_id": TEXT, "callback_port": WHOLE.that(_port)}),
        "tools": Mapped(Record({}, {"approval_mode": _APPROVAL})),
    },
)
_NOT_WITH_PROGRAM = (
    *("url", "bearer_token_env_var", "bearer_token", "http_headers_helper", "http_headers", "env_http_headers"),
    *("oauth", "oauth_resource", "auth"),
)
_NOT_WITH_ADDRESS = ("args", "env", "env_vars", "cwd", "bearer_token")


def server_flaws(config: Any) -> Iterator[tuple[Keys, str]]:
    """The keys and what is wrong with their value; no keys where it is the whole entry."""
    found = list(misfits(config, _SHAPE))
    for misfit in found:
        where = f"`{'.'.join(map(str, misfit.path))}` " if misfit.path and not misfit.unknown else ""
        yield misfit.path, f"{where}{misfit.message}"
    if found or not isinstance(config, dict):
        return
    if "command" in config:
        yield from (((key,), f"`{key}` is not for a program") for key in _NOT_WITH_PROGRAM if key in config)
    elif "url" in config:
        yield from (((key,), _with_address(key)) for key in _NOT_WITH_ADDRESS if key in config)
        yield from _helper_flaws(config)
    else:
        yield (), "has neither `command` nor `url`"


def _with_address(key: str) -> str:
    if key == "bearer_token":
        return "`bearer_token` is not taken from a file: name a variable with `bearer_token_env_var`"
    return f"`{key}` is not for an address"


def _helper_flaws(config: dict[str, Any]) -> Iterator[tuple[Keys, str]]:
    helper = config.get("http_headers_helper")
    if helper is not None and not helper.strip():
        yield ("http_headers_helper",), "`http_headers_helper` must not be empty"
    elif helper is not None and config.get("environment_id", "local") != "local":
        yield ("http_headers_helper",), "`http_headers_helper` is for local servers only"


def plugin_server(config: Any) -> Any:
    """A server of a plugin as config.toml would have it: without `type`, `oauth` in its other spelling."""
    if not isinstance(config, dict):
        return {}
    plain = {key: value for key, value in config.items() if key not in ("type", "oauth")}
    oauth = config.get("oauth")
    if isinstance(oauth, dict) and oauth:
        names = {"callbackPort": "callback_port", "clientId": "client_id"}
        plain["oauth"] = {names.get(key, key): value for key, value in oauth.items()}
    return {key: value for key, value in plain.items() if value is not None}
