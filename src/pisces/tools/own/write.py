"""`write`: a whole file, new or over one that the model has read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import in_thread

if TYPE_CHECKING:
    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    description = (
        "Writes a whole file and the folders above it. Read an existing file first; prefer `edit` for changes."
    )
    return Tool("write", description, _SCHEMA, in_thread(bench, "changing", "write"), prepare=with_home(bench))
