"""Skills as slash commands: `/skill-name args` is typed as a command is, unless its header is not `user-invocable`.

`disable-model-invocation` keeps the model from a skill, not the user. What is wrong with a skill is reported with the
skills.
"""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.finders import skill_folders
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import prefixed
from pisces.harnesses.claude import SkillCommands
from pisces.harnesses.claude.user_invocable import is_for_users
from pisces.shapes.command import Command


def find(where: Where[SkillCommands]) -> FinderResults:
    prefix = prefixed("", where)
    for found in skill_folders.find(where):
        if isinstance(found, Diagnostic) or not is_for_users(found.item.fields):
            continue
        skill = found.item
        name = skill.name.removeprefix(prefix)
        hint = skill.argument_hint
        yield where.found(Command(name, skill.name, skill.description, skill.path, "claude", skill.fields, hint))
