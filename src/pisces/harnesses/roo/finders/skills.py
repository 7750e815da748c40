"""Roo Code's skills: in `skills`, and in `skills-<mode>` for one mode.

A skill is dropped unless its name and its description are as the Agent Skills standard has them; other fields are free.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.agent_skill import deviations
from pisces.discovery.finders.skill_folders import skill_at, skill_files
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.options import SkillFolders
from pisces.files import entries, is_folder

ROO_SKILL = Rule("roo-skill", ERROR, "Roo Code drops a skill whose name or description is not by the standard")


def find(where: Where) -> FinderResults:
    folders = [entry.name for entry in entries(where.path) if is_folder(entry) and entry.name.startswith("skills")]
    for name in sorted(folders, key=lambda name: (name == "skills", name)):
        if name == "skills" or name.startswith("skills-"):
            yield from _skills(where.given(SkillFolders(), os.path.join(where.path, name)))


def _skills(where: Where[SkillFolders]) -> FinderResults:
    for path in skill_files(where):
        folder = os.path.basename(os.path.dirname(path))
        file = markdown_at(path, folder, lenient=False)
        if isinstance(file, Diagnostic):
            yield file
            continue
        flaws = [flaw for flaw in deviations(file, folder) if flaw[0] in ("name", "description")]
        yield from (ROO_SKILL.at(path, text, place=file.place(field), about=folder) for field, text in flaws[:1])
        if not flaws:
            yield from skill_at(path, where)
