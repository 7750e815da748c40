"""Whether a rule that denies or asks is about a shell line: about a command in it, or a file that a command uses."""

from __future__ import annotations

import glob
import os
from itertools import islice

from pisces.gates.approval_mode import folders_of
from pisces.gates.command_files import file_uses, uses_of
from pisces.gates.path_rule import spellings
from pisces.harnesses.claude.permission_rules import (
    BASH,
    DENY,
    MAYBE,
    NO,
    READ,
    YES,
    command_denied,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.gates.command_files import FileUse
    from pisces.harnesses.claude.permission_rules import PermissionRule
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.shell_line import ShellLine

_MOST_FOUND = 500


class LineFiles:
    """The files that a line uses, looked for once for all rules about files."""

    def __init__(self, line: ShellLine, facts: SessionFacts) -> None:
        self._line, self._facts = line, facts
        self._found: list[tuple[FileUse, SessionFacts, tuple[str, ...]]] | None = None

    def found(self) -> list[tuple[FileUse, SessionFacts, tuple[str, ...]]]:
        """Each with the facts for the folder that it may be used in, and all its spellings."""
        if self._found is None:
            uses = dict.fromkeys(_uses(self._line))
            places = folders_of(self._line, self._facts)
            self._found = [(use, facts, _paths(use, facts)) for use in uses for facts in places]
        return self._found


def line_found(rule: PermissionRule, line: ShellLine, files: LineFiles) -> str:
    if rule.kind != BASH:
        return _strongest(_use_found(rule, *each) for each in files.found())
    return _strongest(command_denied(rule, each) for each in line.commands)


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


def _use_found(rule: PermissionRule, use: FileUse, facts: SessionFacts, paths: tuple[str, ...]) -> str:
    """A rule about reading covers writing too."""
    if rule.path is None or (rule.kind != READ and not use.writes):
        return NO
    if use.path is None:
        return MAYBE if use.is_sure else NO
    if not rule.path.denies_any(paths, facts) and not (use.is_deep and rule.path.lies_below(paths, facts)):
        return NO
    return YES if use.is_sure or rule.decision != DENY else MAYBE


def _paths(use: FileUse, facts: SessionFacts) -> tuple[str, ...]:
    """The path, and of a pattern every file that it finds now."""
    path = use.path
    if path is None:
        return ()
    written = [path, *(each for each in (path.rpartition("=")[2], path.lstrip("@")) if each != path)]
    if use.is_pattern:
        written += islice(glob.iglob(os.path.join(glob.escape(facts.cwd), path)), _MOST_FOUND)
    return tuple(dict.fromkeys(each for one in written for each in spellings(one, facts)))
