"""What a client does with a server of an Agent Plugin, by the specification: only folders are filled in.

A command that begins with `./` is the plugin's, and a server starts in the plugin's folder.
"""

from __future__ import annotations

import os

from pisces.mcp.dialect import ServerDialect
from pisces.mcp.fills import folders_only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.names import ServerEntry


def _folders(entry: ServerEntry) -> Mapping[str, str]:
    data = os.path.join(entry.places.agent_dir, "plugin-data", entry.found.package.replace("/", "-"))
    return {"PLUGIN_ROOT": entry.folder, "PLUGIN_DATA": data} if entry.folder else {}


DIALECT = ServerDialect(
    fill=folders_only,
    filled=("args", "env", "cwd"),
    folders=_folders,
    set=_folders,
    base=lambda entry: entry.folder or entry.places.cwd,
    include=lambda _fields: None,
    exclude=lambda _fields: (),
)
