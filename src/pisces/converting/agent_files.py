"""Subagents as Markdown files with a header of the target's own, each under a name that is used once."""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, lost, mapped
from pisces.converting.names import UniqueNames, slug
from pisces.converting.spelling import Spelling, spelled
from pisces.converting.writer import OutputFile, Written
from pisces.formats.yaml_text import markdown_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent

_EVERYWHERE = ("name", "description", "tools", "disallowedTools", "model")


class AgentHeader(Value):
    """`fields` come behind name and description; None means that the subagent is not written. `read` are the keys of
    the source that `fields` stand for.
    """

    fields: Mapping[str, Any] | None
    fates: tuple[Fate, ...] = ()
    read: tuple[str, ...] = ()


class AgentTarget(Value):
    """`suffix` is that of the files. `header` is what the target says of a subagent beside name and description."""

    spelling: Spelling
    header: Callable[[PluginAgent], AgentHeader]
    folder: str = "agents"
    suffix: str = ".md"
    with_name: bool = True


def written_agent_files(plugin: Plugin, target: AgentTarget) -> Written:
    files: list[OutputFile] = []
    fates: list[Fate] = []
    names = UniqueNames()
    for agent in plugin.agents:
        header = target.header(agent)
        fates += header.fates
        if header.fields is None:
            continue
        name = _name(agent, names)
        path = f"{target.folder}/{name}{target.suffix}"
        text = spelled(agent, agent.prompt, target.spelling)
        named = {"name": name} if target.with_name else {}
        described = {**named, "description": agent.description or agent.name, **header.fields}
        files.append(OutputFile(path, markdown_text(described, text.text).encode("utf-8", "replace")))
        fates += [mapped(agent, path), *text.fates, *_fates(agent, name, header.read, target.spelling.label)]
    return Written(tuple(files), tuple(fates))


def _name(agent: PluginAgent, names: UniqueNames) -> str:
    """Of two with one name, the second has its folder before it."""
    name = slug(agent.name)
    if name in names and agent.folders:
        name = slug("-".join((*agent.folders, agent.name)))
    return names.unique(name)


def _fates(agent: PluginAgent, name: str, read: tuple[str, ...], label: str) -> list[Fate]:
    found = []
    if name != agent.name:
        found.append(lost(APPROXIMATED, CHANGED_MEANING, agent, f"the subagent is called `{name}`", "name"))
    if agent.model not in ("", "inherit") and "model" not in read:
        why = f"`{agent.model}` is a model of another program: {label} takes the one that is in use"
        found.append(lost(APPROXIMATED, LOST_FIELD, agent, why, "model"))
    known = (*_EVERYWHERE, *read)
    others = (key for key in agent.fields if key not in known)
    found += [lost(DROPPED, LOST_FIELD, agent, f"{label} does not read `{key}`", key) for key in others]
    return found
