"""What Roo Code does with a server's entry, by its documentation: `${env:NAME}` and `${workspaceFolder}`.

`timeout` is in seconds. Tools in `alwaysAllow` run unasked, those in `disabledTools` are not offered.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, call_seconds, listed, permitted
from pisces.mcp.fills import editor_folders, of_editors

DIALECT = ServerDialect(
    fill=of_editors,
    folders=lambda entry: editor_folders(entry.places.cwd, entry.places.home),
    seconds=call_seconds,
    exclude=listed("disabledTools"),
    unasked=permitted("alwaysAllow"),
)
