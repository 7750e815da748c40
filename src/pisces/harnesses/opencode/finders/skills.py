"""Skills of OpenCode. Name and description must be texts, and a header must be YAML, or nearly so."""

from __future__ import annotations

from pisces.discovery.skill_headers import skills_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import FinderResults, Where
    from pisces.discovery.options import SkillFolders
    from pisces.shapes.skill import Skill

_READER = "pisces.harnesses.opencode.skill_header"


def find(where: Where[SkillFolders]) -> FinderResults:
    yield from skills_read(where, _is_plain, _READER)


def _is_plain(skill: Skill) -> bool:
    return isinstance(skill.fields.get("name"), str) and isinstance(skill.fields.get("description", ""), str)
