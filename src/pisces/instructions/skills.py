"""The skills that a model may use: a line each in the system prompt, the rest when one is activated.

Skills that are off, shadowed or for the user alone are not in the index, are not read and cost nothing.
"""

from __future__ import annotations

from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.discovery.capabilities import SKILLS as ALL_SKILLS
from pisces.discovery.conditions import BY_NAME_ALONE, WHEN_NAMED, with_files
from pisces.discovery.found import PROJECT
from pisces.discovery.harness import Run
from pisces.discovery.registry import Switches, discover
from pisces.discovery.state import ACTIVE
from pisces.instructions.context import untrusted
from pisces.instructions.index_lines import fitting, index_line
from pisces.instructions.part import SKILLS, InstructionPart, tokens_of
from pisces.instructions.rooms import contained, rooms_here
from pisces.value import EMPTY, Value, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.discovery.found import Candidate, Found
    from pisces.places import Places
    from pisces.shapes.skill import Skill

SKILLS_CUT = Rule("skills-cut", WARNING, "There are more skills than the index has room for")
SKILL_UNKNOWN = Rule("skill-unknown", ERROR, "No skill of this name can be activated")

_HEADING = "Skills: when a task fits one of these, activate it by its name before you go on."
_NEAR = 3
_LONGEST_NAME = 200  # a longer one is no typing mistake


class SkillIndex(Value):
    """`skills` are those that a model may activate, by name; `for_user` those that only the user may.

    `dialects` are the harnesses by whose rules the skills of packages are written, by the path of the skill.
    """

    skills: dict[str, Candidate[Skill]]
    for_user: dict[str, Found[Skill]]
    diagnostics: tuple[Diagnostic, ...] = ()
    dialects: Mapping[str, str] = EMPTY

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.skills)

    @property
    def text(self) -> str:
        """The part of the system prompt; empty without skills."""
        lines, more = fitting(map(line_of, self.skills.values()))
        if not lines:
            return ""
        rest = [f"- and {more:,} more, which can be activated by name"] if more else []
        return "\n".join((_HEADING, *lines, *rest))

    @property
    def tokens(self) -> int:
        return tokens_of(self.text)

    def part(self) -> InstructionPart | None:
        if not self.skills:
            return None
        levels = {each.found.source.level for each in self.skills.values()}
        return InstructionPart(self.text, "", "", "", SKILLS, PROJECT if PROJECT in levels else levels.pop())


def skill_index(
    places: Places,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    run: Run | None = None,
    trusted: bool = False,
) -> SkillIndex:
    """The skills that pisces would load here. Those of a project count once the project is trusted."""
    run = run or Run()
    found = discover(ALL_SKILLS, places, switches, run=run)
    active = [each for each in found.all if each.state == ACTIVE]
    chosen = [each for each in active if trusted or each.found.source.level != PROJECT]
    left_out = untrusted(ALL_SKILLS, len(active) - len(chosen), places)
    rooms = rooms_here([each.found for each in chosen], places, switches, run)
    inside, wrong = contained(chosen, rooms)
    index = index_of(inside)
    brought = [each.found for each in inside if each.found.package]
    return index.replace(
        diagnostics=(*found.diagnostics, *wrong, *left_out, *index.diagnostics),
        dialects=frozen({each.item.path: rooms.dialect_of(each, run) for each in brought}),
    )


def index_of(candidates: Iterable[Candidate[Skill]]) -> SkillIndex:
    """Of skills that were chosen already. The first of a name has it."""
    skills: dict[str, Candidate[Skill]] = {}
    for_user: dict[str, Found[Skill]] = {}
    for each in candidates:
        if is_for_user(each):
            for_user.setdefault(each.found.item.name, each.found)
        else:
            skills.setdefault(each.found.item.name, each)
    more = fitting(map(line_of, skills.values()))[1]
    message = f"the index has no room for {more:,} of {len(skills):,} skills: the model is not told their names"
    wrong = (SKILLS_CUT.at("", message, hint="switch off those that you do not need"),) if more else ()
    return SkillIndex(skills, for_user, wrong)


def is_for_user(candidate: Candidate[Skill]) -> bool:
    """Whether the model is not told about it: by its header, or by a setting of the user."""
    return bool(candidate.found.item.disable_model_invocation) or candidate.reason == WHEN_NAMED.reason


def line_of(candidate: Candidate[Skill]) -> str:
    skill = candidate.found.item
    if candidate.reason == BY_NAME_ALONE.reason:
        return index_line(skill.name, "")
    fitting_files = with_files(list(skill.paths or ()))
    when = f"({fitting_files.reason})" if fitting_files else ""
    return index_line(skill.name, " - ".join(filter(None, (skill.description, skill.when_to_use, when))))


def skill_named(index: SkillIndex, name: str) -> Found[Skill]:
    """The skill that a model may activate by this name; `PiscesError` names those that it may have meant."""
    name = name.strip().removeprefix("/")
    if name in index.skills:
        return index.skills[name].found
    if name in index.for_user:
        message = f"only the user may start the skill `{name}`"
        raise PiscesError(
            SKILL_UNKNOWN.at(index.for_user[name].item.path, message, hint=f"ask the user to type /{name}")
        )
    near = _near(name, index.skills)
    hint = f"did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
    raise PiscesError(SKILL_UNKNOWN.at("", f"no skill is called `{name[:_LONGEST_NAME]}`", hint=hint))


def _near(name: str, known: Iterable[str]) -> list[str]:
    if len(name) > _LONGEST_NAME:
        return []
    from difflib import get_close_matches  # slow to import, and needed for a wrong name only

    names = list(known)
    ends = [each for each in names if each.rpartition(":")[2] == name]
    return list(dict.fromkeys([*ends, *get_close_matches(name, names, _NEAR)]))[:_NEAR]
