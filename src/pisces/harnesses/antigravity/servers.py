"""What Antigravity does with a server's entry, by its documentation: `${env:NAME}`; `disabledTools` are not offered."""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, listed
from pisces.mcp.fills import of_editors

DIALECT = ServerDialect(fill=of_editors, exclude=listed("disabledTools"))
