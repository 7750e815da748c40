"""What Cursor does with a server's entry, by its documentation: `${env:NAME}`, `${workspaceFolder}`, `${userHome}`.

`envFile` names a file with variables, for a program only.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, plugin_folders
from pisces.mcp.fills import editor_folders, of_editors

_ROOTS = plugin_folders("CURSOR_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT")

DIALECT = ServerDialect(
    fill=of_editors,
    folders=lambda entry: {**editor_folders(entry.places.cwd, entry.places.home), **_ROOTS(entry)},
    env_file="envFile",
)
