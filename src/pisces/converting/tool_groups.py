"""The tools of a subagent for targets that allow groups of tools. A group is allowed where one of it was.

A tool that no group has is left out and reported.
"""

from __future__ import annotations

from pisces.converting.agent_tools import bare, limits
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_TOOL, lost
from pisces.discovery.tool_names import mcp_parts, meaning_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginAgent


class ToolGroups(Value):
    """`groups` has the target's word for each meaning of a tool; `mcp` is how it spells a tool of a server."""

    label: str
    groups: Mapping[str, str]
    mcp: str


class GroupedTools(Value):
    """`names` is None where the author allowed all tools."""

    names: tuple[str, ...] | None
    fates: tuple[Fate, ...] = ()


def grouped_tools(agent: PluginAgent, target: ToolGroups) -> GroupedTools:
    if agent.tools is None and not agent.disallowed_tools:
        return GroupedTools(None)
    if agent.tools is None or "*" in agent.tools:
        return _complement(agent, target)
    names: dict[str, None] = {}
    fates: list[Fate] = []
    denied = {bare(each) for each in agent.disallowed_tools}
    groups = {word_for(each, target) for each in denied}
    for tool in (each for each in agent.tools if bare(each) not in denied):
        word = word_for(bare(tool), target)
        if word and word not in groups:
            names[word] = None
            fates += limits(agent, tool, word)
        elif word:
            why = f"{target.label} allows tools in groups, and `{word}` has one that is denied: `{tool}` is left out"
            fates.append(lost(DROPPED, LOST_TOOL, agent, why, "tools"))
        else:
            fates.append(lost(DROPPED, LOST_TOOL, agent, f"{target.label} has no tool like `{tool}`", "tools"))
    return GroupedTools(tuple(names), tuple(fates))


def word_for(tool: str, target: ToolGroups) -> str:
    """The group that a tool belongs to; empty where there is none."""
    meaning = meaning_of(tool)
    if meaning:
        return target.groups.get(meaning, "")
    parts = mcp_parts(tool)
    return target.mcp.format(server=parts[0], tool=parts[1]) if parts else ""


def _complement(agent: PluginAgent, target: ToolGroups) -> GroupedTools:
    """All groups without those that the author took away."""
    denied = {word_for(bare(each), target) for each in agent.disallowed_tools}
    if not agent.disallowed_tools:
        return GroupedTools(None)
    names = tuple(word for word in dict.fromkeys(target.groups.values()) if word not in denied)
    why = f"{target.label} knows only what is allowed: its own tools without those, and no tools of servers"
    return GroupedTools(names, (lost(APPROXIMATED, CHANGED_MEANING, agent, why, "disallowedTools"),))
