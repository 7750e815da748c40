"""`glob`: files by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import in_thread

if TYPE_CHECKING:
    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {"pattern": {"type": "string"}, "path": {"type": "string", "description": "folder"}},
    "required": ["pattern"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    description = "Finds files by name: `*.py` at any depth, `src/**/*.{ts,tsx}`. Leaves out what .gitignore does."
    return Tool("glob", description, _SCHEMA, in_thread(bench, "finding", "find"), prepare=with_home(bench))
