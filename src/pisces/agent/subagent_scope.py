"""What a subagent may call: tools of its parent, fewer or the same, and never a subagent.

What its file says about single calls (`Bash(git log:*)`) is a gate, so that a hook that changes a call cannot go
around it. Everybody else's gates hold as they do for the parent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.agent.subagent_permission import permission_in
from pisces.discovery.tool_names import SUBAGENT, every_name, meaning_of
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.approval_mode import mode_verdict
from pisces.gates.rulebook import ToolUse
from pisces.gates.rules import listed
from pisces.host.called import skill_in
from pisces.instructions.subagents import AgentPlan, subagent
from pisces.shapes.session_facts import MODE_PLAN, SessionFacts
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.request import ToolRequest
    from pisces.shapes.subagent import Subagent

_PLANNING = ("plan",)
_READING = ("read-only",)
NEVER_ASKS = "dontAsk"


class SubagentScope(Value):
    """`names` are tools of the host. `patterns` has what was in brackets, by tool: a call must fit one of them.

    `mode` is MODE_PLAN if nothing may be changed, whatever the user's own mode is; else it is empty.
    """

    plan: AgentPlan
    names: frozenset[str]
    places: Places
    patterns: Mapping[str, tuple[str, ...]] = EMPTY
    refused: tuple[str, ...] = ()
    mode: str = ""

    @property
    def who(self) -> str:
        return f"subagent {self.plan.name}"

    def judged(self, request: ToolRequest) -> Verdict | None:
        """A denial, a question, or None: a subagent's own file allows nothing."""
        call = request.call
        if meaning_of(call.tool) == SUBAGENT:
            return self._denied("a subagent starts no other one")
        is_preloaded = (skill_in(call) or None) in self.plan.skills
        if not request.server and not is_preloaded and call.tool not in self.names:
            return self._denied(f"`{call.tool}` is not one of its tools")
        facts = SessionFacts(request.cwd or self.places.cwd, self.places.cwd, self.places.home)
        use = ToolUse(call, facts, request.server, request.annotations)
        patterns = self.patterns.get(call.tool, ())
        if patterns and not listed(ALLOW, patterns, use):
            return self._denied(f"its file allows only {', '.join(patterns)}")
        if self.refused and listed(DENY, self.refused, use):
            return self._denied(f"its file forbids {', '.join(self.refused)}")
        permission = permission_in(self.plan.found.item.permission, call)
        if permission == DENY:
            return self._denied("`permission` in its file denies it")
        if self.mode == MODE_PLAN:
            verdict = mode_verdict(use.replace(facts=facts.replace(mode=MODE_PLAN)))
            if not verdict.is_allowed:
                return self._denied("it may only read")
        return Verdict(ASK, self.who, "`permission` in its file wants a question") if permission == ASK else None

    def _denied(self, why: str) -> Verdict:
        return Verdict(DENY, self.who, why)


def scope_of(found: Found[Subagent], tools: Collection[str], servers: Collection[str], places: Places) -> SubagentScope:
    """`tools` are all that the parent has, `servers` the names of MCP servers, whose tools files spell in their way."""
    spelled = {form: name for name in tools for form in _forms(name, servers)}
    plan = subagent(found, spelled)
    granted: dict[str, list[str]] = {}
    for each in plan.tools:
        base, bracket, inside = each.partition("(")
        content = inside.rstrip().removesuffix(")") if bracket else ""
        granted.setdefault(spelled[base], []).append("" if content.strip() in ("", "*") else each)
    for name in _named_servers(plan, tools):
        granted.setdefault(name, []).append("")
    names = {name: patterns for name, patterns in granted.items() if not _is_refused(name, plan, servers)}
    return SubagentScope(
        plan,
        frozenset(name for name in names if meaning_of(name) != SUBAGENT),
        places,
        {name: tuple(patterns) for name, patterns in names.items() if all(patterns)},
        tuple(each for each in found.item.disallowed_tools if "(" in each),
        MODE_PLAN if plan.permission_mode in _PLANNING or plan.sandbox_mode in _READING else "",
    )


def _forms(name: str, servers: Iterable[str]) -> tuple[str, ...]:
    """A tool of a server as files of other harnesses write it."""
    server = next((each for each in servers if name.startswith(f"{each}__")), "")
    if not server:
        return (name,)
    tool = name[len(server) + 2 :]
    return name, f"mcp__{server}__{tool}", f"mcp_{server}_{tool}"


def _named_servers(plan: AgentPlan, tools: Iterable[str]) -> list[str]:
    """Tools of the servers that its file names."""
    return [name for name in tools if any(name.startswith(f"{server}__") for server in plan.mcp_servers)]


def _is_refused(name: str, plan: AgentPlan, servers: Iterable[str]) -> bool:
    bare = [each for each in plan.disallowed if "(" not in each]
    forms = (*_forms(name, servers), *every_name(name))
    return any(form == each or _is_of(each, form) for each in bare for form in forms)


def _is_of(pattern: str, form: str) -> bool:
    return pattern.startswith("mcp") and (form.startswith(f"{pattern}__") or wildcard_matches(pattern, form))
