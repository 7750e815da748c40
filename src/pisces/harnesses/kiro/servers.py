"""What Kiro does with a server's entry, by its documentation: `${NAME}` and `${env:NAME}`; `timeout` in milliseconds.

Tools in `autoApprove` run unasked, all of them with `*`; those in `disabledTools` are not offered.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, listed, permitted
from pisces.mcp.fills import editor_folders, of_editors_or_braced

DIALECT = ServerDialect(
    fill=of_editors_or_braced,
    folders=lambda entry: editor_folders(entry.places.cwd, entry.places.home),
    exclude=listed("disabledTools"),
    unasked=permitted("autoApprove"),
)
