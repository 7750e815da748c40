"""Whether a rule that denies or asks is about a shell line: about a command in it, or a file that a command uses."""

from __future__ import annotations

import glob
import os
from itertools import islice

from pisces.gates.approval_mode import facts_in, folders_of
from pisces.gates.command_files import file_uses, uses_of
from pisces.harnesses.claude.permission_rules import (
    BASH,
    DENY,
    MAYBE,
    NO,
    READ,
    YES,
    command_denied,
    parameter_fits,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.gates.command_files import FileUse
    from pisces.gates.path_rule import PathRule
    from pisces.gates.rulebook import ToolUse
    from pisces.gates.tool_effects import ToolEffects
    from pisces.harnesses.claude.permission_rules import PermissionRule
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.shell_line import ShellLine

_MOST_FOUND = 500


def line_found(rule: PermissionRule, use: ToolUse, effects: ToolEffects) -> str:
    line = effects.line
    assert line is not None
    if rule.kind == BASH:
        if parameter_fits(rule, use.call.input):
            return YES
        return _strongest(command_denied(rule, each) for each in line.commands)
    places = folders_of(line, facts_in(use.facts, effects.folder))
    return _strongest(_use_found(rule, each, places) for each in _uses(line))


def _strongest(found: Iterator[str]) -> str:
    strongest = NO
    for each in found:
        if each == YES:
            return YES
        strongest = MAYBE if each == MAYBE else strongest
    return strongest


def _uses(line: ShellLine) -> Iterator[FileUse]:
    for command in line.commands:
        yield from file_uses(command)
        for words in command.readings:
            yield from uses_of(words)


def _use_found(rule: PermissionRule, use: FileUse, places: tuple[SessionFacts, ...]) -> str:
    """A rule about reading covers writing too."""
    if rule.path is None or (rule.kind != READ and not use.writes):
        return NO
    if use.path is None:
        return MAYBE if use.is_sure else NO
    for facts in places:
        if any(_is_denied(rule.path, path, use, facts) for path in _paths(use, facts)):
            return YES if use.is_sure or rule.decision != DENY else MAYBE
    return NO


def _is_denied(rule: PathRule, path: str, use: FileUse, facts: SessionFacts) -> bool:
    return rule.denies(path, facts) or (use.is_deep and rule.denies(os.path.join(path, "x"), facts))


def _paths(use: FileUse, facts: SessionFacts) -> list[str]:
    """The path, and of a pattern every file that it finds now."""
    path = use.path or ""
    plain = [path, *(each for each in (path.rpartition("=")[2], path.lstrip("@")) if each != path)]
    if not use.is_pattern:
        return plain
    return [*plain, *islice(glob.iglob(os.path.join(glob.escape(facts.cwd), path)), _MOST_FOUND)]
