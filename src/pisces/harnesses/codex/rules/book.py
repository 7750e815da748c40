"""The approval rules of Codex as a rulebook: the strictest match counts.

Codex looks at the plain commands of a line only; here every command is judged that the line may run. `approval_policy`
and `sandbox_mode` of the user's config.toml count as far as they say something without a sandbox.
"""

from __future__ import annotations

import json
from itertools import takewhile, zip_longest

from pisces.formats.visible import visible
from pisces.gates.line_rules import LineRule, LineRules
from pisces.gates.rulebook import ListedRule
from pisces.gates.tool_effects import WRITES, effects_of
from pisces.harnesses.codex.permissions import FULL_ACCESS, READ_ONLY, layers_of, rules_files, sandbox_mode
from pisces.harnesses.codex.rules.files import FORBIDDEN, PERMIT, PROMPT, rules_at
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.gates.line_rules import Decided
    from pisces.gates.rulebook import RuleScene, ToolUse
    from pisces.harnesses.codex.rules.files import PrefixRule
    from pisces.shapes.shell_line import LineCommand, ShellLine

_DECISIONS = {PERMIT: ALLOW, PROMPT: ASK, FORBIDDEN: DENY}
_NEVER = "approval required by policy, but AskForApproval is set to Never"
_SANDBOX = "the sandbox of Codex"
_NO_MORE = (
    "approval policy is Never; reject command — you cannot ask for escalated permissions "
    "if the approval policy is Never"
)
_NO_FORCE = "rm -f style commands are not permitted. Use a safer approach"
_ESCALATED, _MORE, _FENCED = "require_escalated", "with_additional_permissions", (None, "use_default")
_NO_PERMISSIONS = (
    f"additional permissions are disabled; enable `features.exec_permission_approvals` before using `{_MORE}`"
)
_GRANTING = "features", "exec_permission_approvals"
_MISTAKE, _EVERY_COMMAND = 4, 7  # our rules (docs/conformance.md)


class CodexBook:
    harness = "codex"

    def __init__(self, scene: RuleScene) -> None:
        layers = layers_of(scene)
        read = [(path, only_narrows, *rules_at(path)) for path, only_narrows in rules_files(scene, layers)]
        self.diagnostics = tuple(wrong for *_, wrong in read if wrong)
        self._lost = next((scene.places.shown(path) for path, _, text, _ in read if text.is_lost), "")
        known = {name: paths for _, narrows, text, _ in read if not narrows for name, paths in text.executables}
        self._lines = LineRules(
            _line_rule(rule, scene.places.shown(path), known)
            for path, only_narrows, text, _ in read
            for rule in text.rules
            if rule.decision != PERMIT or not only_narrows
        )
        config = layers.user.value if layers.user else {}
        self._is_set_up = layers.user is not None
        self._never_asks = config.get("approval_policy") == "never"
        self._reads_only = sandbox_mode(layers) == READ_ONLY
        self._has_sandbox = sandbox_mode(layers) != FULL_ACCESS
        self._grants_more = layers.user is not None and layers.user.part(_GRANTING) is True
        self._config = scene.places.shown(layers.user_path)
        if layers.has_flaw:
            self._lost = self._config

    @property
    def rules(self) -> tuple[ListedRule, ...]:
        return tuple(ListedRule(rule.decision, rule.who) for rule in self._lines.every)

    def judged(self, use: ToolUse) -> Verdict | None:
        effects = effects_of(use.call)
        line = effects.line
        if line is None:
            return self._written(use) if effects.meaning in WRITES else None
        verdict = self._judged_line(use, line) if self._lines.every or self._lost else None
        if verdict is not None and verdict.decision == DENY:
            return verdict
        return self._escalated(use, verdict) or verdict or self._removed(use, line)

    def _escalated(self, use: ToolUse, verdict: Verdict | None) -> Verdict | None:
        """The model asks for more than the sandbox allows. Without one, or by a rule that allows, there is no more."""
        wanted = use.call.input.get("sandbox_permissions")
        if wanted in _FENCED:
            return None
        if wanted != _ESCALATED and not (wanted == _MORE and self._grants_more):
            unknown = f"`sandbox_permissions` cannot be `{visible(str(wanted))}`"
            return Verdict(DENY, _SANDBOX, _NO_PERMISSIONS if wanted == _MORE else unknown)
        if self._never_asks or not use.facts.is_interactive:
            return Verdict(DENY, _SANDBOX, _NO_MORE)
        if not self._has_sandbox or (verdict is not None and verdict.is_allowed):
            return None
        return Verdict(ASK, _SANDBOX, str(use.call.input.get("justification") or "it wants to leave the sandbox"))

    def _removed(self, use: ToolUse, line: ShellLine) -> Verdict | None:
        """Where Codex is set up: it asks about these itself, in every mode."""
        if not self._is_set_up or not any(map(_is_forced_removal, line.commands)):
            return None
        return self._asked(use, "Codex itself", _NO_FORCE, f"{_shown_line(line)} rejected: {_NO_FORCE}")

    def denies_tool(self, tool: str, server: str = "") -> Verdict | None:  # noqa: ARG002  # as every rulebook has it
        """Codex has no rules about whole tools."""
        return None

    def _written(self, use: ToolUse) -> Verdict | None:
        if self._lost == self._config:
            return self._asked(use, self._lost, f"{self._lost} cannot be read", _NEVER)
        if not self._reads_only:
            return None
        who = f'{self._config} sandbox_mode = "read-only"'
        if self._never_asks or not use.facts.is_interactive:
            return Verdict(
                DENY, who, "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings"
            )
        return Verdict(ASK, who, "the sandbox is read-only")

    def _judged_line(self, use: ToolUse, line: ShellLine) -> Verdict | None:
        found = self._lines.decided(line)
        who = found.rule.who if found.rule else "rules of Codex"
        if found.decision == DENY and found.rule is not None:
            return Verdict(DENY, who, self._forbidden(use, line, found))
        if self._lost:
            return self._asked(use, self._lost, f"{self._lost} cannot be read", _NEVER)
        if found.decision == ALLOW and any(map(_is_forced_removal, line.commands)):
            return self._asked(use, who, _NO_FORCE, f"{_shown_line(line)} rejected: {_NO_FORCE}")
        if found.decision == ASK:
            return self._asked(use, who, found.why or (found.rule.why if found.rule else ""), _NEVER)
        is_ours = not use.server  # a server's tool may have the name of a shell
        return Verdict(found.decision, who) if found.decision and is_ours else None

    def _asked(self, use: ToolUse, who: str, why: str, refusal: str) -> Verdict:
        rule = _MISTAKE if who == self._lost else _EVERY_COMMAND
        if self._never_asks or not use.facts.is_interactive:
            return Verdict(DENY, who, _rejected(use, refusal), rule=rule)
        return Verdict(ASK, who, why, rule=rule)

    def _forbidden(self, use: ToolUse, line: ShellLine, found: Decided) -> str:
        rule, command = found.rule, found.command
        given = (command.name, *(word or "" for word in command.words[1:])) if command else ()
        fits = rule.words if rule else ()
        pairs = zip_longest(fits, given[: len(fits)], fillvalue="")
        words = " ".join(word if word in several else several[0] for several, word in pairs)
        reason = (rule.why if rule else "") or f"policy forbids commands starting with `{words}`"
        return _rejected(use, f"{_shown_line(line)} rejected: {reason}")


class CodexProgram(CodexBook):
    """Codex as it would decide by itself, in full access: what no rule forbids or asks about runs."""

    def judged(self, use: ToolUse) -> Verdict | None:
        return super().judged(use) or Verdict(ALLOW, "Codex itself")


def _line_rule(rule: PrefixRule, shown: str, known: Mapping[str, tuple[str, ...]]) -> LineRule:
    programs = [known.get(name) for name in rule.words[0]]
    accepted = None if None in programs else tuple(path for paths in programs for path in paths or ())
    who = visible(f"{shown}:{rule.line} {_said(rule)}")
    return LineRule(_DECISIONS[rule.decision], who, rule.words, rule.justification, None, accepted)


def _is_forced_removal(command: LineCommand) -> bool:
    """Whether one of its options is `-f`, alone or among other letters, or `--force`."""
    options = takewhile(lambda word: word != "--", command.words[1:])
    return command.name == "rm" and any(map(_is_force, options))


def _is_force(word: str | None) -> bool:
    return word == "--force" or (word is not None and word.startswith("-") and word[1:2] != "-" and "f" in word)


def _said(rule: PrefixRule) -> str:
    words = " ".join(each[0] if len(each) == 1 else "|".join(each) for each in rule.words)
    return f"{rule.decision} {words}"


def _shown_line(line: ShellLine) -> str:
    text = line.text
    if "'" in text:
        escaped = "".join(f"\\{char}" if char in '"$`\\' else char for char in text)
        return f'`/bin/bash -lc "{escaped}"`'
    return f"`/bin/bash -lc '{text}'`"


def _rejected(use: ToolUse, why: str) -> str:
    inner = f"Rejected({json.dumps(why, ensure_ascii=False)})"
    return f"{use.call.tool} failed: CreateProcess {{ message: {json.dumps(inner, ensure_ascii=False)} }}"
