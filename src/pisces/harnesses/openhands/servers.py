"""What OpenHands does with a server's entry, by its documentation: `${NAME}` and `${NAME:-default}`."""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, plugin_folders

DIALECT = ServerDialect(folders=plugin_folders("OPENHANDS_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"))
