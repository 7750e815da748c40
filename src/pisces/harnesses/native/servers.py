"""What pisces does with a server's entry in its own files: `${NAME}`, `${NAME:-default}`, `${env:NAME}`,
`${workspaceFolder}` and `${userHome}`. `timeout` is in milliseconds, `trust` lets its tools run unasked.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, flagged
from pisces.mcp.fills import editor_folders, of_editors_or_braced

DIALECT = ServerDialect(
    fill=of_editors_or_braced,
    folders=lambda entry: editor_folders(entry.places.cwd, entry.places.home),
    unasked=flagged("trust"),
    env_file="envFile",
)
