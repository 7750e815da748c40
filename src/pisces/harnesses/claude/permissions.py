"""Claude Code's `permissions`: deny before ask before allow, of the administrator, the user and the project (2.1.325).

A project only narrows: its allow rules and folders count for nothing, and neither do those of the local file, which is
in the workspace as well. Of a settings file that Claude Code drops as a whole, deny and ask rules hold all the same.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.config_file import LENIENT, MARKED, ConfigFile, config_at
from pisces.discovery.found import MANAGED, PROJECT, USER
from pisces.discovery.harness import Where
from pisces.gates.approval_mode import facts_in, line_is_allowed
from pisces.gates.tool_effects import effects_of
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.permission_judge import judged, names_of, tool_denied
from pisces.harnesses.claude.permission_rules import ALLOW, ASK, DENY, PermissionRule, command_allowed, rule_of
from pisces.harnesses.claude.settings import LOCAL_FILE, refusal_of, setting, sources
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from pisces.gates.rulebook import RuleScene, ToolUse
    from pisces.places import Places
    from pisces.shapes.verdict import Verdict

PERMISSION_RULE = Rule("permission-rule", WARNING, "A permission rule cannot be read")
PERMISSION_IGNORED = Rule("permission-ignored", WARNING, "A permission of a project or of a broken file does not count")
_SCOPES = {USER: "userSettings", MANAGED: "policySettings"}
_FOLDERS = "additionalDirectories"
_OPTIONS = WithSettings("pisces.harnesses.claude.finders.settings")


_KEEPS_GUARDS = 4  # our rule: a mistake in a file costs the entry that has it


class PlacedRule(Value):
    """A rule, where it stands, and the word that Claude Code has for that file.

    `stricter_by` is the number of our rule (docs/conformance.md) by which it counts though Claude Code drops its file.
    """

    rule: PermissionRule
    file: ConfigFile
    keys: tuple[str | int, ...]
    text: str
    scope: str
    stricter_by: int = 0

    @property
    def decision(self) -> str:
        return self.rule.decision

    @property
    def who(self) -> str:
        return f"{self.file.path}:{_line_of(self.file.text, self.file.syntax, self.keys)} {self.text}"


@lru_cache(maxsize=256)  # the place of a rule is looked for when the rule decides, which it may do often
def _line_of(text: str, syntax: str, keys: tuple[str | int, ...]) -> int:
    return ConfigFile("", syntax, text, None).place(*keys)[0]


class PermissionRules:
    """All rules, in the order of their files."""

    harness = "claude"

    def __init__(self, rules: tuple[PlacedRule, ...], diagnostics: tuple[Diagnostic, ...]) -> None:
        self.rules = rules
        self.diagnostics = diagnostics

    def judged(self, use: ToolUse) -> Verdict | None:
        return judged(self.rules, use)

    def denies_tool(self, tool: str, server: str = "") -> Verdict | None:
        return tool_denied(self.rules, tool, server)


def rulebooks(scene: RuleScene) -> Iterator[PermissionRules]:
    where = Where(scene.places, scene.run, "settings", PermissionRules.harness, "Claude Code", options=_OPTIONS)
    rules: list[PlacedRule] = []
    found: list[Diagnostic] = []
    for level, path in sources(where):
        file = config_at(path, MARKED, scene.run)
        if isinstance(file, Diagnostic):
            found.append(file)
            rules += _rules_of_broken(level, path, scene)
        elif file is not None and isinstance(file.value, dict):
            in_file = SettingsPermissions(file, level, refusal_of(file, scene.run) is not None)
            rules += in_file.rules()
            rules += in_file.folders(scene.places)
            found += in_file.diagnostics()
    if setting(where, "allowManagedPermissionRulesOnly", managed=True):
        rules = [each for each in rules if each.rule.decision != ALLOW or each.scope == _SCOPES[MANAGED]]
    if rules or found:
        yield PermissionRules(tuple(rules), tuple(found))


def listed(decision: str, written: Sequence[str], use: ToolUse) -> bool:
    """Whether a call is one of those that a list of tools names, as the header of a subagent has them:
    `Bash(git log:*)`. A list that allows is read to the letter, one that denies liberally.
    """
    read = [(text, rule_of(decision, _spelled(text), use.facts.workspace)) for text in written]
    file = ConfigFile("", MARKED, "", {})
    rules = [PlacedRule(rule, file, (), text, "") for text, rule in read if rule is not None]
    verdict = judged(rules, use)
    if verdict is not None:
        return verdict.is_allowed == (decision == ALLOW)
    return decision == ALLOW and _reads_what_is_named(rules, use)


def _reads_what_is_named(rules: list[PlacedRule], use: ToolUse) -> bool:
    """A line that only reads needs no rule, so none has spoken about it: one of its commands must be named."""
    effects = effects_of(use.call)
    line = effects.line
    if line is None or not line_is_allowed(line, facts_in(use.facts, effects.folder)):
        return False
    return any(command_allowed(each.rule, command) for each in rules for command in line.commands)


def _spelled(text: str) -> str:
    """With Claude Code's name of the tool."""
    base, bracket, inside = text.strip().partition("(")
    return f"{names_of(base, '')[-1]}{bracket}{inside}"


def _rules_of_broken(level: str, path: str, scene: RuleScene) -> Iterator[PlacedRule]:
    """What narrows in a file that is no strict JSON. Where nothing can be read of the user's own, all is asked."""
    file = config_at(path, LENIENT, scene.run)
    if isinstance(file, ConfigFile) and isinstance(file.value, dict):
        yield from SettingsPermissions(file, level, is_refused=True).rules()
    elif level != PROJECT and (rule := rule_of(ASK, "*", "")):
        text = "cannot be read, so nobody knows what it denies"
        yield PlacedRule(rule, ConfigFile(path, MARKED, "", {}), (), text, _SCOPES.get(level, ""), _KEEPS_GUARDS)


class SettingsPermissions(Value):
    """The permissions of one settings file. One that Claude Code refuses keeps what narrows."""

    file: ConfigFile
    level: str
    is_refused: bool

    @property
    def may_allow(self) -> bool:
        return self.level != PROJECT and (not self.is_refused or self.level == MANAGED)

    def rules(self) -> Iterator[PlacedRule]:
        for decision in (DENY, ASK, *((ALLOW,) if self.may_allow else ())):
            for number, text in self._listed(decision):
                rule = rule_of(decision, text, self._folder) if isinstance(text, str) else None
                if rule:
                    yield self._placed(rule, decision, number)

    def folders(self, places: Places) -> Iterator[PlacedRule]:
        """What lies in `additionalDirectories` may be read."""
        for number, each in self._listed(_FOLDERS) if self.may_allow else ():
            path = re.sub(r"([\\*?\[\]])", r"\\\1", places.absolute(each)) if isinstance(each, str) and each else ""
            rule = rule_of(ALLOW, f"Read(/{path}/**)", self._folder) if path else None
            if rule:
                yield self._placed(rule, _FOLDERS, number)

    def diagnostics(self) -> Iterator[Diagnostic]:
        for decision in (DENY, ASK, ALLOW):
            for number, text in self._listed(decision):
                place = self.file.place(*self._keys(decision, number))
                if not isinstance(text, str) or not rule_of(decision, text, self._folder):
                    message = f"the {decision} rule `{text}` cannot be read"
                    yield PERMISSION_RULE.at(self.file.path, message, place=place)
                elif decision == ALLOW and not self.may_allow:
                    yield PERMISSION_IGNORED.at(self.file.path, self._why_ignored(text), place=place)

    def _why_ignored(self, text: str) -> str:
        if self.level == PROJECT:
            return f"a project only narrows, so it does not allow `{text}`"
        return f"Claude Code refuses this file, so it does not allow `{text}`; its deny and ask rules hold"

    def _listed(self, key: str) -> list[tuple[int, Any]]:
        """A single text counts as a list of one, where it narrows."""
        value = self.file.part(("permissions", key))
        if isinstance(value, str) and key in (DENY, ASK):
            value = [value]
        return list(enumerate(value)) if isinstance(value, list) else [] if value is None else [(0, value)]

    def _keys(self, decision: str, number: int) -> tuple[str | int, ...]:
        value = self.file.part(("permissions", decision))
        return ("permissions", decision, number) if isinstance(value, list) else ("permissions", decision)

    def _placed(self, rule: PermissionRule, key: str, number: int) -> PlacedRule:
        text = f"{rule.decision} {rule.text}" if key != _FOLDERS else key
        counts_by = _KEEPS_GUARDS if self.is_refused else 0
        return PlacedRule(rule, self.file, self._keys(key, number), text, self._scope, counts_by)

    @property
    def _folder(self) -> str:
        """What one leading slash stands for: the user's folder of Claude Code, or the project."""
        folder = os.path.dirname(self.file.path)
        return os.path.dirname(folder) if self.level == PROJECT else folder

    @property
    def _scope(self) -> str:
        if self.level == PROJECT:
            return "localSettings" if os.path.basename(self.file.path) == LOCAL_FILE else "projectSettings"
        return _SCOPES[self.level]
