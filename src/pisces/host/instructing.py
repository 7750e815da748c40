"""What a host tells a model beside its tools: context files, skills, subagents. Read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pisces.discovery.capabilities import SKILLS, SUBAGENTS
from pisces.discovery.found import PROJECT, Candidate
from pisces.discovery.state import ACTIVE
from pisces.instructions.activated_skill import activated, activated_skill
from pisces.instructions.context import context
from pisces.instructions.part import InstructionPart
from pisces.instructions.skills import SkillIndex, index_of, skill_index
from pisces.instructions.subagents import subagents_part
from pisces.shapes.tool import Tool
from pisces.tools.activate_skill import activate_skill

if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.host.kinds import Kinds
    from pisces.host.options import HostOptions
    from pisces.places import Places


class Instructing:
    """`use` hears of each skill that is used, because its hooks fire from then on."""

    def __init__(
        self, places: Places, options: HostOptions, kinds: Kinds, trusted: bool, use: Callable[[Found], None]
    ) -> None:
        self._places, self._options, self._kinds, self._trusted, self._use = places, options, kinds, trusted, use
        self._index: SkillIndex | None = None
        self.diagnostics: list[Diagnostic] = []

    @property
    def skills(self) -> SkillIndex:
        if self._index is None:
            named, problems = self._kinds.named.found(SKILLS.id, self._places, self._kinds.run)
            own, found = index_of(Candidate(each, ACTIVE) for each in named), index_of(())
            if self._looks:
                found = skill_index(self._places, self._kinds.switches, run=self._kinds.run, trusted=self._trusted)
            self.diagnostics += [*problems, *found.diagnostics]
            self._index = SkillIndex({**found.skills, **own.skills}, {**found.for_user, **own.for_user})
        return self._index

    @property
    def parts(self) -> tuple[InstructionPart, ...]:
        read: tuple[InstructionPart, ...] = ()
        if self._looks:
            read = context(self._places, self._kinds.switches, run=self._kinds.run, trusted=self._trusted).parts
        agents = [each for each in self._kinds.of(SUBAGENTS).items if self._trusted or each.source.level != PROJECT]
        return (*read, *filter(None, (self.skills.part(), subagents_part(agents))))

    @property
    def _looks(self) -> bool:
        return self._options.discover and not self._places.is_safe

    def tool(self) -> Tool | None:
        """`activate_skill` for the model; None where there is no skill that it may activate."""
        made = activate_skill(self.skills)
        if made is None:
            return None

        def run(arguments: Mapping[str, Any], given: object = None) -> Any:
            text = made.run(arguments, given)
            self._use(self.skills.skills[str(arguments["name"]).strip().removeprefix("/")].found)
            return text

        return made.replace(run=run)

    def activate(self, name: str) -> str:
        """For the program: also a skill that only the user may start. Raises `PiscesError` for an unknown name."""
        index = self.skills
        skill = activated(index.for_user[name]) if name in index.for_user else activated_skill(index, name)
        self._use(skill.found)
        return skill.text()

    def use_at(self, path: str) -> None:
        """The user typed a command that is a skill."""
        for found in (*(each.found for each in self.skills.skills.values()), *self.skills.for_user.values()):
            if found.item.path == path:
                self._use(found)
