"""The parts of a system prompt, in the order in which a model reads them: context files, skills, subagents."""

from __future__ import annotations

from pisces.discovery.capabilities import SUBAGENTS
from pisces.discovery.found import PROJECT
from pisces.discovery.harness import Run
from pisces.discovery.registry import Switches, discover
from pisces.discovery.state import ACTIVE
from pisces.instructions.context import context, untrusted
from pisces.instructions.part import Instructions
from pisces.instructions.rooms import contained, rooms_here
from pisces.instructions.skills import skill_index
from pisces.instructions.subagents import subagents_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places


def instructions(
    places: Places,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    run: Run | None = None,
    trusted: bool = False,
) -> Instructions:
    """All that a model is told here before the first prompt. Nothing of a project that is not trusted is in it.

    `diagnostics` say what was left out and why. Whoever offers no `activate_skill` or no subagents leaves out the
    parts of that kind.
    """
    run = run or Run()
    read = context(places, switches, run=run, trusted=trusted)
    skills = skill_index(places, switches, run=run, trusted=trusted)
    agents = discover(SUBAGENTS, places, switches, run=run)
    active = [each for each in agents.all if each.state == ACTIVE]
    chosen = [each for each in active if trusted or each.found.source.level != PROJECT]
    left_out = untrusted(SUBAGENTS, len(active) - len(chosen), places)
    inside, wrong = contained(chosen, rooms_here([each.found for each in chosen], places, switches, run))
    lines = subagents_part([each.found for each in inside])
    parts = (*read.parts, *filter(None, (skills.part(), lines)))
    diagnostics = (*read.diagnostics, *skills.diagnostics, *agents.diagnostics, *wrong, *left_out)
    return Instructions(parts, tuple(dict.fromkeys(diagnostics)), read.conditional)
