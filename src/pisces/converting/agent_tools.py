"""The tools of a subagent in another harness's names: never more than its author allowed.

A tool without a counterpart is left out and reported. Where none is left there is no list to write: without one the
subagent would have all tools.
"""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_TOOL, lost
from pisces.discovery.tool_names import allowed_name, names_for
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginAgent

ALL = "*"


class MappedTools(Value):
    """`tools` is None where the author allowed all; an empty tuple means that none of those allowed is left."""

    tools: tuple[str, ...] | None
    fates: tuple[Fate, ...] = ()


class ToolNames(Value):
    """The tools of a target. `everything` is all that a subagent has there without a list; empty for a target that has
    a list of its own for what is denied.

    `server_tool` spells a tool of a server by its name in the source: None for another tool, empty for one that cannot
    be spelled. Without it, tools of servers are spelled as the target spells them.
    """

    harness: str
    label: str
    everything: tuple[str, ...] = ()
    server_tool: Callable[[str], str | None] = lambda _tool: None

    def allowed(self, tool: str) -> str:
        spelled = self.server_tool(tool)
        return allowed_name(self.harness, tool) if spelled is None else spelled

    def denied(self, tool: str) -> tuple[str, ...]:
        """Whatever of the target does the same, or more."""
        spelled = self.server_tool(tool)
        return (spelled,) if spelled else names_for(self.harness, tool)


def bare(tool: str) -> str:
    """`Bash` of `Bash(git log:*)`."""
    return tool.partition("(")[0].strip()


def mapped_tools(agent: PluginAgent, names: ToolNames) -> MappedTools:
    has_all = agent.tools is None or ALL in agent.tools
    if has_all and not (agent.disallowed_tools and names.everything):
        return MappedTools(None)
    tools: dict[str, None] = dict.fromkeys(names.everything) if has_all else {}
    fates = []
    for tool in () if has_all or agent.tools is None else agent.tools:
        found = names.allowed(bare(tool))
        if found:
            tools[found] = None
            fates += limits(agent, tool, found)
        else:
            fates.append(lost(DROPPED, LOST_TOOL, agent, f"{names.label} has no tool like `{tool}`", field="tools"))
    for tool in agent.disallowed_tools:
        for found in names.denied(bare(tool)):
            tools.pop(found, None)
    return MappedTools(tuple(tools), tuple(fates))


def limits(agent: PluginAgent, tool: str, found: str) -> list[Fate]:
    """A pattern behind a tool limits nothing in a subagent's list: the program it was written for gives the tool."""
    if "(" not in tool:
        return []
    why = f"`{tool}` names calls, and the program that it was written for allows all of them: so does `{found}`"
    return [lost(APPROXIMATED, CHANGED_MEANING, agent, why, field="tools")]
