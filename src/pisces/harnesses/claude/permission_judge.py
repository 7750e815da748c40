"""Judges a tool call by Claude Code's permission rules. What a rule denies is denied in every spelling of the call.

Where a rule that denies might be meant and nobody can tell before the call runs, the call is asked about.
"""

from __future__ import annotations

from functools import lru_cache, partial

from pisces.discovery import tool_names as to
from pisces.gates.approval_mode import facts_in
from pisces.gates.rulebook import ToolUse
from pisces.gates.shell import shell_line
from pisces.gates.tool_effects import READS, WRITES, effects_of
from pisces.harnesses.claude.permission_allows import is_allowed
from pisces.harnesses.claude.permission_lines import LineFiles, line_found
from pisces.harnesses.claude.permission_rules import (
    AGENT,
    ASK,
    BASH,
    DENY,
    EDIT,
    FETCH,
    MAYBE,
    NO,
    READ,
    SEARCHES,
    SKILL,
    WRITE,
    YES,
    domain_fits,
    host_of,
    name_fits,
    names_tool,
    parameter_fits,
)
from pisces.harnesses.claude.piped_part import denied_part
from pisces.shapes.verdict import Verdict
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.gates.tool_effects import ToolEffects
    from pisces.harnesses.claude.permission_rules import PermissionRule
    from pisces.harnesses.claude.permissions import PlacedRule
    from pisces.shapes.session_facts import SessionFacts

_HARNESS = "claude"
_UNSURE = "a rule may be meant, and nobody can tell before it runs"


class JudgedCall(Value):
    """A call, what it does, what Claude Code calls its tool and its arguments, and the files of its line."""

    use: ToolUse
    effects: ToolEffects
    names: tuple[str, ...]
    files: LineFiles | None
    arguments: Mapping[str, Any]


def judged(rules: Sequence[PlacedRule], use: ToolUse) -> Verdict | None:
    """Deny before ask before allow; None where no rule speaks."""
    effects = effects_of(use.call)
    names = names_of(use.call.tool, use.server)
    files = LineFiles(effects.line, facts_in(use.facts, effects.folder)) if effects.line else None
    arguments = use.call.input
    if names[0] != use.call.tool:
        arguments = {**arguments, **to.own_call(_HARNESS, use.call.tool, arguments, use.server)[1]}
    call = JudgedCall(use, effects, names, files, arguments)
    doubt: Verdict | None = None
    for decision in (DENY, ASK):
        for each in rules:
            found = _found(each, call) if each.rule.decision == decision else NO
            if found == YES and decision == DENY:
                return Verdict(DENY, each.who, _why(each, call), rule=each.stricter_by)
            if found != NO:
                doubt = doubt or Verdict(ASK, each.who, "" if found == YES else _UNSURE, rule=each.stricter_by)
        if doubt:
            return doubt
    return is_allowed(rules, use, effects, names)


def tool_denied(rules: Sequence[PlacedRule], tool: str, server: str = "") -> Verdict | None:
    """A rule without brackets takes the tool away from the model."""
    names = names_of(tool, server)
    for each in rules:
        if each.rule.decision == DENY and each.rule.is_bare and names_tool(each.rule, names):
            return Verdict(DENY, each.who, _gone(names))
    return None


@lru_cache(maxsize=256)  # looking for a name means looking into every harness's folder
def names_of(tool: str, server: str) -> tuple[str, ...]:
    """What Claude Code calls a tool of any harness. A patch edits and writes.

    It writes an underscore for characters that model interfaces refuse; only rules that narrow mean that name as well.
    """
    if server:
        _, short = to.mcp_parts(tool, server) or ("", tool)
        plain = f"mcp__{to.plain_name(server)}__{to.plain_name(short)}"
        return tuple(dict.fromkeys((f"mcp__{server}__{short}", plain)))
    if tool.startswith("mcp__"):
        return (tool,)
    if to.meaning_of(tool) == to.PATCH:
        return EDIT, WRITE
    own = to.names_for(_HARNESS, tool)[:1] or (tool,)
    usual = {to.TYPE: BASH, to.SHELL: BASH, to.EDIT: EDIT}.get(to.meaning_of(tool), own[0])
    return tuple(dict.fromkeys((*own, usual)))


def _found(placed: PlacedRule, call: JudgedCall) -> str:
    rule, effects, names = placed.rule, call.effects, call.names
    if rule.is_bare and names_tool(rule, names):
        return YES
    if rule.is_bare and (rule.kind != READ or rule.decision != DENY):
        return YES if rule.kind and rule.kind in names and rule.tool not in (EDIT, WRITE) else NO
    if _has_parameter(rule, call):
        return YES
    if rule.kind == BASH and call.files and effects.line:
        return line_found(rule, effects.line, call.files)
    if rule.kind in (READ, EDIT, WRITE):
        return _file_found(placed, call)
    if rule.kind == FETCH and effects.addresses:
        hosts = [host_of(each) for each in effects.addresses]
        return YES if any(domain_fits(rule, each) for each in hosts) else NO if all(hosts) else MAYBE
    if rule.kind in (AGENT, SKILL) and effects.name and rule.kind in names:
        return YES if name_fits(rule, effects.name) else NO
    is_named = rule.content is not None and not rule.kind and names_tool(rule, names)
    return YES if is_named and names[0].startswith("mcp__") else NO


def _has_parameter(rule: PermissionRule, call: JudgedCall) -> bool:
    """Whether the rule is about an argument of this tool."""
    if not parameter_fits(rule, call.arguments):
        return False
    return rule.kind in call.names or names_tool(rule, call.names)


def _file_found(placed: PlacedRule, call: JudgedCall) -> str:
    """`Read` covers writing as well; `Edit` and, other than in Claude Code itself, `Write` cover all writing."""
    rule, effects = placed.rule, call.effects
    if rule.is_bare:  # `Read` without a path
        return YES if effects.meaning in WRITES else NO
    if call.files and effects.line:
        return NO if rule.is_search else line_found(rule, effects.line, call.files)
    if rule.is_search and effects.meaning not in SEARCHES:
        return NO
    paths = (*effects.writes, *effects.reads) if rule.kind == READ else effects.writes
    if rule.path is None or not any(rule.path.denies(each, call.use.facts) for each in paths):
        return NO
    return YES if effects.meaning in READS | WRITES else MAYBE


def _is_denied(rule: PermissionRule, facts: SessionFacts, text: str) -> bool:
    line = shell_line(text)
    return line_found(rule, line, LineFiles(line, facts)) == YES


def _why(placed: PlacedRule, call: JudgedCall) -> str:
    """What Claude Code tells the model."""
    rule, effects, names = placed.rule, call.effects, call.names
    if rule.is_bare and names_tool(rule, names):
        return _gone(names)
    if _has_parameter(rule, call):
        return f"Permission to use {names[0]} with {rule.content} has been denied."
    if effects.line is not None:
        part = denied_part(effects.line.text, partial(_is_denied, rule, facts_in(call.use.facts, effects.folder)))
        return f"Permission to use Bash with command {part} has been denied."
    if rule.kind == FETCH:
        return f"WebFetch denied access to domain:{host_of(effects.addresses[0])}."
    if rule.kind == AGENT:
        by = f"permission rule 'Agent({rule.content})' from {placed.scope}"
        return f"Agent type '{effects.name}' has been denied by {by}."
    if rule.kind == SKILL:
        return "Skill execution blocked by permission rules"
    if rule.kind == READ and effects.writes:
        done = "edited" if effects.meaning == to.EDIT else "written"
        return _error(f"File is covered by a Read deny rule in your permission settings and cannot be {done}.")
    if rule.kind in (READ, EDIT, WRITE):
        return _error("File is in a directory that is denied by your permission settings.")
    return f"Permission to use {names[0]} has been denied."


def _gone(names: tuple[str, ...]) -> str:
    name = names[0]
    more = "" if name.startswith("mcp__") else f". {name} is disabled for this session, in subagents as well as here."
    return _error(f"Error: No such tool available: {name}{more}")


def _error(text: str) -> str:
    return f"<tool_use_error>{text}</tool_use_error>"
