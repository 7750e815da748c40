"""`read`: a text file with line numbers, a picture, or the names in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import in_thread

if TYPE_CHECKING:
    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "offset": {"type": "integer", "minimum": 1, "description": "first line"},
        "limit": {"type": "integer", "minimum": 1, "description": "number of lines"},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    description = "Reads a file with line numbers, or a picture. `offset` and `limit` are for long files."
    return Tool("read", description, _SCHEMA, in_thread(bench, "reading", "read"), prepare=with_home(bench))
