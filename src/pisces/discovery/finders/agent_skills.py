"""Skills by the Agent Skills standard: `*/SKILL.md`, or the folder's own SKILL.md.

The standard asks clients to be lenient: without a description a skill is dropped, any other difference is a warning.
Inside Agent Plugins every difference drops the skill, and nothing may lead out of the package.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.agent_skill import deviations
from pisces.discovery.containment import stays_inside
from pisces.discovery.finders.skill_folders import skill_at, skill_files
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.package_options import AgentSkills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


SKILL_OFF_STANDARD = Rule("skill-off-standard", WARNING, "A skill differs from the Agent Skills standard")
SKILL_NOT_CONFORMING = Rule(
    "skill-not-conforming", ERROR, "A skill of an Agent Plugin differs from the Agent Skills standard"
)
SKILL_OUTSIDE = Rule("skill-outside", ERROR, "A skill of an Agent Plugin lies outside of the plugin")


def find(where: Where[AgentSkills]) -> Iterator[Found | Diagnostic]:
    needs = () if where.options.exact else ("description",)
    inside = where.replace(options=where.options.replace(needs=needs))
    for path in skill_files(inside):
        problems = list(_problems(path, where))
        yield from problems
        if not (problems and where.options.exact):
            yield from skill_at(path, inside)


def _problems(path: str, where: Where[AgentSkills]) -> Iterator[Diagnostic]:
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    exact = where.options.exact
    if exact and where.package and not stays_inside(path, where.package.path):
        yield SKILL_OUTSIDE.at(path, "the skill leads out of the plugin", about=folder)
        return
    file = markdown_at(path, folder, lenient=False)
    if isinstance(file, Diagnostic):
        if exact:
            yield file
        return
    rule = SKILL_NOT_CONFORMING if exact else SKILL_OFF_STANDARD
    for field, message in deviations(file, folder):
        if exact or field != "description" or file.text("description"):
            yield rule.at(path, message, place=file.place(field), about=folder)
