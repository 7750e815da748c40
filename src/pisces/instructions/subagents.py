"""A subagent as data: what whoever runs it has to know. Its tools are the parent's or fewer, never more."""

from __future__ import annotations

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import PROJECT
from pisces.discovery.tool_names import meanings
from pisces.formats.wildcard import wildcard_matches
from pisces.instructions.index_lines import fitting, index_line
from pisces.instructions.part import SUBAGENTS, InstructionPart
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.shapes.subagent import Subagent

TOOL_UNKNOWN = Rule("subagent-tool-unknown", WARNING, "A subagent asks for a tool that is not there")

_HEADING = "Subagents: they work on a task of their own and report back."
_SECONDS = 60


class AgentPlan(Value):
    """`tools` are names of the parent's tools, with what stood in brackets behind them: `Bash(git log:*)`.

    `permission_mode`, `sandbox_mode` and `model` are wishes: the user's own choice limits them. `hooks` and
    `mcp_servers` are as the file has them, and pass the same gates as any other. `found` has its source.
    """

    name: str
    description: str
    prompt: str
    tools: tuple[str, ...]
    found: Found[Subagent]
    disallowed: tuple[str, ...] = ()
    max_turns: int | None = None
    timeout: float | None = None
    model: str = ""
    permission_mode: str = ""
    sandbox_mode: str = ""
    hooks: Mapping[str, Any] = EMPTY
    mcp_servers: Mapping[str, Any] = EMPTY
    skills: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def subagent(found: Found[Subagent], tools: Iterable[str]) -> AgentPlan:
    """The plan of a subagent whose parent has these tools, by whatever names."""
    agent, parent = found.item, _Parent(tuple(dict.fromkeys(tools)), meanings())
    granted, unknown = parent.granted(agent.tools)
    return AgentPlan(
        name=agent.name,
        description=agent.description,
        prompt=agent.prompt,
        tools=granted,
        disallowed=parent.refused(agent.disallowed_tools or ()),
        max_turns=_whole(agent.max_turns),
        timeout=_seconds(agent.timeout_minutes),
        model=agent.model,
        permission_mode=agent.permission_mode,
        sandbox_mode=agent.sandbox_mode,
        hooks=agent.hooks,
        mcp_servers=agent.mcp_servers,
        skills=agent.skills or (),
        found=found,
        diagnostics=tuple(_unknown(each, agent) for each in unknown),
    )


def subagents_part(found: Sequence[Found[Subagent]]) -> InstructionPart | None:
    """The lines by which a model chooses one; None without any."""
    lines, more = fitting(map(line_of, found))
    if not lines:
        return None
    rest = [f"- and {more:,} more"] if more else []
    levels = {each.source.level for each in found}
    text = "\n".join((_HEADING, *lines, *rest))
    return InstructionPart(text, "", "", "", SUBAGENTS, PROJECT if PROJECT in levels else levels.pop())


def line_of(found: Found[Subagent]) -> str:
    return index_line(found.item.name, found.item.description)


class _Parent(Value):
    """The tools that there are, and what tools of any harness do."""

    tools: tuple[str, ...]
    meanings: Mapping[str, str]

    def granted(self, asked: tuple[str, ...] | None) -> tuple[tuple[str, ...], list[str]]:
        """What a subagent gets of them, and what it asks for in vain. A file that does not say gets all."""
        if asked is None:
            return self.tools, []
        found = {name: self._one(name) for name in asked}
        granted = dict.fromkeys(each for names in found.values() for each in names)
        return tuple(granted), [name for name, names in found.items() if not names]

    def refused(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Whatever does the same as one of these; the names as written too, for tools that come later."""
        return tuple(dict.fromkeys(each for name in names for each in (*self._same(name), name)))

    def _one(self, name: str) -> list[str]:
        """The tool of that name; else all that a pattern fits; else the first one that does the same."""
        base, bracket, inside = name.strip().partition("(")
        if base == "*":
            return list(self.tools)
        if base in self.tools:
            return [base + bracket + inside]
        if base.startswith("mcp"):
            return [each for each in self.tools if _is_of_server(each, base)]
        return self._same(name)[:1]

    def _same(self, name: str) -> list[str]:
        base, bracket, inside = name.strip().partition("(")
        meaning = self.meanings.get(base, "")
        same = [each for each in self.tools if each == base or (meaning and self.meanings.get(each) == meaning)]
        return [each + bracket + inside for each in same]


def _is_of_server(tool: str, pattern: str) -> bool:
    """`mcp__server`, `mcp__server__*`, and Gemini CLI's `mcp_server_*` and `mcp_*`."""
    return tool.startswith("mcp") and (tool.startswith(f"{pattern}__") or wildcard_matches(pattern, tool))


def _whole(number: float | None) -> int | None:
    return int(number) if number is not None and 0 < number < 1e9 else None


def _seconds(minutes: float | None) -> float | None:
    return minutes * _SECONDS if minutes is not None and 0 < minutes < 1e9 else None


def _unknown(name: str, agent: Subagent) -> Diagnostic:
    message = f"the subagent asks for the tool `{name[:100]}`, which is not there, and goes without it"
    return TOOL_UNKNOWN.at(agent.path, message, about=agent.name)
