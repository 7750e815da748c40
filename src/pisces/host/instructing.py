"""What a host tells a model beside its tools: context files, skills, subagents. Read when it is asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import PiscesError
from pisces.discovery.capabilities import CONTEXT_FILES, SKILLS, SUBAGENTS
from pisces.discovery.found import PROJECT, Candidate
from pisces.discovery.state import ACTIVE
from pisces.instructions.activated_skill import ActivatedSkill, activated, activated_skill
from pisces.instructions.context import context, context_of
from pisces.instructions.context_reader import ContextReader
from pisces.instructions.part import InstructionPart
from pisces.instructions.rooms import Rooms, contained, rooms_here
from pisces.instructions.skills import SkillIndex, index_of, skill_index, skill_named
from pisces.instructions.subagents import subagents_part
from pisces.shapes.tool import Tool, ToolFailed
from pisces.tools.activate_skill import activate_skill

if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Found, Kind
    from pisces.host.wiring import Wired
    from pisces.shapes.subagent import Subagent

    Expand = Callable[[ActivatedSkill, str], Awaitable[str]]


class Instructing:
    """`expand` fills in the text of a skill, past the gates. `use` hears of each skill that is used, because its hooks
    fire from then on.
    """

    def __init__(self, wired: Wired, looks: bool, expand: Expand, use: Callable[[Found], None]) -> None:
        self._wired, self._looks, self._expand, self._use = wired, looks and not wired.places.is_safe, expand, use
        self._index: SkillIndex | None = None
        self.diagnostics: list[Diagnostic] = []

    def refresh(self) -> None:
        self._index = None
        self.diagnostics.clear()

    @property
    def skills(self) -> SkillIndex:
        if self._index is None:
            wired, kinds = self._wired, self._wired.kinds
            own, found = index_of(self._named(SKILLS)), index_of(())
            if self._looks:
                found = skill_index(wired.places, kinds.switches, run=kinds.run, trusted=wired.facts.is_trusted)
            self.diagnostics += found.diagnostics
            skills, for_user = {**found.skills, **own.skills}, {**found.for_user, **own.for_user}
            self._index = found.replace(skills=skills, for_user=for_user)
        return self._index

    @property
    def parts(self) -> tuple[InstructionPart, ...]:
        agents = subagents_part(self.subagents)
        return (*self._context(), *filter(None, (self.skills.part(), agents)))

    @property
    def subagents(self) -> tuple[Found[Subagent], ...]:
        return tuple(each.found for each in self._agents())

    def _context(self) -> tuple[InstructionPart, ...]:
        wired, kinds = self._wired, self._wired.kinds
        packages = {(each.format, str(each.name)): [each] for each in kinds.named.packages}
        rooms = Rooms((wired.places.cwd, wired.places.cwd), packages)
        read = [context_of(self._named(CONTEXT_FILES), rooms, ContextReader(wired.places, kinds.run))]
        if self._looks:
            read.append(context(wired.places, kinds.switches, run=kinds.run, trusted=wired.facts.is_trusted))
        self.diagnostics += [problem for each in read for problem in each.diagnostics]
        return tuple(part for each in read for part in each.parts)

    def _agents(self) -> list[Candidate[Any]]:
        wired, kinds = self._wired, self._wired.kinds
        every = [each for each in kinds.of(SUBAGENTS).all if each.state == ACTIVE]
        chosen = [each for each in every if wired.facts.is_trusted or each.found.source.level != PROJECT]
        rooms = rooms_here([each.found for each in chosen], wired.places, kinds.switches, kinds.run)
        inside, wrong = contained(chosen, rooms)
        self.diagnostics += wrong
        return inside

    def _named(self, kind: Capability[Kind]) -> list[Candidate[Kind]]:
        """Of the packages that the program names."""
        found, problems = self._wired.kinds.named.found(kind.id, self._wired.places, self._wired.kinds.run)
        self.diagnostics += problems
        return [Candidate(each, ACTIVE) for each in found]

    def tool(self) -> Tool | None:
        """`activate_skill` for the model; None where there is no skill that it may activate."""
        made = activate_skill(self.skills)
        return None if made is None else made.replace(run=self._run)

    async def _run(self, arguments: Mapping[str, Any], _context: object = None) -> str:
        try:
            skill = activated_skill(self.skills, str(arguments.get("name", "")))
            return await self._activated(skill, str(arguments.get("arguments") or ""))
        except PiscesError as error:
            raise ToolFailed(". ".join(filter(None, (str(error), error.diagnostic.hint)))) from None

    async def activate(self, name: str, args: str = "") -> str:
        """For the program: also a skill that only the user may start. Raises `PiscesError` for an unknown name."""
        index = self.skills
        skill = activated(index.for_user[name]) if name in index.for_user else activated_skill(index, name)
        return await self._activated(skill, args)

    async def _activated(self, skill: ActivatedSkill, args: str) -> str:
        text = skill.text(await self._expand(skill, args))
        self._use(skill.found)
        return text

    def needs_approval(self, name: str) -> bool:
        """Whether a model that activates it gets more than a text: tools, hooks."""
        try:
            return activated(skill_named(self.skills, name)).needs_approval
        except PiscesError:
            return False  # the tool says what is wrong

    def use_at(self, path: str) -> None:
        """The user typed a command that is a skill."""
        for found in (*(each.found for each in self.skills.skills.values()), *self.skills.for_user.values()):
            if found.item.path == path:
                self._use(found)
