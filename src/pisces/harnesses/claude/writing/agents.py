"""Subagents: tools by Claude Code's names and never more than the author allowed; models of others are left out."""

from __future__ import annotations

from pisces.converting.agent_tools import ToolNames, mapped_tools
from pisces.converting.assembling import left_fields
from pisces.converting.fate import DROPPED, LOST_AGENT, LOST_FIELD, WIDENED, WIDENED_TOOLS, lost, mapped
from pisces.converting.names import UniqueNames, slug
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.discovery.tool_names import names_for
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.claude.writing.texts import placeholder_fates, plain_text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent

_HARNESS, _LABEL = "claude", "Claude Code"
_KNOWN = ("name", "description", "tools", "disallowedTools", "model", "max_turns", "maxTurns", "kind")
_MODELS = ("sonnet", "opus", "haiku", "fable", "inherit")


def written_agents(plugin: Plugin, options: WriteOptions) -> Written:
    files: dict[str, OutputFile] = {}
    fates: list[Fate] = []
    names = UniqueNames()
    for agent in plugin.agents:
        tools = mapped_tools(agent, ToolNames(_HARNESS, _LABEL))
        fates += tools.fates
        if tools.tools == () and agent.tools and not options.widen:
            fates.append(lost(DROPPED, LOST_AGENT, agent, f"none of its tools exists in {_LABEL}"))
            continue
        name = names.unique(slug(agent.name))
        output = f"agents/{name}.md"
        files[name] = OutputFile(output, _text(agent, name, tools.tools, options).encode())
        fates += _fates(agent, tools.tools, options)
        fates.append(mapped(agent, output))
    return Written(tuple(files.values()), tuple(fates))


def _text(agent: PluginAgent, name: str, tools: tuple[str, ...] | None, options: WriteOptions) -> str:
    fields: dict[str, Any] = {"name": name, "description": agent.description or name}
    if tools is not None and not (options.widen and tools == ()):
        fields["tools"] = ", ".join(tools)
    forbidden = [names[0] for each in agent.disallowed_tools if (names := names_for(_HARNESS, each))]
    if forbidden:
        fields["disallowedTools"] = ", ".join(dict.fromkeys(forbidden))
    if _is_known_model(agent.model):
        fields["model"] = agent.model
    limit = agent.fields.get("max_turns") or agent.fields.get("maxTurns")
    if isinstance(limit, int) and limit > 0:
        fields["maxTurns"] = limit
    return markdown_text(fields, plain_text_of(agent.prompt))


def _fates(agent: PluginAgent, tools: tuple[str, ...] | None, options: WriteOptions) -> Iterator[Fate]:
    if agent.model and not _is_known_model(agent.model):
        why = f"{_LABEL} has no model `{agent.model}`: it uses that of the session"
        yield lost(DROPPED, LOST_FIELD, agent, why, field="model")
    if options.widen and tools == () and agent.tools:
        yield lost(WIDENED, WIDENED_TOOLS, agent, "it has no list of tools, which means all", field="tools")
    for each in agent.disallowed_tools:
        if not names_for(_HARNESS, each):
            why = f"{_LABEL} has no tool `{each}` that could be forbidden"
            yield lost(DROPPED, LOST_FIELD, agent, why, field="disallowedTools")
    yield from placeholder_fates(agent, agent.prompt)
    yield from left_fields(agent, _KNOWN, _LABEL)


def _is_known_model(model: str) -> bool:
    return model in _MODELS or model.startswith("claude-")
