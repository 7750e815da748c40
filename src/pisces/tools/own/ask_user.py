"""`ask_user`: a question that only the user can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.shapes.tool import Tool, ToolFailed
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "options": {"type": "array", "items": {"type": "string"}, "description": "possible answers"},
    },
    "required": ["question"],
    "additionalProperties": False,
}


def tool(bench: Workbench) -> Tool:
    async def run(given: Mapping[str, Any], _context: object = None) -> dict[str, Any]:
        question, options = given["question"], tuple(given.get("options", ()))
        answer = await bench.ask(question, options)
        if answer is None:
            raise ToolFailed("Nobody answers: decide yourself, or end with the question in your answer")
        return text_result(answer, question=question, answer=answer)

    return Tool("ask_user", "Asks the user what only they can decide.", _SCHEMA, run)
