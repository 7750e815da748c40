"""Our own rules as a rulebook: the strictest rule that matches counts, in any order."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery import tool_names as to
from pisces.formats.path_glob import path_glob_matches
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.line_rules import LineRule, LineRules
from pisces.gates.rulebook import ListedRule, ToolUse
from pisces.gates.tool_effects import WRITES, effects_of
from pisces.harnesses.native.permissions import places_of_rules
from pisces.harnesses.native.rules.file import KINDS, OwnRule, rules_in
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.gates.rulebook import RuleScene
    from pisces.gates.tool_effects import ToolEffects
    from pisces.shapes.shell_line import ShellLine

_STRICTNESS = {ALLOW: 0, "": 1, ASK: 2, DENY: 3}
_NOBODY = SessionFacts("", "", "")


class PlacedOwnRule(Value):
    """A rule with its place and its conditions in the words of `tool_names`."""

    rule: OwnRule
    who: str
    meanings: frozenset[str]
    names: tuple[str, ...]

    @property
    def is_about_commands(self) -> bool:
        return bool(self.rule.commands or self.rule.pattern)

    def names_tool(self, tool: str, server: str, meaning: str) -> bool:
        if self.rule.server and not wildcard_matches(self.rule.server, server):
            return False
        if self.is_about_commands and meaning not in KINDS["shell"]:
            return False
        if not self.rule.tools:
            return True
        if meaning and meaning in self.meanings:
            return True
        return any(wildcard_matches(name, tool) for name in self.names)

    def line_rules(self) -> Iterator[LineRule]:
        rule = self.rule
        prefixes = [tuple((word,) for word in each.split()) for each in rule.commands] or [()]
        return (LineRule(rule.decision, self.who, words, rule.reason, rule.pattern) for words in prefixes)


class OwnBook:
    harness = "native"

    def __init__(self, scene: RuleScene) -> None:
        places = scene.places
        found = [
            (path, each)
            for path, only_narrows in places_of_rules(places)
            for each in rules_in(path, only_narrows=only_narrows)
        ]
        self.diagnostics = tuple(each for _, each in found if isinstance(each, Diagnostic))
        self._rules = tuple(_placed(each, places.shown(path)) for path, each in found if isinstance(each, OwnRule))
        self._about: dict[tuple[str, str, str], tuple[list[PlacedOwnRule], LineRules]] = {}

    @property
    def rules(self) -> tuple[ListedRule, ...]:
        return tuple(ListedRule(each.rule.decision, each.who) for each in self._rules)

    def judged(self, use: ToolUse) -> Verdict | None:
        if not self._rules:
            return None
        rules, lines = self._rules_about(use)
        effects = effects_of(use.call)
        line = effects.line
        best = Verdict("")
        if line is not None:
            decided = lines.decided(line)
            who, why = (
                (decided.rule.who, decided.why or decided.rule.why) if decided.rule else (self.harness, decided.why)
            )
            best = Verdict(decided.decision, who, why)
            rules = self._path_rules(use)
        found = [each for each in rules if not each.is_about_commands and self._matches(each, use, effects)]
        for each in found:
            if best.decision == "" or _STRICTNESS[each.rule.decision] > _STRICTNESS[best.decision]:
                best = Verdict(each.rule.decision, each.who, each.rule.reason)
        return best if best.decision else None

    def denies_tool(self, tool: str, server: str = "") -> Verdict | None:
        rules, _ = self._rules_about(ToolUse(ToolCall(tool, "", {}), _NOBODY, server))
        for each in rules:
            rule = each.rule
            if rule.decision == DENY and not (each.is_about_commands or rule.paths or rule.modes):
                return Verdict(DENY, each.who, rule.reason)
        return None

    def _rules_about(self, use: ToolUse) -> tuple[list[PlacedOwnRule], LineRules]:
        """Those that are about the tool in this mode, and those among them that are about commands."""
        key = use.call.tool, use.server, use.facts.mode
        found = self._about.get(key)
        if found is None:
            if len(self._about) > 1000:  # a model makes names up
                self._about.clear()
            meaning = "" if use.server else to.meaning_of(use.call.tool)
            rules = [each for each in self._in_mode(use) if each.names_tool(use.call.tool, use.server, meaning)]
            about_lines = [each for each in rules if not each.rule.paths]
            found = self._about[key] = rules, LineRules(each for rule in about_lines for each in rule.line_rules())
        return found

    def _in_mode(self, use: ToolUse) -> list[PlacedOwnRule]:
        return [each for each in self._rules if not each.rule.modes or use.facts.mode in each.rule.modes]

    def _path_rules(self, use: ToolUse) -> list[PlacedOwnRule]:
        """A command reads and writes files too: what narrows about a path holds for a shell as well."""
        return [each for each in self._in_mode(use) if each.rule.paths and each.rule.decision != ALLOW]

    def _matches(self, placed: PlacedOwnRule, use: ToolUse, effects: ToolEffects) -> bool:
        paths, line = placed.rule.paths, effects.line
        if not paths:
            return line is None
        given = [*_paths_of_line(line, placed)] if line is not None else [*effects.reads, *effects.writes]
        fits = [_is_at(each, paths, use.facts) for each in given]
        return bool(fits) and all(fits) if placed.rule.decision == ALLOW else any(fits)


def _placed(rule: OwnRule, shown: str) -> PlacedOwnRule:
    who = f"{shown}:{rule.line} {rule.text}" if rule.line else f"{shown} {rule.text}"
    meanings = {meaning for name in rule.tools for meaning in KINDS.get(name) or (to.meaning_of(name),)}
    return PlacedOwnRule(rule, who, frozenset(meanings - {""}), tuple(name for name in rule.tools if name not in KINDS))


def _paths_of_line(line: ShellLine, placed: PlacedOwnRule) -> Iterator[str]:
    """Targets of redirections, and words that may be paths. A rule about writing looks at what is written to."""
    only_writes = bool(placed.meanings) and placed.meanings <= WRITES
    for command in line.commands:
        for redirect in command.redirects:
            if redirect.target is not None and (">" in redirect.operator or not only_writes):
                yield redirect.target
        for word in command.words[1:]:
            if word is not None:
                yield word.partition("=")[2] if word.startswith("-") else word


def _is_at(path: str, patterns: Sequence[str], facts: SessionFacts) -> bool:
    """Whether a path is one of these. Patterns are relative to the workspace; `~/` and absolute ones are as written."""
    if not path:
        return False
    if path.startswith("~"):
        path = facts.home + path[1:]
    absolute = os.path.normpath(os.path.join(facts.cwd, path))
    for each in dict.fromkeys((absolute, os.path.realpath(absolute))):
        below = os.path.relpath(each, facts.workspace).replace(os.sep, "/")
        for pattern in patterns:
            rooted = facts.home + pattern[1:] if pattern.startswith("~") else pattern
            subject = each.replace(os.sep, "/") if os.path.isabs(rooted) else below
            plain = rooted.removeprefix("./").rstrip("/")
            if path_glob_matches(plain, subject) or path_glob_matches(f"{plain}/**", subject):
                return True
            if "/" not in plain and path_glob_matches(f"**/{plain}", subject):
                return True
    return False
