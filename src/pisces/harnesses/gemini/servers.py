"""What Gemini CLI 0.61 does with a server's entry. An entry of a package has its path variables filled in first.

`timeout` is in milliseconds and holds for the start and for every call. `includeTools` may name a tool as `name(...)`.
An address counts more than a program. In `env` an unknown variable is empty, elsewhere it stays as it is written.
"""

from __future__ import annotations

from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.harness import Run
from pisces.formats.variables import hydrated, listed, path_context
from pisces.mcp.dialect import ServerDialect, flagged, listed as listed_tools
from pisces.mcp.fills import two_passes, two_passes_or_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.mcp.names import ServerEntry
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer


def written(found: Found[McpServer], places: Places) -> Mapping[str, Any]:
    """A listing of a package has defaults filled in: where it does, the manifest's own text counts."""
    file = config_at(found.item.path, JSON, Run()) if found.folder else None
    entry = file.part(found.item.keys) if isinstance(file, ConfigFile) else None
    if not isinstance(entry, dict):
        return found.item.fields
    context = path_context(found.folder, places.cwd)

    def unlisted(value: Any, raw: Any) -> Any:
        if isinstance(value, dict) and isinstance(raw, dict):
            return {key: unlisted(each, raw.get(key)) for key, each in value.items()}
        return raw if value == listed(hydrated(raw, context), places.env.get("HOME") or places.home) else value

    fields: Mapping[str, Any] = unlisted(found.item.fields, entry)
    return fields


def folders(entry: ServerEntry) -> Mapping[str, str]:
    return path_context(entry.folder, entry.places.cwd) if entry.folder else {}


def included(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    tools = listed_tools("includeTools")(fields)
    return None if tools is None else tuple(tool.partition("(")[0] for tool in tools)


DIALECT = ServerDialect(
    fill=two_passes,
    filled=("command", "args", "env", "cwd", "url", "headers"),
    folders=folders,
    include=included,
    exclude=listed_tools("excludeTools"),
    unasked=flagged("trust"),
    written=written,
    prefers_address=True,
    fill_env=two_passes_or_empty,
)
