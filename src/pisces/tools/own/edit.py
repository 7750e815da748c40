"""`edit`: texts in a file replaced by others, all or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.tool import Tool
from pisces.tools.named_path import with_home
from pisces.tools.workbench import in_thread

if TYPE_CHECKING:
    from pisces.tools.workbench import Workbench

_PAIR = {"old": {"type": "string"}, "new": {"type": "string"}}
_SEVERAL = {"type": "object", "properties": _PAIR, "required": ["old", "new"], "additionalProperties": False}
_SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        **_PAIR,
        "replace_all": {"type": "boolean"},
        "edits": {"type": "array", "items": _SEVERAL, "description": "several, in order, instead of old and new"},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    description = "Replaces text in a file that you have read. `old` must be in it exactly once, copied exactly."
    return Tool("edit", description, _SCHEMA, in_thread(bench, "changing", "edit"), prepare=with_home(bench))
