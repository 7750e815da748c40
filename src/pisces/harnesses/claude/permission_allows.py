"""What Claude Code's allow rules let run without a question: nothing that a rule does not cover to the letter.

Every command of a shell line must be covered by a rule, or only read. A line that cannot be read plainly is covered by
none, not even by `Bash` alone.
"""

from __future__ import annotations

from pisces.discovery import tool_names as to
from pisces.gates.approval_mode import facts_in, folders_of, is_near, is_obeyed, may_be_edited, stay_here
from pisces.gates.command_files import READERS, file_uses
from pisces.gates.reading_commands import command_reads, has_odd_blanks, sets_only_safe
from pisces.gates.tool_effects import READS, RUNS, WRITES
from pisces.harnesses.claude.permission_rules import (
    AGENT,
    ALLOW,
    BASH,
    EDIT,
    FETCH,
    READ,
    SKILL,
    command_allowed,
    domain_fits,
    exact_host_of,
    name_fits,
    names_tool,
)
from pisces.shapes.session_facts import MODE_EDITS, MODE_PLAN
from pisces.shapes.verdict import Verdict
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.gates.command_files import FileUse
    from pisces.gates.rulebook import ToolUse
    from pisces.gates.tool_effects import ToolEffects
    from pisces.harnesses.claude.permissions import PlacedRule
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.shell_line import LineCommand, ShellLine

_OUTPUTS = (">", ">>", ">|", "&>", "&>>")
_LOOKED_THROUGH = frozenset(("timeout", "nice", "nohup", "stdbuf", "time", "command", "builtin"))
_KEEP_INSIDE = READERS | frozenset("find grep egrep fgrep rg sed cp mv rm rmdir mkdir touch tee".split())


def is_allowed(
    rules: Sequence[PlacedRule], use: ToolUse, effects: ToolEffects, names: tuple[str, ...]
) -> Verdict | None:
    allows = [each for each in rules if each.rule.decision == ALLOW]
    if use.facts.mode == MODE_PLAN or not allows:  # a plan changes nothing, whatever is allowed otherwise
        return None
    bare = next((each for each in allows if each.rule.is_bare and names_tool(each.rule, names[:1])), None)
    if use.server:  # its tool may call itself as a tool of the program, but only rules about the server name it
        return Verdict(ALLOW, bare.who) if bare and _is_clear(bare.rule.tool, use.server, names[0]) else None
    found = AllowRules(tuple(allows), use.facts, effects, bare)
    placed = found.covering()
    return Verdict(ALLOW, placed.who) if placed else None


def _is_clear(rule: str, server: str, name: str) -> bool:
    """`mcp__a__b__x` may be the tool `x` of `a__b`, or `b__x` of `a`: nobody knows which of them was allowed."""
    return "__" not in server and (rule != name or name.count("__") == 2)


class AllowRules(Value):
    """`bare` is a rule about every call of the tool, if there is one."""

    allows: tuple[PlacedRule, ...]
    facts: SessionFacts
    effects: ToolEffects
    bare: PlacedRule | None

    def covering(self) -> PlacedRule | None:
        """The first rule that lets the call run."""
        effects = self.effects
        if effects.meaning in RUNS:
            return self._line(effects.line) if effects.line and effects.meaning != to.TYPE else None
        if effects.meaning in READS:
            return self.bare or self._covers_all(effects.reads, (READ, EDIT))
        if effects.meaning in WRITES:
            is_safe = effects.writes and not any(is_obeyed(each, self.facts) for each in effects.writes)
            return (self.bare or self._covers_all(effects.writes, (EDIT,))) if is_safe else None
        if effects.meaning == to.FETCH:
            return self.bare or self._fetches()
        if effects.meaning in (to.SUBAGENT, to.SKILL) and effects.name:
            kind = AGENT if effects.meaning == to.SUBAGENT else SKILL
            return self.bare or next((each for each in self._of(kind) if name_fits(each.rule, effects.name)), None)
        return self.bare

    def _of(self, *kinds: str) -> list[PlacedRule]:
        return [each for each in self.allows if each.rule.kind in kinds and not each.rule.is_bare]

    def _fetches(self) -> PlacedRule | None:
        hosts = [exact_host_of(each) for each in self.effects.addresses]
        rules = [[each for each in self._of(FETCH) if host and domain_fits(each.rule, host)] for host in hosts]
        return rules[0][0] if rules and all(rules) else None

    def _covers_all(self, paths: Sequence[str], kinds: tuple[str, ...]) -> PlacedRule | None:
        rules = [self._covers(each, kinds) for each in paths]
        return rules[0] if rules and all(rules) else None

    def _covers(self, path: str, kinds: tuple[str, ...]) -> PlacedRule | None:
        rules = (each for each in self._of(*kinds) if each.rule.path and each.rule.path.allows(path, self.facts))
        return next(rules, None)

    # Shell lines

    def _line(self, line: ShellLine) -> PlacedRule | None:
        if not line.is_plain or not line.commands:
            return None
        if self.bare:
            written = [each.path for command in line.commands for each in file_uses(command) if each.writes]
            return None if any(each and is_obeyed(each, self.facts) for each in written) else self.bare
        if line.has_groups:
            return None
        places = folders_of(line, facts_in(self.facts, self.effects.folder))
        used: list[PlacedRule] = []
        is_covered = stay_here(places) and all(self._command(each, line, places, used) for each in line.commands)
        return used[0] if is_covered and used else None

    def _command(
        self, command: LineCommand, line: ShellLine, places: tuple[SessionFacts, ...], used: list[PlacedRule]
    ) -> bool:
        """Whether a command may run. Rules that say so are added to `used`."""
        if not command.is_plain or None in command.words or not command.words:
            return False
        outputs = [each for each in command.redirects if each.operator in _OUTPUTS and each.target != "/dev/null"]
        if not all(self._may_write(each.target, places, used) for each in outputs):
            return False
        rest = command.replace(redirects=tuple(each for each in command.redirects if each not in outputs))
        if command_reads(rest, lambda file: self._may_read(file, places, used), [each.cwd for each in places]):
            return True
        if command.name in _LOOKED_THROUGH and _starts_one(command, line):
            return True
        rule = next((each for each in self._of(BASH) if command_allowed(each.rule, rest)), None)
        if rule is None or not _is_harmless(rest) or not sets_only_safe(rest) or has_odd_blanks(rest.text):
            return False
        used.append(rule)
        return self._stays_inside(rest, places, used)

    def _stays_inside(self, command: LineCommand, places: tuple[SessionFacts, ...], used: list[PlacedRule]) -> bool:
        """Of programs that only work on files, also an allowed one works on those that it may touch."""
        if command.name not in _KEEP_INSIDE:
            return True
        uses = [each for each in file_uses(command) if each.path != "/dev/null"]
        reads = [each for each in uses if not each.writes]
        writes = [each for each in uses if each.writes]
        if any(each.is_pattern or ".." in (each.path or "").split("/") for each in writes) or (writes and places[1:]):
            return False
        may_write = all(self._may_write(each.path, places, used, by_mode=True) for each in writes)
        return may_write and all(self._may_read(each, places, used) for each in reads)

    def _may_read(self, file: FileUse, places: tuple[SessionFacts, ...], used: list[PlacedRule]) -> bool:
        path = file.path
        if path is None:
            return False
        if is_near(file.replace(writes=False), places):
            return True
        rule = None if places[1:] or file.is_pattern else self._covers(path, (READ,))
        used += [rule] if rule else []
        return rule is not None

    def _may_write(
        self, path: str | None, places: tuple[SessionFacts, ...], used: list[PlacedRule], *, by_mode: bool = False
    ) -> bool:
        """Where a rule lets a program run, it may write what lies in the workspace and what nobody obeys."""
        if path is None or places[1:] or is_obeyed(path, places[0]):
            return False
        if (by_mode or self.facts.mode == MODE_EDITS) and may_be_edited(path, places[0]):
            return True
        rule = self._covers(path, (EDIT,))
        used += [rule] if rule else []
        return rule is not None


def _starts_one(command: LineCommand, line: ShellLine) -> bool:
    wrappers = (*command.wrappers, command.name)
    return any(each.wrappers == wrappers for each in line.commands)


def _is_harmless(command: LineCommand) -> bool:
    """Whether it gets only what stands in the line, or in a file, and prints into no file."""
    return all(_is_plain(each.operator, each.target) for each in command.redirects)


def _is_plain(operator: str, target: str | None) -> bool:
    if operator in ("<", "<<", "<<-", "<<<"):
        return target is not None
    return target == "/dev/null" or (operator in (">&", "<&") and (target or "").isdigit())
