"""Policy files as rules that judge. A file with an error keeps what it denies and asks about, and allows nothing.

Gemini CLI drops such a file whole, and with it every guard in it. Here a rule whose condition cannot be read asks about
every call that it could be about.
"""

from __future__ import annotations

import os
import re

from pisces.files import Unreadable, entries, read_text
from pisces.formats.fit import misfits
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.formats.toml import parse
from pisces.formats.visible import visible
from pisces.harnesses.gemini.finders.policies import POLICY_PATTERN, POLICY_SHAPE, POLICY_SYNTAX
from pisces.harnesses.gemini.policy_rules import expanded_names
from pisces.harnesses.gemini.policy_shape import CHECKER, RULE
from pisces.harnesses.gemini.rules.rule import (
    CompiledRule,
    PatternRefused,
    is_refused_by_gemini,
    prefix_pattern,
    regex_pattern,
)
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.formats.json import JsonObject
    from pisces.harnesses.gemini.rules.rule import ArgsPattern
    from pisces.places import Places

KINDS = ("rule", "safety_checker")
_STAYS = "its deny and ask rules that can be read stay in force, its allow rules do not"
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*(rule|safety_checker)[ \t]*\]\]", re.MULTILINE)
_DECISIONS = {
    "allow": ALLOW,
    **dict.fromkeys(("deny", "block", "forbid", "forbidden", "reject"), DENY),
    **dict.fromkeys(("ask_user", "ask", "prompt", "confirm"), ASK),
}
_HIGHEST = 999
_PACKAGES = 2
_MOST = 10_000  # rules that one rule of a file stands for


class Tier(Value):
    """`number` is 1 for the program's own rules, then packages, workspace, user and administrator.

    A tier that `only_narrows` allows nothing. `label` names a package. `is_broken` is set for a file with an error.
    """

    number: int
    only_narrows: bool = False
    label: str = ""
    is_broken: bool = False


class RawRule(Value):
    """A rule as its file has it. `is_whole` is false where a part of it could not be read."""

    kind: str
    fields: JsonObject
    line: int
    is_whole: bool = True


def rules_at(path: str, tier: Tier, places: Places) -> Iterator[tuple[str, CompiledRule] | Diagnostic]:
    """The rules and the checkers of a file, or of the `.toml` files directly in a folder, each with its kind."""
    if os.path.isfile(path):
        yield from _rules_in(path, tier, places) if path.endswith(".toml") else ()
        return
    for entry in entries(path):
        if entry.name.endswith(".toml") and entry.is_file():
            # Gemini CLI reads no linked file. The guards in one count all the same.
            narrowed = tier.replace(only_narrows=True, is_broken=True) if entry.is_symlink() else tier
            yield from _rules_in(entry.path, narrowed, places)


def _rules_in(path: str, tier: Tier, places: Places) -> Iterator[tuple[str, CompiledRule] | Diagnostic]:
    try:
        text = read_text(path)
    except Unreadable as error:
        yield POLICY_SYNTAX.at(path, f"the policy file {error.message}", hint="every tool call is asked about")
        yield "rule", _doubt("*", tier, _shown(places, path, 0, "a policy file that cannot be read", tier))
        return
    try:
        values: JsonObject = parse(text)
        raw, flaw = _raw_rules(text, values), ""
    except Malformed as error:
        flaw = error.message
        yield POLICY_SYNTAX.at(path, flaw, place=(error.line, error.column), hint=_STAYS)
        raw = list(_salvaged(text))
        if not raw:
            yield "rule", _doubt("*", tier, _shown(places, path, error.line, "a policy file that cannot be read", tier))
    wrong = [] if flaw else list(_misfits(values))
    if wrong:
        message = "; ".join(f"`{'.'.join(map(str, each.path))}` {each.message}" for each in wrong)
        yield POLICY_SHAPE.at(path, message, place=toml_place(text, wrong[0].path), hint=_STAYS)
    narrowed = tier.replace(only_narrows=True, is_broken=True) if wrong or flaw else tier
    for each in raw:
        yield from _read(each, path, narrowed, places)


def _raw_rules(text: str, values: JsonObject) -> list[RawRule]:
    return [
        RawRule(kind, each, toml_place(text, (kind, index))[0])
        for kind in KINDS
        for index, each in enumerate(values[kind] if isinstance(values.get(kind), list) else ())
        if isinstance(each, dict)
    ]


def _misfits(values: JsonObject) -> Iterator[Any]:
    for kind, shape in zip(KINDS, (RULE, CHECKER), strict=True):
        listed = values.get(kind, [])
        for index, each in enumerate(listed if isinstance(listed, list) else [listed]):
            yield from misfits(each, shape, (kind, index))


def _salvaged(text: str) -> Iterator[RawRule]:
    """Each rule of a broken file that can be read alone; of the others, what single lines say."""
    starts = [*_HEADER.finditer(text)]
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        kind, line = start[1], text.count("\n", 0, start.start()) + 1
        piece = text[start.start() : end]
        try:
            yield RawRule(kind, parse(piece)[kind][0], line)  # type: ignore[index]  # the header makes a list of tables
        except Malformed:
            yield RawRule(kind, dict(_lone_lines(piece)), line, False)


def _lone_lines(piece: str) -> Iterator[tuple[str, Any]]:
    for line in piece.splitlines()[1:]:
        try:
            yield from parse(line).items()
        except Malformed:
            continue


def _read(raw: RawRule, path: str, tier: Tier, places: Places) -> Iterator[tuple[str, CompiledRule] | Diagnostic]:
    fields = raw.fields
    decision = _decision(fields.get("decision")) if raw.kind == "rule" else ASK
    is_about_no_server = fields.get("mcpName") == ""  # Gemini CLI does not start with such a rule
    if decision == ALLOW and (tier.only_narrows or not raw.is_whole or is_about_no_server):
        return
    names = _names(fields)
    who = _shown(places, path, raw.line, _said(raw.kind, fields), tier)
    patterns: list[ArgsPattern | None] = []
    if not raw.is_whole or names is None:
        yield from (("rule", _doubt(name, tier, who)) for name in names or ("*",))
        return
    for source in _sources(fields):
        try:
            patterns.append(_pattern(source, decision))
        except PatternRefused as error:
            yield POLICY_PATTERN.at(
                path, f"the pattern `{str(source[1])[:200]}` cannot be used: {error}", place=(raw.line, 1)
            )
            if decision != ALLOW:
                yield from (("rule", _doubt(name, tier, who)) for name in names)
    if len(names) * len(patterns) > _MOST:
        yield from (("rule", _doubt(name, tier, who)) for name in names if decision != ALLOW)
        return
    conditions = _conditions(fields, tier)
    for pattern in patterns:
        for name in names:
            made = CompiledRule(name, decision, _priority(fields, tier), who, pattern=pattern, **conditions)
            yield raw.kind, made.replace(is_doubt=tier.is_broken or _is_dropped(made, tier))


def _is_dropped(rule: CompiledRule, tier: Tier) -> bool:
    """Gemini CLI takes no rule for the yolo mode from a package. Here it narrows what other rules say."""
    return tier.number == _PACKAGES and "yolo" in rule.modes


def _conditions(fields: JsonObject, tier: Tier) -> dict[str, Any]:
    def typed(key: str, kind: type, default: Any) -> Any:
        value = fields.get(key)
        return value if isinstance(value, kind) else default

    modes = typed("modes", list, [])
    known = frozenset(mode for mode in modes if mode in ("default", "autoEdit", "yolo", "plan"))
    redirects = typed("allowRedirection", bool, typed("allow_redirection", bool, False))
    checker = fields.get("checker")
    return {
        "server": typed("mcpName", str, ""),
        "subagent": typed("subagent", str, ""),
        "modes": known if len(known) == len(set(map(str, modes))) else frozenset(),  # a typing mistake: every mode
        "interactive": typed("interactive", bool, None),
        "annotations": typed("toolAnnotations", dict, {}),
        "allows_redirection": redirects and not tier.only_narrows,
        "message": typed("denyMessage", str, typed("deny_message", str, "")),
        "checker": checker if isinstance(checker, dict) else {},
    }


def _names(fields: JsonObject) -> list[str] | None:
    """None where the rule does not say which tool it is about."""
    names = fields.get("toolName")
    listed = names if isinstance(names, list) else [names]
    texts = [each for each in listed if isinstance(each, str) and each]
    server = fields.get("mcpName")
    if not texts and isinstance(server, str) and server and names is None:
        texts = ["*"]
    if not texts or len(texts) != len(listed):
        return texts or None
    return [name for name in expanded_names({**fields, "toolName": texts}) if name]


def _sources(fields: JsonObject) -> list[tuple[str, Any]]:
    """Kind and text of each pattern; one empty one where every call is meant."""
    prefix, regex, arguments = (fields.get(key) for key in ("commandPrefix", "commandRegex", "argsPattern"))
    if prefix or prefix == []:
        return [("prefix", each) for each in (prefix if isinstance(prefix, list) else [prefix])]
    if regex:
        return [("regex", f'"command":"{regex}' if isinstance(regex, str) else regex)]
    return [("regex", arguments or "")]


def _pattern(source: tuple[str, Any], decision: str) -> ArgsPattern | None:
    kind, text = source
    if not isinstance(text, str):
        raise PatternRefused("it is no text")
    if kind == "prefix":
        return prefix_pattern(text)
    if decision == ALLOW and text and is_refused_by_gemini(text):
        raise PatternRefused("it could run for ever")
    return regex_pattern(text) if text else None


def _decision(word: object) -> str:
    """A decision that does not exist asks: somebody wanted a guard here."""
    return _DECISIONS.get(word.casefold(), ASK) if isinstance(word, str) else ASK


def _priority(fields: JsonObject, tier: Tier) -> float:
    """A priority that cannot be used is the highest of its tier: the rule only narrows then."""
    given: Any = fields.get("priority", 0 if "checker" in fields else None)
    is_usable = type(given) in (int, float) and 0 <= given <= _HIGHEST
    return tier.number + (float(given) if is_usable else _HIGHEST) / 1000


def _doubt(tool: str, tier: Tier, who: str) -> CompiledRule:
    return CompiledRule(tool, ASK, tier.number + 0.9995, who, is_doubt=True)


def _said(kind: str, fields: JsonObject) -> str:
    """The rule in one line."""
    keys = ("toolName", "mcpName", "commandPrefix", "commandRegex", "argsPattern", "subagent", "modes")
    parts = [f"{key}={_short(fields[key])}" for key in keys if key in fields]
    return " ".join([str(fields.get("decision") or kind), *parts])


def _short(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _shown(places: Places, path: str, line: int, text: str, tier: Tier) -> str:
    place = f"{places.shown(path)}:{line}" if line else places.shown(path)
    return visible(f"{place} {text}" + (f" (package {tier.label})" if tier.label else ""))
