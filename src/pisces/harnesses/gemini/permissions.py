"""The policies, settings and excluded tools of Gemini CLI as one rulebook: the highest priority decides.

Packages and the workspace only narrow. Policies of the workspace are read although Gemini CLI does not read them.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.gates.rulebook import ListedRule, ToolUse
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.manifest import FILE
from pisces.harnesses.gemini.rules.call import YOLO, policy_call
from pisces.harnesses.gemini.rules.engine import PolicyEngine, verdict_of
from pisces.harnesses.gemini.rules.files import Tier, rules_at
from pisces.harnesses.gemini.rules.settings import excluding_rules, rules_of_settings
from pisces.harnesses.gemini.settings import WORKSPACE, is_home, scopes_of, settings_from
from pisces.harnesses.gemini.system_files import is_secure, system_folder
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import SessionFacts
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.gates.rulebook import RuleScene
    from pisces.harnesses.gemini.rules.rule import CompiledRule
    from pisces.harnesses.gemini.settings import Settings
    from pisces.places import Places

PACKAGE, WORKSPACE_TIER, USER, ADMIN = 2, 3, 4, 5
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


def rulebooks(scene: RuleScene) -> Iterator[PolicyBook]:
    yield PolicyBook(scene)


def program_book(scene: RuleScene) -> GeminiProgram:
    """For comparing with the program itself."""
    from pisces.harnesses.gemini.rules.built_in import built_in_rules  # nobody else needs them

    return GeminiProgram(scene, built_in_rules())


def _read(scene: RuleScene) -> Iterator[tuple[str, CompiledRule] | Diagnostic]:
    places, run = HARNESS.own_places(scene.places), scene.run
    scopes = scopes_of(places, run)
    for path, tier in _folders(places, settings_from(tuple(each for each in scopes if each.name != WORKSPACE))):
        yield from rules_at(path, tier, places)
    if not is_home(places):
        narrowing = Tier(WORKSPACE_TIER, True)
        project = settings_from(tuple(each for each in scopes if each.name == WORKSPACE))
        listed = [path for key in ("policyPaths", "adminPolicyPaths") for path in _listed(key, project, places)]
        for path in dict.fromkeys((os.path.join(places.cwd, ".gemini", "policies"), *listed)):
            yield from rules_at(path, narrowing, places)
    yield from (("rule", rule) for rule in rules_of_settings(places, run))
    for found in scene.packages:
        package = found.item
        if package.format != "gemini":
            continue
        yield from rules_at(os.path.join(package.path, "policies"), Tier(PACKAGE, True, str(package.name)), places)
        who = f"{places.shown(os.path.join(package.path, FILE))} excludeTools (package {package.name})"
        yield from (("rule", rule) for rule in excluding_rules(package.fields.get("excludeTools"), _EXCLUDED, who))


def _folders(places: Places, settings: Settings) -> Iterator[tuple[str, Tier]]:
    """The administrator's and the user's. `policyPaths` replaces the user's folder, but a project cannot set it."""
    system = os.path.join(system_folder(), "policies")
    has_system = os.path.isdir(system) and is_secure(system)
    if has_system:
        yield system, Tier(ADMIN)
    if not has_system or not any(name.endswith(".toml") for name in os.listdir(system)):
        yield from ((path, Tier(ADMIN)) for path in _listed("adminPolicyPaths", settings, places))
    listed = _listed("policyPaths", settings, places) or [os.path.join(places.home, ".gemini", "policies")]
    yield from ((path, Tier(USER)) for path in listed)


def _listed(key: str, settings: Settings, places: Places) -> list[str]:
    paths = settings.value(key)
    texts = [path for path in paths if isinstance(path, str) and path] if isinstance(paths, list) else []
    return list(dict.fromkeys(places.absolute(path) for path in texts))
