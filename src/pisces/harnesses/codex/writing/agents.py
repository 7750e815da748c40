"""Subagents as TOML files in `agents`. Codex reads them only from a user's or a project's own folder.

It knows no list of tools. What may only read gets a read-only sandbox; what may run command lines may do the rest with
them. What may write files and not run command lines cannot be said, so that it is not written.
"""

from __future__ import annotations

from pisces.converting.assembling import left_fields
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_AGENT,
    LOST_COMPONENT,
    LOST_FIELD,
    WIDENED,
    WIDENED_TOOLS,
    lost,
)
from pisces.converting.names import UniqueNames, slug
from pisces.converting.spelling import Spelling, spelled
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.discovery import tool_names as to
from pisces.formats.toml_text import toml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent

_SPELLING = Spelling("Codex")
_SANDBOX = "sandbox_mode"
_READ_ONLY = frozenset(
    (to.READ, to.LIST, to.FIND, to.SEARCH, to.FETCH, to.WEB_SEARCH, to.TODOS, to.TASKS, to.ASK, to.SKILL, to.SLASH)
)
_KNOWN = ("name", "description", "tools", "disallowedTools", "model")
_FOLDER = "~/.codex/agents"


def written_agents(plugin: Plugin, options: WriteOptions) -> Written:
    files: dict[str, OutputFile] = {}
    fates: list[Fate] = []
    names = UniqueNames()
    for agent in plugin.agents:
        sandbox = _sandbox(agent)
        if sandbox is None and not options.widen:
            why = "Codex knows no list of tools: the subagent could run command lines, which it may not"
            fates.append(lost(DROPPED, LOST_AGENT, agent, why))
            continue
        name = names.unique(slug(agent.name))
        path = f"agents/{name}.toml"
        text = spelled(agent, agent.prompt, _SPELLING)
        values: dict[str, Any] = {"name": name, "description": agent.description or name}
        values |= {_SANDBOX: sandbox} if sandbox else {}
        values["developer_instructions"] = text.text.strip() or agent.description or name
        files[name] = OutputFile(path, toml_text(values).encode())
        fix = f"copy `{path}` to `{_FOLDER}`"
        why = "Codex takes no subagents from plugins"
        fates.append(lost(APPROXIMATED, LOST_COMPONENT, agent, why).replace(output=path, fix=fix))
        fates += (*text.fates, *_fates(agent, sandbox), *left_fields(agent, _KNOWN, "Codex"))
    return Written(tuple(files.values()), tuple(fates))


def _sandbox(agent: PluginAgent) -> str | None:
    """Empty where there is no limit; None where the limit cannot be said."""
    if agent.tools is None:
        return "" if not agent.disallowed_tools else _without(agent)
    meanings = {to.meaning_of(each.partition("(")[0].strip()) for each in agent.tools}
    if "*" in agent.tools or any(to.meaning_of(each) == to.SHELL for each in agent.tools):
        return "" if not agent.disallowed_tools else _without(agent)
    return "read-only" if meanings <= {*_READ_ONLY, ""} else None


def _without(agent: PluginAgent) -> str | None:
    """All tools but some: a subagent that may write nothing only reads."""
    denied = {to.meaning_of(each.partition("(")[0].strip()) for each in agent.disallowed_tools}
    if {to.WRITE, to.EDIT} <= denied:
        return "read-only"
    return None if to.SHELL in denied else ""


def _fates(agent: PluginAgent, sandbox: str | None) -> Iterator[Fate]:
    if agent.model:
        yield lost(DROPPED, LOST_FIELD, agent, f"Codex has no model `{agent.model}`", field="model")
    limits = {"tools": agent.tools is not None, "disallowedTools": bool(agent.disallowed_tools)}
    for field in (field for field, is_there in limits.items() if is_there):
        if sandbox is None:
            yield lost(WIDENED, WIDENED_TOOLS, agent, "Codex knows no list of tools: it may use all", field=field)
            continue
        what = "its sandbox is read-only" if sandbox else "it may run command lines, and so do the rest with them"
        yield lost(APPROXIMATED, CHANGED_MEANING, agent, f"Codex knows no list of tools: {what}", field=field)
