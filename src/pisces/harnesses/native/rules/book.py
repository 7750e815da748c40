"""Our own rules as a rulebook: the strictest rule that matches counts, in any order."""

from __future__ import annotations

import os
import re

from pisces.diagnostics import Diagnostic
from pisces.discovery import tool_names as to
from pisces.formats.path_glob import path_glob_matches
from pisces.formats.visible import visible
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.approval_mode import facts_in, folders_of, stay_here
from pisces.gates.line_rules import LineRule, LineRules
from pisces.gates.rulebook import SAID, ListedRule, ToolUse
from pisces.gates.tool_effects import WRITES, effects_of
from pisces.harnesses.native.permissions import places_of_rules
from pisces.harnesses.native.rules.file import KINDS, OwnRule, own_rule, rules_in
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
_WILD = re.compile(r"[*?\[{]")
_WILD_CLASS = re.compile(r"\[[^\]]*\]|\{.*\}")


def _exact_names(tool: str, server: str) -> set[str]:
    """What a rule that allows may call a server's tool. `mcp_a_b_c` may be another's, unless the call is spelled so."""
    _, bare = to.mcp_parts(tool, server) or (server, tool)
    written = {f"mcp__{server}__{bare}", f"{server}__{bare}"} | ({tool} & {f"mcp_{server}_{bare}"})
    return written if to.is_clear_server(server) else set()


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
        if server and not self.rule.server and self.rule.decision == ALLOW:
            return not _exact_names(tool, server).isdisjoint(self.names)
        if self.is_about_commands and meaning not in KINDS["shell"]:
            return False
        if not self.rule.tools:
            return True
        if meaning and meaning in self.meanings:
            return True
        spelled = {tool, f"mcp__{server}", *to.every_name(tool, server)} if server else {tool}
        spelled |= {to.plain_name(each) for each in spelled} if server else set()
        return any(wildcard_matches(name, each) for name in self.names for each in spelled)

    def holds_in(self, folder: str, facts: SessionFacts) -> bool:
        """Whether it is about commands that run in `folder`, which is empty where that is not known."""
        wanted = self.rule.folder
        if not wanted or not folder:
            return not wanted or self.rule.decision != ALLOW
        rooted = facts.home + wanted[1:] if wanted.startswith("~") else wanted
        return os.path.realpath(os.path.join(facts.workspace, rooted)) == folder

    def line_rules(self, folder: str, workspace: str) -> Iterator[LineRule]:
        """For commands that run in `folder`. What a pattern allows is seen to the last word."""
        rule = self.rule
        prefixes = [tuple((word,) for word in each.split()) for each in rule.commands] or [()]
        bound = (folder, workspace) if rule.folder and rule.decision == ALLOW and rule.pattern is None else None
        made = LineRule(rule.decision, self.who, (), rule.reason, rule.pattern, bound_to=bound)
        return (made.replace(words=words) for words in prefixes)


class OwnBook:
    harness = "native"

    def __init__(self, rules: tuple[PlacedOwnRule, ...], diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self._rules, self.diagnostics = rules, diagnostics
        self._has_folders = any(each.rule.folder for each in rules)
        self._about: dict[tuple[str, str, str, str], tuple[list[PlacedOwnRule], LineRules]] = {}

    @property
    def rules(self) -> tuple[ListedRule, ...]:
        return tuple(ListedRule(each.rule.decision, each.who) for each in self._rules)

    def judged(self, use: ToolUse) -> Verdict | None:
        if not self._rules:
            return None
        effects = effects_of(use.call)
        line = effects.line
        rules, lines = self._rules_about(use, _folder_of(use.facts, effects) if self._has_folders else "")
        best = Verdict("")
        if line is not None:
            decided = lines.decided(line)
            who, why = (
                (decided.rule.who, decided.why or decided.rule.why) if decided.rule else (self.harness, decided.why)
            )
            is_here = stay_here((facts_in(use.facts, effects.folder),))  # a rule allows in the workspace, not elsewhere
            best = Verdict(decided.decision if is_here or decided.decision != ALLOW else "", who, why)
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
            if rule.decision == DENY and not (each.is_about_commands or rule.paths or rule.modes or rule.folder):
                return Verdict(DENY, each.who, rule.reason)
        return None

    def _rules_about(self, use: ToolUse, folder: str = "") -> tuple[list[PlacedOwnRule], LineRules]:
        """Those that are about the tool in this mode and folder, and those among them that are about commands."""
        key = use.call.tool, use.server, use.facts.mode, folder
        found = self._about.get(key)
        if found is None:
            if len(self._about) > 1000:  # a model makes names up
                self._about.clear()
            meaning = "" if use.server else to.meaning_of(use.call.tool)
            here = [each for each in self._in_mode(use) if each.holds_in(folder, use.facts)]
            rules = [each for each in here if each.names_tool(use.call.tool, use.server, meaning)]
            about_lines = [each for each in rules if not each.rule.paths]
            place = folder, use.facts.workspace
            lines = LineRules(each for rule in about_lines for each in rule.line_rules(*place))
            found = self._about[key] = rules, lines
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
        places = [_places_of(each, use.facts) for each in given if each]
        if placed.rule.decision == ALLOW:  # as it is written, and after every link
            return bool(places) and all(_is_at(one, paths, use.facts, ALLOW) for both in places for one in both)
        return any(_is_at(one, paths, use.facts) for both in places for one in both)


def own_book(scene: RuleScene) -> OwnBook:
    """Of the user's files, the project's, and of what the user has answered in this session."""
    places = scene.places
    found = [
        (path, each)
        for path, only_narrows in places_of_rules(places)
        for each in rules_in(path, only_narrows=only_narrows)
    ]
    stored = tuple(placed_rule(each, places.shown(path)) for path, each in found if isinstance(each, OwnRule))
    rules = (*stored, *(placed_rule(own_rule(each, 0)[0], SAID) for each in scene.answers))
    return OwnBook(rules, tuple(each for _, each in found if isinstance(each, Diagnostic)))


def placed_rule(rule: OwnRule, shown: str) -> PlacedOwnRule:
    who = visible(f"{shown}:{rule.line} {rule.text}" if rule.line else f"{shown} {rule.text}")
    meanings = {meaning for name in rule.tools for meaning in KINDS.get(name) or (to.meaning_of(name),)}
    return PlacedOwnRule(rule, who, frozenset(meanings - {""}), tuple(name for name in rule.tools if name not in KINDS))


def _folder_of(facts: SessionFacts, effects: ToolEffects) -> str:
    """Where every command of a line runs; empty if one of them may run elsewhere: `cd` moves, and so may `env`."""
    line = effects.line
    if line is None or any(each.wrappers for each in line.commands):
        return ""
    places = folders_of(line, facts_in(facts, effects.folder))
    return os.path.realpath(places[0].cwd) if len(places) == 1 else ""


def _paths_of_line(line: ShellLine, placed: PlacedOwnRule) -> Iterator[str]:
    """Targets of redirections, and words that may be paths. A rule about writing looks at what is written to."""
    only_writes = bool(placed.meanings) and placed.meanings <= WRITES
    for command in line.commands:
        for redirect in command.redirects:
            if redirect.target is not None and (">" in redirect.operator or not only_writes):
                yield redirect.target
        raw = command.text.split() if None in command.words else ()  # `{secrets,x}/key` is known only when it runs
        for word in (*command.words[1:], *raw):
            yield from _paths_in(word) if word is not None else ()


def _paths_in(word: str) -> Iterator[str]:
    """`--file=a`, `if=a`, `-fa` and `@a` are about the file `a`."""
    yield word.lstrip("@")
    if "=" in word:
        yield word.partition("=")[2].lstrip("@")
    if word.startswith("-"):
        yield word[2:]


def _places_of(path: str, facts: SessionFacts) -> tuple[str, ...]:
    """Where a path leads, as it is written and after every link."""
    if path.startswith("~"):
        path = facts.home + path[1:]
    absolute = os.path.normpath(os.path.join(facts.cwd, path))
    return tuple(dict.fromkeys((absolute, os.path.realpath(absolute))))


def _is_at(place: str, patterns: Sequence[str], facts: SessionFacts, decision: str = DENY) -> bool:
    """Patterns are relative to the workspace; `~/` and absolute ones are as written. A name alone is one at any depth,
    and so is `./name`, but where it allows.

    A place with a wildcard of the shell in it stands for every name that the pattern may have there.
    """
    below = os.path.relpath(place, facts.workspace).replace(os.sep, "/")
    real_below = os.path.relpath(place, os.path.realpath(facts.workspace)).replace(os.sep, "/")
    for pattern in patterns:
        rooted = facts.home + pattern[1:] if pattern.startswith("~") else pattern
        subjects = (place.replace(os.sep, "/"),) if os.path.isabs(rooted) else (below, real_below)
        plain = rooted.removeprefix("./").rstrip("/")
        is_at_any_depth = "/" not in plain and not (decision == ALLOW and rooted.startswith("./"))
        globs = [plain, f"{plain}/**", *([f"**/{plain}"] if is_at_any_depth else [])]
        if any(path_glob_matches(each, subject) for each in globs for subject in subjects):
            return True
        if any(_may_expand(subject, plain) for subject in subjects):
            return True
    return False


def _may_expand(subject: str, pattern: str) -> bool:
    """Whether the shell may make such a path of a word with wildcards: `se*/key` of `secrets/**`."""
    if not _WILD.search(subject):
        return False
    pairs = zip(subject.split("/"), pattern.split("/"), strict=False)
    for given, wanted in pairs:
        if wanted == "**":
            return True
        if _WILD.search(wanted):
            continue
        if given != wanted and not (_WILD.search(given) and wildcard_matches(_WILD_CLASS.sub("*", given), wanted)):
            return False
    return True
