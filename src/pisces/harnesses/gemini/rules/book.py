"""The policies, settings and excluded tools of Gemini CLI as one rulebook: the highest priority decides."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.formats.visible import visible
from pisces.gates.rulebook import ListedRule, ToolUse
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.manifest import FILE
from pisces.harnesses.gemini.permissions import PACKAGE, USER, policy_folders
from pisces.harnesses.gemini.rules.call import YOLO, policy_call
from pisces.harnesses.gemini.rules.engine import PolicyEngine, verdict_of
from pisces.harnesses.gemini.rules.files import Tier, rules_at
from pisces.harnesses.gemini.rules.settings import excluding_rules, rules_of_settings
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.gates.rulebook import RuleScene
    from pisces.harnesses.gemini.rules.rule import CompiledRule

_EXCLUDED = USER + 0.4  # where `tools.exclude` of the settings stands
_NOBODY = SessionFacts("", "", "")


class PolicyBook:
    """`default` is the decision where no rule matches; empty for the host, where the approval mode decides then."""

    harness = "gemini"

    def __init__(self, scene: RuleScene, built_in: Iterable[CompiledRule] = ()) -> None:
        found = [*_read(scene)]
        self.diagnostics = tuple(each for each in found if isinstance(each, Diagnostic))
        made = [each for each in found if not isinstance(each, Diagnostic)]
        rules = [rule for kind, rule in made if kind == "rule"]
        checkers = [rule for kind, rule in made if kind == "safety_checker"]
        self._engine = PolicyEngine([*rules, *built_in], checkers)

    @property
    def rules(self) -> tuple[ListedRule, ...]:
        engine = self._engine
        return tuple(ListedRule(rule.decision, rule.who) for rule in (*engine.rules, *engine.checkers))

    def judged(self, use: ToolUse) -> Verdict | None:
        return verdict_of(self._engine.ruling(use))

    def denies_tool(self, tool: str, server: str = "") -> Verdict | None:
        rule = self._engine.excludes(ToolUse(ToolCall(tool, "", {}), _NOBODY, server))
        return Verdict(DENY, rule.who, rule.message or "the tool is excluded") if rule else None


class GeminiProgram(PolicyBook):
    """Gemini CLI as it would decide by itself, with its own rules and its default: it always has a verdict."""

    def judged(self, use: ToolUse) -> Verdict | None:
        default = ALLOW if policy_call(use).mode == YOLO else ASK if use.facts.is_interactive else DENY
        return verdict_of(self._engine.ruling(use, default))


def _read(scene: RuleScene) -> Iterator[tuple[str, CompiledRule] | Diagnostic]:
    places, run = HARNESS.own_places(scene.places), scene.run
    for path, number, only_narrows in policy_folders(places, run):
        yield from rules_at(path, Tier(number, only_narrows), places)
    yield from (("rule", rule) for rule in rules_of_settings(places, run))
    for found in scene.packages:
        package = found.item
        if package.format != "gemini":
            continue
        yield from rules_at(os.path.join(package.path, "policies"), Tier(PACKAGE, True, str(package.name)), places)
        who = visible(f"{places.shown(os.path.join(package.path, FILE))} excludeTools (package {package.name})")
        yield from (("rule", rule) for rule in excluding_rules(package.fields.get("excludeTools"), _EXCLUDED, who))
