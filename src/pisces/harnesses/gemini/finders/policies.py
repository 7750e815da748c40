"""Policy rules as Gemini CLI loads them: `*.toml` directly in the folder. A package may deny or ask, never allow."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.files import Unreadable, entries, read_text
from pisces.formats.fit import misfits
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.formats.toml import parse
from pisces.harnesses.gemini import Policies
from pisces.harnesses.gemini.policy_rules import (
    expanded_names,
    names_of,
    pattern_flaw,
    patterns_of,
    shell_flaw,
    tool_flaw,
)
from pisces.harnesses.gemini.policy_shape import POLICY_FILE
from pisces.shapes.policy import PolicyRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE_TIER = 2

POLICY_SYNTAX = Rule("policy-syntax", ERROR, "A policy file cannot be read")
POLICY_SHAPE = Rule("policy-shape", ERROR, "A policy file has a rule of the wrong shape")
POLICY_RULE = Rule("policy-rule", ERROR, "A policy rule contradicts itself")
POLICY_TOOL = Rule("policy-tool", WARNING, "A policy rule names a tool that is probably misspelled")
POLICY_PATTERN = Rule("policy-pattern", ERROR, "A policy rule has a pattern that cannot be used")
POLICY_TOO_MUCH = Rule("policy-too-much", WARNING, "A package's policy asks for more than a package may")

_MOST = 10_000  # rules that one rule of a file stands for: tools by patterns


def find(where: Where[Policies]) -> FinderResults:
    if os.path.isfile(where.path) and where.path.endswith(".toml"):
        yield from _rules_in(where.path, where)
    for entry in entries(where.path):
        if entry.is_file(follow_symlinks=False) and entry.name.endswith(".toml"):
            yield from _rules_in(entry.path, where)


def _rules_in(path: str, where: Where[Policies]) -> FinderResults:
    about = os.path.basename(path)
    try:
        text = read_text(path)
        values: JsonObject = parse(text)
    except Unreadable as error:
        yield POLICY_SYNTAX.at(path, f"the policy file {error.message}", about=about)
        return
    except Malformed as error:
        hint = "use single quotes for patterns" if "escape" in error.message.lower() else ""
        yield POLICY_SYNTAX.at(path, error.message, place=(error.line, error.column), hint=hint, about=about)
        return
    wrong = list(misfits(values, POLICY_FILE))
    if wrong:
        flaws = "; ".join(f"`{'.'.join(map(str, each.path))}` {each.message}" for each in wrong)
        yield POLICY_SHAPE.at(path, flaws, place=toml_place(text, wrong[0].path), about=about)
        return
    for kind in ("rule", "safety_checker"):
        for index, rule in enumerate(values.get(kind, ())):
            found = [*_complaints(path, kind, rule), *_rules(path, (kind, index), rule, where)]
            is_wrong = any(isinstance(each, Diagnostic) for each in found)  # finding the place reads the text again
            line, column = toml_place(text, (kind, index)) if is_wrong else (0, 0)
            for each in found:
                yield each.replace(line=line, column=column) if isinstance(each, Diagnostic) else each


def _complaints(path: str, kind: str, rule: JsonObject) -> Diagnostics:
    if kind == "rule" and (flaw := shell_flaw(rule)):
        yield POLICY_RULE.at(path, flaw)
    names = names_of(rule)
    if "" in names:
        yield POLICY_RULE.at(path, "`toolName` is empty", hint='write "*" for every tool')
        return
    if kind == "safety_checker" and rule.get("mcpName"):
        return
    for name in names:
        if flaw := tool_flaw(name):
            yield POLICY_TOOL.at(path, flaw)


def _rules(
    path: str, keys: tuple[str, int], rule: JsonObject, where: Where[Policies]
) -> Iterator[Found[PolicyRule] | Diagnostic]:
    tier = where.options.tier
    names, patterns = list(expanded_names(rule)), patterns_of(rule)
    if len(names) * len(patterns) > _MOST:
        message = f"the rule stands for {len(names) * len(patterns):,} rules: {len(names):,} tools by {len(patterns):,}"
        yield POLICY_RULE.at(path, message, hint="split it, or write one pattern")
        return
    too_much = _too_much(rule) if tier == PACKAGE_TIER else ""
    for pattern in patterns:
        if flaw := pattern_flaw(pattern) if pattern else "":
            yield from (POLICY_PATTERN.at(path, flaw) for _ in names)  # Gemini CLI counts each, too
        elif too_much:
            yield from (POLICY_TOO_MUCH.at(path, too_much) for _ in names)
        else:
            priority, decision = tier + rule.get("priority", 0) / 1000, rule.get("decision", "") or "check"
            made = (PolicyRule(name, decision, priority, path, pattern, keys[0], rule, keys) for name in names)
            yield from map(where.found, made)


def _too_much(rule: JsonObject) -> str:
    if rule.get("decision") == "allow":
        names = names_of(rule)
        tools = f"`{names[0]}`" if len(names) == 1 else f"{len(names):,} tools"
        return f"a package may not allow {tools}: the rule is ignored"
    return "a package may not set rules for the yolo mode" if "yolo" in rule.get("modes", ()) else ""
