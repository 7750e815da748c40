"""`grep`: lines of files by a regular expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import check_place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string", "description": "Python regular expression, for one line"},
        "path": {"type": "string", "description": "folder or file"},
        "glob": {"type": "string", "description": "only files like `*.py`"},
    },
    "required": ["pattern"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    async def run(given: Mapping[str, Any], context: Any = None) -> dict[str, Any]:
        check_place(bench, given, context)
        found: dict[str, Any] = await export_of("pisces.tools", "searching", "search")(bench, given)
        return found

    description = "Searches in files. Leaves out what .gitignore does."
    return Tool("grep", description, _SCHEMA, run, prepare=with_home(bench))
