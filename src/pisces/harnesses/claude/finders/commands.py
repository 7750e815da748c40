"""Slash commands of Claude Code: managed, user, project, plugins; a skill of the same name beats a command.

Skills are commands too, unless their header says `user-invocable: false`; a command that says so is off.
`.claude/commands` is read from the current directory up to the repository's root, nearest first. Subfolders become part
of the name: `frontend/fix.md` is `/frontend:fix`.
"""

from __future__ import annotations

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Look, Where, search
from pisces.discovery.options import Managed, MarkdownCommands, Upward
from pisces.discovery.state import OFF, State
from pisces.harnesses.claude import SkillCommands, WithSettings, skill_looks
from pisces.harnesses.claude.user_invocable import KEY, is_for_users

COMMAND_BEHIND_SKILL = Rule("command-behind-skill", WARNING, "A skill of the same name hides a command")

_COMMANDS = MarkdownCommands(lenient=True, first_line=True, skills=True, skipped=())
_LOOKS = (Look(_COMMANDS, "user:commands"), Look(Upward((".claude/commands",), _COMMANDS), "cwd:"))


def find(where: Where[WithSettings]) -> FinderResults:
    harness = where.harness
    if harness is None:
        return
    skills = where.run.once(("claude-skills", where.places.cwd), lambda: _skills(where))
    plugins = Look(where.options.replace(FINDER="pisces.harnesses.claude.finders.plugins"))
    managed = Look(Managed(where.options.managed, ".claude/commands", _COMMANDS))
    files = harness.replace(looks={"commands": lambda: (managed, *_LOOKS, plugins)})
    for found in search(files, "commands", where.places, where.run):
        skill = None
        if not isinstance(found, Diagnostic) and not found.package:  # in a plugin the command comes first
            skill = skills.get(found.item.final_name)
        if isinstance(found, Diagnostic):
            yield found
        elif skill in (None, found.item.path):
            yield found if is_for_users(found.item.fields) else found.replace(held=found.held or _hidden(found))
        else:
            name = found.item.final_name
            message = f"the skill at `{where.places.shown(skill)}` is `/{name}`, so this command is not"
            yield COMMAND_BEHIND_SKILL.at(found.item.path, message, about=name)
    own = harness.replace(looks={"commands": lambda: skill_looks(SkillCommands)})
    yield from search(own, "commands", where.places, where.run)


def _hidden(found: Found) -> State:
    path = found.item.path
    return State(OFF, f"its header has `{KEY}`, so that only the model sees it", path, 0, "say `true` there", True)


def _skills(where: Where[WithSettings]) -> dict[str, str]:
    """Name to path of every skill that Claude Code would load; the first of a name wins."""
    found: dict[str, str] = {}
    if where.harness:
        for each in search(where.harness, "skills", where.places, where.run):
            if not isinstance(each, Diagnostic) and each.held is None:
                found.setdefault(each.item.name, each.item.path)
    return found
