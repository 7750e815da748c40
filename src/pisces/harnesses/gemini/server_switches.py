"""What switches a server off: `mcp.allowed`, `mcp.excluded`, and the file that `gemini mcp disable` writes."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, config_at
from pisces.discovery.harness import Where
from pisces.discovery.state import OFF, State
from pisces.harnesses.gemini.settings import SYSTEM, Settings, SettingsScope
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FILE = "mcp-server-enablement.json"


def switched_off(server: McpServer, settings: Settings, where: Where) -> State | None:
    allowed, excluded = where.run.once(
        ("gemini-server-lists",), lambda: (_lists(_asked(settings), "allowed"), _lists(settings.scopes, "excluded"))
    )
    return _not_allowed(server.name, allowed) or _excluded(server.name, excluded) or _disabled(server.name, where)


def _lists(scopes: Sequence[SettingsScope], key: str) -> list[tuple[SettingsScope, list[object]]]:
    return [(scope, listed) for scope in scopes if isinstance(listed := scope.part("mcp", key), list)]


def _not_allowed(name: str, lists: list[tuple[SettingsScope, list[object]]]) -> State | None:
    """Several lists allow what all of them name. If that is nothing, Gemini CLI takes it for no list at all."""
    if not lists or not (agreed := _agreed([allowed for _, allowed in lists])) or name in agreed:
        return None
    scope = next((scope for scope, allowed in lists if name not in allowed), lists[0][0])
    line = scope.line_of("mcp", "allowed")
    return State(OFF, f"`mcp.allowed` of {scope.name} does not name it", scope.path, line, "add it to `mcp.allowed`")


def _asked(settings: Settings) -> Sequence[SettingsScope]:
    """The system's list comes first: the others can only take away from it, and its spelling counts."""
    return sorted(settings.scopes, key=lambda scope: scope.name != SYSTEM)


def _agreed(lists: list[list[object]]) -> list[object]:
    agreed = lists[0]
    for each in lists[1:]:
        names = {str(name).lower().strip() for name in each}
        agreed = [name for name in agreed if str(name).lower().strip() in names]
    return agreed


def _excluded(name: str, lists: list[tuple[SettingsScope, list[object]]]) -> State | None:
    for scope, excluded in lists:
        if name in excluded:
            line = scope.line_of("mcp", "excluded", excluded.index(name))
            return State(OFF, f"`mcp.excluded` of {scope.name} names it", scope.path, line, "remove it there")
    return None


def _disabled(name: str, where: Where) -> State | None:
    file = where.run.once(
        ("gemini-servers-disabled",),
        lambda: config_at(os.path.join(where.places.home, ".gemini", _FILE), JSON, where.run),
    )
    if file is None or isinstance(file, Diagnostic) or not isinstance(file.value, dict):
        return None
    key = name.lower().strip()
    entry = file.value.get(key)
    enabled = entry.get("enabled") if isinstance(entry, dict) else None
    if enabled is None or enabled:
        return None
    return State(OFF, f"`{_FILE}` disables it", file.path, file.place(key)[0], f"`gemini mcp enable {name}`")
