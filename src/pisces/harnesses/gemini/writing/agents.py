"""Subagents: flat files with a strict header, tools by Gemini CLI's names and never more than the author allowed.

The text of an agent is a template: a `${name}` that is no input of it makes every call of the agent fail.
"""

from __future__ import annotations

import re

from pisces.converting.agent_tools import ALL, MappedTools, ToolNames, bare, mapped_tools
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_AGENT,
    LOST_FIELD,
    LOST_TOOL,
    WIDENED,
    WIDENED_TOOLS,
    lost,
    mapped,
)
from pisces.converting.writer import OutputFile, Written
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.gemini.known_tools import BUILT_IN
from pisces.harnesses.gemini.writing.descriptions import described, left_out, renamed
from pisces.harnesses.gemini.writing.names import ID, LABEL, is_left_out, is_recursion
from pisces.harnesses.gemini.writing.plan import AGENTS
from pisces.harnesses.gemini.writing.spelling import filled_in
from pisces.harnesses.gemini.writing.texts import InstructionText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginAgent
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

SKILL_TOOL = "activate_skill"
_HANDLED = ("name", "description", "tools", "disallowedTools", "model", "maxTurns", "max_turns", "skills")
_NOT_FOR_AGENTS = ("invoke_agent", "update_topic", "complete_task")
_EVERYTHING = (*(each for each in BUILT_IN if each not in _NOT_FOR_AGENTS), "mcp_*")
_FAMILIES = {"opus": "pro", "fable": "pro", "haiku": "flash", "sonnet": ""}
_FILLED_IN = ("extensionPath", "workspacePath")
_TEMPLATE = re.compile(r"\$\{(?P<name>\w+)\}(?P<more>\w?)")


def written_agents(plan: ExtensionPlan) -> Written:
    plugin, options = plan.plugin, plan.options
    files: list[OutputFile] = []
    fates: list[Fate] = []
    for agent in plugin.agents:
        if is_left_out(agent, options):
            fates.append(left_out(agent))
            continue
        tools = _tools(agent, plan)
        fates += tools.fates
        if tools.tools == ():
            fates.append(lost(DROPPED, LOST_AGENT, agent, f"none of its tools exists in {LABEL}", field="tools"))
            continue
        file, more = _file(agent, tools.tools, plan)
        files.append(file)
        fates += [mapped(agent, file.path), *more]
    return Written(tuple(files), tuple(fates))


def _file(agent: PluginAgent, tools: tuple[str, ...] | None, plan: ExtensionPlan) -> tuple[OutputFile, list[Fate]]:
    name = plan.names.agents[agent.path]
    writer = InstructionText(agent, plan, filled_in(plan).replace(setting=("", "")))
    body = _without_templates(writer.text())
    described_as = plan.references.in_prose(described(agent))
    fields: dict[str, Any] = {"name": name, "description": described_as}
    if agent.name.lower() != name:
        fields["display_name"] = agent.name
    preloaded, sentence, fates = _skills(agent, plan)
    if tools is not None:
        fields["tools"] = list(dict.fromkeys((*tools, *preloaded)))
    for key, found, loss in (_model(agent), _most_steps(agent)):
        fates += loss
        if found:
            fields[key] = found
    fates += [
        *renamed(agent, agent.name, name),
        *writer.fates,
        *plan.lost_fields(agent, _HANDLED, f"an agent of {LABEL} has no"),
        *([mapped(agent, f"{AGENTS}/{name}.md", "disallowedTools")] if agent.disallowed_tools else []),
    ]
    data = markdown_text(fields, sentence + body).encode("utf-8", "replace")
    return OutputFile(f"{AGENTS}/{name}.md", data), fates


def _tools(agent: PluginAgent, plan: ExtensionPlan) -> MappedTools:
    """With `widen` an agent that would be left without a tool has all of them."""
    started = [each for each in agent.tools or () if is_recursion(bare(each))]
    why = f"an agent of {LABEL} cannot start another one"
    fates = [lost(DROPPED, LOST_TOOL, agent, f"{why}: `{each}` is left out", field="tools") for each in started]
    listed = None if agent.tools is None else tuple(each for each in agent.tools if each not in started)
    everything = _EVERYTHING
    if any(each.startswith("mcp__") for each in agent.disallowed_tools) and (listed is None or ALL in listed):
        everything = _EVERYTHING[:-1]
        why = "a single tool of a server cannot be denied: it has no tool of any server"
        fates.append(lost(DROPPED, LOST_TOOL, agent, why, field="disallowedTools"))
    found = mapped_tools(agent.replace(tools=listed), ToolNames(ID, LABEL, everything, plan.names.server_tool))
    fates += found.fates
    if found.tools == () and plan.options.widen:
        why = "none of its tools is left, so it has no list and may use all tools"
        return MappedTools(None, (*fates, lost(WIDENED, WIDENED_TOOLS, agent, why, field="tools")))
    return MappedTools(found.tools, tuple(fates))


def _skills(agent: PluginAgent, plan: ExtensionPlan) -> tuple[list[str], str, list[Fate]]:
    """Skills that are there from the start: the agent is asked to load them."""
    listed = agent.fields.get("skills")
    names = re.split(r"[\s,]+", listed) if isinstance(listed, str) else listed if isinstance(listed, list) else []
    wanted = [str(each).removeprefix(f"{plan.plugin.name}:") for each in names if each]
    found = [plan.references.skills[each] for each in wanted if each in plan.references.skills]
    fates = [
        lost(DROPPED, LOST_FIELD, agent, f"there is no skill `{each}` in the package", field="skills")
        for each in wanted
        if each not in plan.references.skills
    ]
    if not found:
        return [], "", fates
    why = f"{LABEL} loads no skill for an agent: it is asked to do so"
    fates.append(lost(APPROXIMATED, CHANGED_MEANING, agent, why, field="skills"))
    spelled = ", ".join(f"`{each}`" for each in found)
    return [SKILL_TOOL], f"Before anything else, load these skills with the tool `{SKILL_TOOL}`: {spelled}.\n\n", fates


def _model(agent: PluginAgent) -> tuple[str, str, list[Fate]]:
    model = agent.model.lower()
    if not model or model == "inherit":
        return "model", model, []
    family = next((each for each in _FAMILIES if each in model), None)
    if family is None:
        why = f"`{agent.model}` is no model of {LABEL}: the agent has that of the session"
        return "model", "", [lost(DROPPED, LOST_FIELD, agent, why, field="model")]
    new = _FAMILIES[family]
    why = f"`{agent.model}` is " + (f"`{new}`" if new else "the model of the session")
    return "model", new, [lost(APPROXIMATED, CHANGED_MEANING, agent, why, field="model")]


def _most_steps(agent: PluginAgent) -> tuple[str, int, list[Fate]]:
    key = next((each for each in ("maxTurns", "max_turns") if each in agent.fields), "")
    steps = agent.fields.get(key)
    if key and (not isinstance(steps, int) or isinstance(steps, bool) or steps < 1):
        return "max_turns", 0, [lost(DROPPED, LOST_FIELD, agent, "it is no number of steps", field=key)]
    return "max_turns", steps or 0, []


def _without_templates(text: str) -> str:
    """`${name}` in a spelling that Gemini CLI leaves alone and that means the same in a shell or in a script."""

    def spelled(found: re.Match[str]) -> str:
        name = found["name"]
        if name in _FILLED_IN:
            return found[0]
        if name != name.upper():
            return f"${{ {name} }}{found['more']}"
        return f"${{{name}:-}}{found['more']}" if found["more"] else f"${name}"

    return _TEMPLATE.sub(spelled, text)
