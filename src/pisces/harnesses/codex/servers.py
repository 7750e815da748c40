"""What Codex 0.166 does with a server's entry, by running it: texts are literal, variables are named by fields.

`env_vars` are passed on, `bearer_token_env_var` and `env_http_headers` are sent. Times are in seconds. `cwd` is
relative to the workspace, in a plugin to the plugin.
"""

from __future__ import annotations

from pisces.mcp.dialect import EVERY_TOOL, ServerDialect, listed, number
from pisces.mcp.fills import literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.places import Places


def _given(fields: Mapping[str, Any]) -> Mapping[str, str]:
    listed_names = fields.get("env_vars")
    named = listed_names if isinstance(listed_names, list) else ()
    names = (each.get("name") if isinstance(each, dict) else each for each in named)
    return {name: name for name in names if isinstance(name, str) and name}


def _sent(fields: Mapping[str, Any]) -> Mapping[str, tuple[str, str]]:
    headers, token = fields.get("env_http_headers"), fields.get("bearer_token_env_var")
    found = headers.items() if isinstance(headers, dict) else ()
    sent = {header: (name, "{}") for header, name in found if isinstance(name, str)}
    return {**sent, "Authorization": (token, "Bearer {}")} if isinstance(token, str) and token else sent


def _seconds(fields: Mapping[str, Any], _places: Places) -> tuple[float | None, float | None]:
    start = number(fields.get("startup_timeout_sec")) or number(fields.get("startup_timeout_ms"), 0.001)
    return start, number(fields.get("tool_timeout_sec"))


def _unasked(fields: Mapping[str, Any]) -> tuple[str, ...]:
    tools = fields.get("tools")
    single = tools.items() if isinstance(tools, dict) else ()
    modes = {name: each.get("approval_mode") for name, each in single if isinstance(each, dict)}
    is_default = fields.get("default_tools_approval_mode") == "approve"
    every = is_default and all(mode == "approve" for mode in modes.values())
    return (*((EVERY_TOOL,) if every else ()), *(name for name, mode in modes.items() if mode == "approve"))


DIALECT = ServerDialect(
    fill=literal,
    given=_given,
    sent=_sent,
    seconds=_seconds,
    include=listed("enabled_tools"),
    exclude=listed("disabled_tools"),
    unasked=_unasked,
    base=lambda entry: entry.folder or entry.places.cwd,
)
