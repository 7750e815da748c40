"""What OpenCode does with a server's entry, by running it: `{env:NAME}` and `{file:path}`, an unset variable is empty.

`cwd` is relative to the workspace. `timeout` is in milliseconds and for the start.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, number
from pisces.mcp.fills import curly

DIALECT = ServerDialect(
    fill=curly,
    seconds=lambda fields, _places: (number(fields.get("timeout"), 0.001), None),
    include=lambda _fields: None,
    exclude=lambda _fields: (),
)
