"""What Cline does with a server's entry, by its documentation: `${env:NAME}`; `timeout` is in seconds.

Tools in `autoApprove` run unasked.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, call_seconds, permitted
from pisces.mcp.fills import editor_folders, of_editors

DIALECT = ServerDialect(
    fill=of_editors,
    folders=lambda entry: editor_folders(entry.places.cwd, entry.places.home),
    seconds=call_seconds,
    unasked=permitted("autoApprove", "alwaysAllow"),
)
