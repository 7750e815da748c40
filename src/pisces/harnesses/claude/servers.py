"""What Claude Code 2.1 does with a server's entry, by running it: `${NAME}` and `${NAME:-default}`.

An unknown variable stays as it is written. `cwd` is ignored: a server starts in the project. `timeout` is in
milliseconds and for calls, `MCP_TIMEOUT` of the environment for the start. The options of a plugin are
`${user_config.NAME}`.
"""

from __future__ import annotations

import os

from pisces.mcp.dialect import ServerDialect, number
from pisces.mcp.fills import each_braced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.mcp.names import Names, ServerEntry
    from pisces.places import Places

_OPTION = "user_config."
_VARIABLE = "CLAUDE_PLUGIN_OPTION_"


def _fill(text: str, names: Names) -> str:
    def value(name: str) -> str | None:
        is_option = name.startswith(_OPTION)
        return names.variable(_VARIABLE + name[len(_OPTION) :].upper()) if is_option else names.with_default(name)

    return each_braced(text, value)


def _folders(entry: ServerEntry) -> Mapping[str, str]:
    folders = {"CLAUDE_PROJECT_DIR": entry.places.cwd}
    if entry.folder:
        folders["CLAUDE_PLUGIN_ROOT"] = entry.folder
        folders["CLAUDE_PLUGIN_DATA"] = os.path.join(
            entry.places.home, ".claude", "plugins", "data", entry.found.package
        )
    return folders


def _seconds(fields: Mapping[str, Any], places: Places) -> tuple[float | None, float | None]:
    start, call = (_milliseconds(places.env.get(name, "")) for name in ("MCP_TIMEOUT", "MCP_TOOL_TIMEOUT"))
    own = number(fields.get("timeout"), 0.001) or number(fields.get("request_timeout_ms"), 0.001)
    return start, own or call


def _milliseconds(text: str) -> float | None:
    return number(int(text), 0.001) if text.isascii() and text.isdigit() and len(text) < 12 else None


def _ruled(fields: Mapping[str, Any], allows: str, policy: str) -> Iterator[str]:
    permissions, tools = fields.get("toolPermissions"), fields.get("tools")
    for tool, rule in permissions.items() if isinstance(permissions, dict) else ():
        if rule == allows:
            yield str(tool)
    for each in tools if isinstance(tools, list) else ():
        if isinstance(each, dict) and each.get("permission_policy") == policy:
            yield str(each.get("name"))


DIALECT = ServerDialect(
    fill=_fill,
    filled=("command", "args", "env", "url", "headers", "headersHelper"),
    folders=_folders,
    set=_folders,
    seconds=_seconds,
    include=lambda _fields: None,
    exclude=lambda fields: tuple(_ruled(fields, "deny", "always_deny")),
    unasked=lambda fields: tuple(_ruled(fields, "allow", "always_allow")),
    has_cwd=False,
)
