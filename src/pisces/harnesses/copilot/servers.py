"""What Copilot CLI and VS Code do with a server's entry, by their documentation: `${NAME}` and `${env:NAME}`,
`${workspaceFolder}`, `${input:id}`. An input is asked for by the editor, so here it has no value.

`tools` are the only ones that are offered, unless it has `*`. `timeout` is in milliseconds.
"""

from __future__ import annotations

from pisces.mcp.dialect import EVERY_TOOL, ServerDialect, listed, plugin_folders
from pisces.mcp.fills import editor_folders, of_editors_or_braced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_ROOTS = plugin_folders("PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT")


def _included(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    tools = listed("tools")(fields)
    return None if tools is None or EVERY_TOOL in tools else tools


DIALECT = ServerDialect(
    fill=of_editors_or_braced,
    folders=lambda entry: {**editor_folders(entry.places.cwd, entry.places.home), **_ROOTS(entry)},
    include=_included,
    env_file="envFile",
)
