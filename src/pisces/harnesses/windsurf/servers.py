"""What Windsurf does with a server's entry, by its documentation: `${env:NAME}` and `${file:path}`.

Tools in `disabledTools` are not offered, those in `alwaysAllow` run unasked.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, listed, permitted
from pisces.mcp.fills import of_editors

DIALECT = ServerDialect(fill=of_editors, exclude=listed("disabledTools"), unasked=permitted("alwaysAllow"))
