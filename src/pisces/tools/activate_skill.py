"""`activate_skill`: the model reads a skill's instructions, and learns which files lie beside them."""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.instructions.activated_skill import activated_skill
from pisces.shapes.tool import Tool, ToolFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.instructions.activated_skill import ActivatedSkill
    from pisces.instructions.skills import SkillIndex

    # The instructions of a skill once its placeholders are filled with these arguments.
    Expand = Callable[[ActivatedSkill, str], str]

NAME = "activate_skill"
_DESCRIPTION = (
    "Loads the instructions of a skill, by its name as the list of skills has it, and lists the files in its folder. "
    "Call it before you start a task that a skill is meant for, and follow what it returns."
)
_MOST_IN_SCHEMA = 10  # names; they are in the system prompt already, and each costs every request


def activate_skill(index: SkillIndex, expand: Expand | None = None) -> Tool | None:
    """None where there is no skill that the model may activate."""

    def run(arguments: Mapping[str, Any], _context: object = None) -> str:
        given = str(arguments.get("arguments") or "")
        try:
            skill = activated_skill(index, str(arguments.get("name", "")))
            return skill.text(expand(skill, given) if expand else skill.with_arguments(given))
        except PiscesError as error:
            raise ToolFailed(". ".join(filter(None, (str(error), error.diagnostic.hint)))) from None

    return Tool(NAME, _DESCRIPTION, _schema(index), run) if index.skills else None


def _schema(index: SkillIndex) -> dict[str, Any]:
    name: dict[str, Any] = {"type": "string", "description": "a name from the list of skills"}
    if len(index.skills) <= _MOST_IN_SCHEMA:
        name["enum"] = list(index.skills)
    arguments = {"type": "string", "description": "what the skill is to work on, if it takes arguments"}
    properties = {"name": name, "arguments": arguments}
    return {"type": "object", "properties": properties, "required": ["name"], "additionalProperties": False}
