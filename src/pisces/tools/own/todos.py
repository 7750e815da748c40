"""`todos`: the plan that the user sees. Each call replaces the whole list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.shapes.tool import Tool
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_MARKS = {"pending": "[ ]", "active": "[>]", "done": "[x]"}
_TODO = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "status": {"type": "string", "enum": list(_MARKS)}},
    "required": ["text", "status"],
    "additionalProperties": False,
}
_SCHEMA = {
    "type": "object",
    "properties": {"todos": {"type": "array", "items": _TODO}},
    "required": ["todos"],
    "additionalProperties": False,
}


def tool(_bench: Workbench) -> Tool:
    def run(given: Mapping[str, Any], _context: object = None) -> dict[str, Any]:
        todos = given["todos"]
        lines = [f"{_MARKS[each['status']]} {each['text']}" for each in todos]
        return text_result("\n".join(lines) or "the list is empty", todos=todos)

    description = "Shows the user your plan for a task of several steps. Replaces the whole list; one is active."
    return Tool("todos", description, _SCHEMA, run)
