"""What Factory's droid does with a server's entry, by its documentation: `${NAME}`; `disabledTools` are not offered."""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, listed, plugin_folders

DIALECT = ServerDialect(
    folders=plugin_folders("DROID_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"), exclude=listed("disabledTools")
)
