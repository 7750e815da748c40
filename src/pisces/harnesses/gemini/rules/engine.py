"""What the policies of Gemini CLI say about a call: the first rule that matches decides, the highest priority first.

Every command of a shell line is judged by itself as well, and the strictest answer counts. Where Gemini CLI would let a
call pass because a rule could not read it, the call is asked about here. Nothing is started: a safety checker that is a
program asks.
"""

from __future__ import annotations

from pisces.discovery.tool_names import PATCH, TYPE
from pisces.gates.command_match import NO, YES, is_readable
from pisces.gates.tool_effects import effects_of
from pisces.harnesses.gemini.rules import safety
from pisces.harnesses.gemini.rules.call import AUTO_EDIT, YOLO, policy_call, stable_text
from pisces.harnesses.gemini.rules.rule import PASS
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pisces.gates.rulebook import ToolUse
    from pisces.gates.tool_effects import ToolEffects
    from pisces.harnesses.gemini.rules.call import PolicyCall
    from pisces.harnesses.gemini.rules.rule import CompiledRule
    from pisces.shapes.shell_line import LineCommand, ShellLine

    # A rule about a tool, whether Gemini CLI finds that it names the tool, and the word that its commands begin with.
    Candidate = tuple[CompiledRule, bool, str]

_STRICTNESS = {ALLOW: 0, "": 1, ASK: 2, DENY: 3}
_OF_A_BROKEN_FILE = 4  # our rule (docs/conformance.md) by which a rule counts that Gemini CLI would drop
_CANNOT_READ = "what it runs cannot be read from the text"


class Ruling(Value):
    """A decision, empty where no rule speaks, with the rule that gave it. `why` is set where that is not all."""

    decision: str = ""
    rule: CompiledRule | None = None
    why: str = ""

    def with_ask(self, why: str) -> Ruling:
        return Ruling(ASK, self.rule, why)


class PolicyEngine:
    """`rules` and `checkers` in any order. `default` is the decision where no rule matches; empty for none."""

    def __init__(self, rules: Iterable[CompiledRule], checkers: Iterable[CompiledRule] = ()) -> None:
        self.rules = sorted(rules, key=lambda rule: -rule.priority)
        self.checkers = sorted(checkers, key=lambda rule: -rule.priority)
        self._about: dict[tuple[str, ...], list[Candidate]] = {}

    def ruling(self, use: ToolUse, default: str = "") -> Ruling:
        call = policy_call(use)
        rules = self._rules_about(call)
        if not rules and not default and not self.checkers:
            return Ruling()
        effects = effects_of(use.call)
        line = effects.line
        if line is not None:
            ruled = _ShellJudge(call, rules, default, line).ruling()
        else:
            texts = call.texts((*effects.reads, *effects.writes)) if any(rule.pattern for rule, _, _ in rules) else []
            ruled = _first(call, rules, texts, default)
        ruled = safety.guarded(call, ruled) if ruled.decision == ALLOW else ruled
        return self._checked(call, ruled, effects) if self.checkers and ruled.decision != DENY else ruled

    def excludes(self, use: ToolUse) -> CompiledRule | None:
        """The rule that denies a tool whatever its arguments are."""
        call = policy_call(use)
        for rule, is_named, _ in self._rules_about(call):
            if not rule.applies(call) or (rule.decision == DENY and rule.pattern):
                continue
            if rule.decision == DENY:
                return rule
            if is_named and rule.decision != PASS:
                return None
        return None

    def _rules_about(self, call: PolicyCall) -> list[Candidate]:
        """Each with whether Gemini CLI itself would say that the rule names the tool."""
        key = (call.tool.server, *call.names)
        found = self._about.get(key)
        if found is None:
            if len(self._about) > 1000:  # a model makes names up
                self._about.clear()
            named = ((rule, rule.names(call), rule.first_word) for rule in self.rules)
            found = self._about[key] = [each for each in named if each[1] or each[0].means(call)]
        return found

    def _checked(self, call: PolicyCall, ruled: Ruling, effects: ToolEffects) -> Ruling:
        for checker in self.checkers:
            if not (checker.names(call) or checker.means(call)) or not checker.applies(call):
                continue
            if checker.pattern is not None and not any(
                map(checker.pattern.fits, call.texts((*effects.reads, *effects.writes)))
            ):
                continue
            decision, why = safety.checker_says(checker.checker, call)
            if decision == DENY:
                return Ruling(DENY, checker, why)
            if decision == ASK and ruled.decision != ASK:
                ruled = Ruling(ASK, checker, why)
        return ruled


def verdict_of(ruled: Ruling) -> Verdict | None:
    rule = ruled.rule
    who = rule.who if rule else ""
    if not ruled.decision:
        return None
    stricter_by = _OF_A_BROKEN_FILE if rule and rule.is_doubt else 0
    if ruled.decision == DENY:
        extra = f" {rule.message}" if rule and rule.message and not ruled.why else f" {ruled.why}" if ruled.why else ""
        return Verdict(DENY, who, f"Tool execution denied by policy.{extra}", rule=stricter_by)
    return Verdict(ruled.decision, who, ruled.why, rule=stricter_by)


def _first(call: PolicyCall, rules: Sequence[Candidate], texts: Sequence[str], default: str) -> Ruling:
    """The first rule that matches. One that Gemini CLI would not match narrows what the next ones say."""
    doubt = Ruling()
    skipped: set[str] = set()
    for rule, is_named, _ in rules:
        if rule.group in skipped or not rule.applies(call):
            continue
        is_exact = rule.pattern is None or rule.pattern.fits(texts[0])
        if rule.pattern is not None:
            if call.tool.meaning == PATCH and rule.widens:
                continue  # a rule about writing one file does not allow a patch
            if not is_exact and (rule.widens or not any(map(rule.pattern.fits, texts))):
                continue
        if rule.decision == PASS:
            skipped.add(rule.group)
        elif (is_named and is_exact) or rule.decision == DENY:
            return _stricter(doubt, Ruling(rule.decision, rule))
        else:
            doubt = _stricter(doubt, Ruling(rule.decision, rule))
    return _stricter(doubt, Ruling(default))


def _stricter(one: Ruling, other: Ruling) -> Ruling:
    return one if one.rule is not None and _STRICTNESS[one.decision] >= _STRICTNESS[other.decision] else other


class _ShellJudge:
    """One shell line: the rule for the whole text, then for each command in it."""

    def __init__(self, call: PolicyCall, rules: Sequence[Candidate], default: str, line: ShellLine) -> None:
        self.call, self.default = call, default
        self.rules = rules
        self.is_flat = not any(isinstance(each, dict | list) for each in call.arguments.values())
        self.is_typed = call.tool.meaning == TYPE
        self.line = line
        self.extra = {} if call.arguments.get("dir_path") is None else {"dir_path": call.arguments["dir_path"]}

    def ruling(self) -> Ruling:
        line, call = self.line, self.call
        is_one = len(line.commands) == 1 and line.commands[0].text == line.text
        whole = self._whole(line.commands[0] if is_one else None)
        ruled = whole
        for command in () if is_one else line.commands:
            part = self._matching(stable_text({**self.extra, "command": command.text}), command)
            if _STRICTNESS[part.decision] > _STRICTNESS[ruled.decision]:
                ruled = part
        if ruled.decision == DENY:
            return ruled
        if line.problem or not any(command.words for command in line.commands):
            return self._unparsable(whole, ruled)
        if ruled.decision != ALLOW:
            return ruled if ruled.decision or not self._may_be_guarded() else ruled.with_ask(_CANNOT_READ)
        if self.is_typed:
            return Ruling(self.default)
        if ruled.rule is not None and not ruled.rule.is_built_in and not is_readable(line):
            return ruled.with_ask(_CANNOT_READ)
        redirects = _has_redirect(line) and call.mode not in (AUTO_EDIT, YOLO)
        if redirects and not (whole.rule and whole.rule.allows_redirection):
            return ruled.with_ask("it redirects input or output")
        return ruled

    def _whole(self, only: LineCommand | None) -> Ruling:
        """The rule for the whole text; `only` is the command where there is just one."""
        given = self.call.arguments
        ruled = self._matching(stable_text({**given, "command": self.line.text}), only)
        rule = ruled.rule
        is_general = self.default != ALLOW if rule is None else rule.pattern is None and not rule.is_doubt
        if ruled.decision != DENY and is_general:
            changed = safety.shell_decision(self.call, self.line, ruled.decision)
            return ruled if changed == ruled.decision else Ruling(changed, ruled.rule, safety.WHY.get(changed, ""))
        return ruled

    def _matching(self, text: str, command: LineCommand | None) -> Ruling:
        """The first rule that matches the text, or the command as it runs. What may match, asks."""
        doubt = Ruling()
        skipped: set[str] = set()
        names = self._names(command)
        is_shielded = False  # a rule above would allow the command if it were written plainly
        for rule, is_named, first in self.rules:
            if (first and names and first not in names) or rule.group in skipped or not rule.applies(self.call):
                continue
            pattern = rule.pattern
            is_exact = pattern is None or pattern.fits(text)
            fit = YES if is_exact or pattern is None else NO if command is None else pattern.fits_command(command)
            if rule.widens and not is_exact:
                is_shielded = is_shielded or fit == YES
            elif rule.decision == PASS:
                skipped.add(rule.group)
            elif fit == NO or (is_shielded and not is_exact):
                continue
            elif fit == YES and (rule.decision == DENY or (is_exact and is_named)):
                return _stricter(doubt, Ruling(rule.decision, rule))
            else:
                doubt = _stricter(doubt, Ruling(ASK, rule, "" if fit == YES else _CANNOT_READ))
        return _stricter(doubt, Ruling(self.default))

    def _names(self, command: LineCommand | None) -> set[str]:
        """With which words a rule must begin to be about the command; empty where any rule may be about it."""
        if command is None or not command.is_plain or not self.is_flat:
            return set()
        firsts = [each[0] for each in (command.words, *command.readings) if each]
        if None in firsts:
            return set()
        return {*firsts, *command.text.split(None, 1)[:1], command.name}  # type: ignore[arg-type]  # no None is left

    def _may_be_guarded(self) -> bool:
        """Whether a deny or ask rule might be about a line that cannot be read."""
        return not self.line.is_plain and self._has_guards(lambda rule: rule.pattern is not None)

    def _unparsable(self, whole: Ruling, ruled: Ruling) -> Ruling:
        if self.call.mode == YOLO and whole.rule is not None and whole.rule.pattern is not None:
            return Ruling(DENY, whole.rule, _CANNOT_READ)
        if (ruled.rule is None or ruled.rule.is_built_in) and not self._has_guards(lambda _rule: True):
            return ruled if self.default != DENY else Ruling(DENY)
        return Ruling(self.default if self.default == DENY else ASK, ruled.rule, self.line.problem or _CANNOT_READ)

    def _has_guards(self, is_meant: Callable[[CompiledRule], bool]) -> bool:
        return any(not rule.widens and is_meant(rule) and rule.applies(self.call) for rule, _, _ in self.rules)


def _has_redirect(line: ShellLine) -> bool:
    """A redirection around a group stands at no command, so any sign of one counts in a compound line."""
    if any(command.redirects for command in line.commands):
        return True
    return line.is_compound and ("<" in line.text or ">" in line.text)
