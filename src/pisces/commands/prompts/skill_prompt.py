"""The instructions of a skill that is activated: where its harness takes skills for commands, by the same grammar."""

from __future__ import annotations

from pisces.by_name import export_of, folders_in
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import HARNESSES, expanded_prompt
from pisces.shapes.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Harness
    from pisces.instructions.activated_skill import ActivatedSkill
    from pisces.places import Places
    from pisces.shapes.verdict import Judge


def expanded_skill(skill: ActivatedSkill, args: str, places: Places, judge: Judge) -> str:
    """Placeholders are filled and lines run, if `judge` allows them all; else `PiscesError`.

    In other harnesses the text stays as it is, and the arguments follow it.
    """
    if not _is_command(skill.dialect):
        return skill.with_arguments(args)
    item = skill.found.item
    command = Command(item.name, item.name, item.description, item.path, skill.dialect, item.fields)
    return expanded_prompt(Expansion(command, f"/{item.name} {args}".rstrip(), args, places, judge)).text


def _is_command(harness_id: str) -> bool:
    folder = harness_id.replace("-", "_")
    if folder not in folders_in(HARNESSES):
        return False
    harness: Harness = export_of(HARNESSES, folder, "HARNESS")
    return harness.skills_are_commands
