"""`rules.toml`: rules of pisces' own about tool calls. Every mistake is reported with its line.

    [[rule]]
    tool = "shell"                # or a list, or the name of a tool in any harness, or `*`
    command = "git push"          # the first words of a command
    decision = "ask"              # deny, ask or allow
    reason = "pushing is public"

A rule with a mistake keeps what it denies or asks about, and allows nothing.
"""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.discovery import tool_names as to
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.js_regex_match import js_pattern
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.formats.toml_current import parse
from pisces.shapes.session_facts import MODES
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.formats.js_regex_match import JsPattern

RULES_SYNTAX = Rule("rules-syntax", ERROR, "`rules.toml` cannot be read")
RULES_RULE = Rule("rules-rule", ERROR, "A rule in `rules.toml` has a mistake")
RULES_TOO_MUCH = Rule("rules-too-much", WARNING, "A project's `rules.toml` asks for more than a project may")

# What people call kinds of tools, beside the names that harnesses have for them.
KINDS = {
    "shell": (to.SHELL, to.TYPE),
    "read": (to.READ, to.LIST, to.FIND, to.SEARCH),
    "write": (to.WRITE, to.EDIT, to.PATCH),
    "edit": (to.WRITE, to.EDIT, to.PATCH),
    "fetch": (to.FETCH,),
    "search": (to.WEB_SEARCH,),
    "agent": (to.SUBAGENT,),
    "skill": (to.SKILL,),
}
_KEYS = ("tool", "command", "regex", "folder", "path", "server", "modes", "decision", "reason")
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*rule[ \t]*\]\]", re.MULTILINE)


class OwnRule(Value):
    """A rule as it is written. Empty fields ask for nothing. `is_lost` asks about everything: it cannot be read."""

    decision: str
    line: int
    text: str
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    pattern: JsPattern | None = None
    folder: str = ""
    paths: tuple[str, ...] = ()
    server: str = ""
    modes: frozenset[str] = frozenset()
    reason: str = ""


def rules_in(path: str, *, only_narrows: bool) -> Iterator[OwnRule | Diagnostic]:
    """A missing file has no rules. One that `only_narrows` is a project's."""
    try:
        text = read_text(path)
    except Unreadable as error:
        if error.kind != MISSING:
            yield RULES_SYNTAX.at(path, f"the file {error.message}", hint="every tool call is asked about")
            yield OwnRule(ASK, 0, "a file that cannot be read")
        return
    try:
        values = parse(text)
    except Malformed as error:
        hint = "its deny and ask rules that can be read stay in force, its allow rules do not"
        yield RULES_SYNTAX.at(path, error.message, place=(error.line, error.column), hint=hint)
        yield from _salvaged(text, error.line)
        return
    wrong = [key for key in values if key != "rule"]
    rules = values.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(each, dict) for each in rules):
        yield RULES_RULE.at(path, "`rule` is a list of tables: write `[[rule]]`", place=toml_place(text, ("rule",)))
        yield OwnRule(ASK, toml_place(text, ("rule",))[0], "a file that cannot be read")
        return
    for key in wrong:
        yield RULES_RULE.at(path, f"`{key}` is not known here", place=toml_place(text, (key,)), hint="write `[[rule]]`")
    for index, fields in enumerate(rules):
        yield from _read(path, text, index, fields, only_narrows=only_narrows)


def _read(path: str, text: str, index: int, fields: Mapping[str, Any], *, only_narrows: bool) -> Iterator[Any]:
    rule, flaws = own_rule(fields, toml_place(text, ("rule", index))[0])
    for key, message, hint in flaws:
        yield RULES_RULE.at(path, message, place=toml_place(text, ("rule", index, key)), hint=hint)
    if rule.decision == ALLOW and only_narrows:
        place = toml_place(text, ("rule", index, "decision"))
        yield RULES_TOO_MUCH.at(path, "a project may not allow: the rule is ignored", place=place)
    elif rule.decision != ALLOW or not flaws:
        yield rule


def own_rule(fields: Mapping[str, Any], line: int) -> tuple[OwnRule, list[tuple[str, str, str]]]:
    """The rule, and for each flaw the key, the message and a hint. A condition with a flaw is left out."""
    flaws = [(key, f"`{key}` is not known", f"known are {', '.join(_KEYS)}") for key in fields if key not in _KEYS]
    decision = fields.get("decision")
    if decision not in (ALLOW, ASK, DENY):
        message = "`decision` must be deny, ask or allow" if "decision" in fields else "`decision` is missing"
        flaws.append(("decision", message, ""))
        decision = ASK
    taken: dict[str, tuple[str, ...]] = {}
    for key in ("tool", "command", "path", "modes"):
        value = fields.get(key, [])
        several = [value] if isinstance(value, str) else value
        if not isinstance(several, list) or not all(isinstance(each, str) and each.strip() for each in several):
            flaws.append((key, f"`{key}` must be a text or a list of texts", ""))
        elif key in fields and not several:
            flaws.append((key, f"`{key}` is empty", "leave it out to mean all"))
        else:
            taken[key] = tuple(each.strip() for each in several)
    for key in ("server", "reason", "regex", "folder"):
        if not isinstance(fields.get(key, ""), str):
            flaws.append((key, f"`{key}` must be a text", ""))
    modes = taken.get("modes", ())
    if unknown := [mode for mode in modes if mode not in MODES]:
        flaws.append(("modes", f"there is no mode `{unknown[0]}`", f"modes are {', '.join(MODES)}"))
    pattern, flaw = _pattern(fields.get("regex"), "^(?:{})$" if decision == ALLOW else "{}")
    flaws += [("regex", flaw, "")] if flaw else []
    contradicted = [*_contradictions(fields, taken)]
    flaws += contradicted
    if any(key in ("command", "regex") for key, _, _ in contradicted):
        taken.pop("tool", None)  # what it says of commands counts
    is_unsure = decision == DENY and any(key in ("tool", "command", "path", "regex", "folder") for key, _, _ in flaws)
    made = OwnRule(
        ASK if is_unsure else decision,
        line,
        _said(decision, fields),
        taken.get("tool", ()),
        taken.get("command", ()),
        pattern,
        fields["folder"] if isinstance(fields.get("folder"), str) else "",
        taken.get("path", ()),
        fields["server"] if isinstance(fields.get("server"), str) else "",
        frozenset(modes) if all(mode in MODES for mode in modes) else frozenset(),
        fields["reason"] if isinstance(fields.get("reason"), str) else "",
    )
    return made, flaws


def _pattern(source: object, frame: str) -> tuple[JsPattern | None, str]:
    """A rule that allows is about the whole command."""
    if not isinstance(source, str):
        return None, ""
    pattern = js_pattern(frame.format(source)) if js_pattern(source) else None
    return pattern, "" if pattern else "`regex` is no regular expression that can be matched"


def _contradictions(fields: Mapping[str, Any], taken: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str, str]]:
    if not any(key in fields for key in ("tool", "command", "regex", "path", "server")):
        yield "tool", "the rule does not say what it is about", 'write tool = "*" for every tool'
    shells = {"shell", "*"}
    named = taken.get("tool", ())
    for key in ("command", "regex", "folder"):
        about_shell = not named or any(name in shells or to.meaning_of(name) == to.SHELL for name in named)
        if key in fields and not about_shell:
            yield key, f"`{key}` is about shell commands, `{named[0]}` is another tool", 'write tool = "shell"'
    if "path" in fields and any(key in fields for key in ("command", "regex")):
        yield "path", "`path` is about tools that read or write files, not about commands", "write two rules"


def _salvaged(text: str, line: int) -> Iterator[OwnRule]:
    starts = [found.start() for found in _HEADER.finditer(text)]
    if not starts:
        yield OwnRule(ASK, line, "a file that cannot be read")
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        at = text.count("\n", 0, start) + 1
        try:
            fields = parse(text[start:end])["rule"][0]
        except Malformed:
            yield OwnRule(ASK, at, "a rule that cannot be read")
            continue
        rule, _ = own_rule(fields, at)
        if rule.decision != ALLOW:
            yield rule


def _said(decision: str, fields: Mapping[str, Any]) -> str:
    parts = [f"{key}={_short(fields[key])}" for key in _KEYS[:7] if key in fields]
    return " ".join([str(decision), *parts])


def _short(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
