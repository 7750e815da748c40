"""What Qwen Code does with a server's entry: `$NAME`, `${NAME}` and `${NAME:-default}`, folders of a package before.

`timeout` is in milliseconds. `includeTools` may name a tool as `name(...)`. An address counts more than a program.
"""

from __future__ import annotations

from pisces.formats.variables import path_context
from pisces.mcp.dialect import ServerDialect, flagged, listed
from pisces.mcp.fills import two_passes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _included(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    tools = listed("includeTools")(fields)
    return None if tools is None else tuple(tool.partition("(")[0] for tool in tools)


DIALECT = ServerDialect(
    fill=two_passes,
    folders=lambda entry: path_context(entry.folder, entry.places.cwd) if entry.folder else {},
    include=_included,
    exclude=listed("excludeTools"),
    unasked=flagged("trust"),
    prefers_address=True,
)
