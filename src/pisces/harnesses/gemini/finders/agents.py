"""Subagents as Gemini CLI loads them: `*.md` directly in the folder, no links, no leading `_`, a strict header."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.files import Unreadable, entries, is_folder, read_text
from pisces.formats.fit import Misfit
from pisces.formats.frontmatter import split
from pisces.formats.malformed import Malformed
from pisces.formats.yaml import parse, place_of
from pisces.harnesses.gemini.agent_shape import header_misfits, is_remote
from pisces.shapes.subagent import Subagent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SUFFIX = ".md"

AGENT_UNREADABLE = Rule("agent-unreadable", ERROR, "A subagent file cannot be read")
AGENT_NO_HEADER = Rule("agent-no-header", ERROR, "A subagent file does not start with a YAML header")
AGENT_YAML = Rule("agent-yaml", ERROR, "A subagent's header is not valid YAML")
AGENT_HEADER = Rule("agent-header", ERROR, "A subagent's header has a key or value that is not accepted")
AGENT_HIDDEN = Rule("agent-not-looked-at", WARNING, "A subagent file is not looked at")

_HINTS = {
    "color": "Claude Code's `color` has no counterpart: remove it",
    "mcpServers": "Gemini CLI spells it `mcp_servers`",
    "maxTurns": "Gemini CLI spells it `max_turns`",
    "permissionMode": "there is no counterpart: use a policy",
    "skills": "there is no counterpart: name the skills in the text",
    "disallowedTools": "list the tools that are allowed under `tools` instead",
}


def find(where: Where) -> FinderResults:
    found = entries(where.path)
    if not found and os.path.exists(where.path) and not os.path.isdir(where.path):
        yield AGENT_UNREADABLE.at(
            where.path, "the place for subagents is not a folder", about=os.path.basename(where.path)
        )
    for entry in found:
        if entry.is_file(follow_symlinks=False) and entry.name.endswith(SUFFIX) and not entry.name.startswith("_"):
            for read in read_agents(entry):
                yield read if isinstance(read, Diagnostic) else where.found(read)
        elif where.package:
            yield from _hidden(entry)


def read_agents(file: os.DirEntry[str]) -> list[Subagent | Diagnostic]:
    """The subagents of one file (remote ones come as a list), or why there are none."""
    path = file.path
    about = os.path.basename(path)[: -len(SUFFIX)]
    try:
        text = read_text(file)
    except Unreadable as error:
        return [AGENT_UNREADABLE.at(path, f"the subagent file {error.message}", about=about)]
    header = split(text)
    if header is None:
        return [AGENT_NO_HEADER.at(path, "the file does not start with a `---` header", place=(1, 1), about=about)]
    try:
        values = parse(header.header)
    except Malformed as error:
        place = (error.line + header.first_line - 1, error.column)
        return [AGENT_YAML.at(path, error.message, place=place, about=about)]
    misfits = header_misfits(values)
    if misfits:
        places = (place_of(header.header, misfit.path) for misfit in misfits)
        return [
            _refused(path, misfit, (line + header.first_line - 1, column), values, about)
            for misfit, (line, column) in zip(misfits, places, strict=True)
        ]
    return list(_agents(path, values, header.body))


def _agents(path: str, values: Any, prompt: str) -> Iterator[Subagent]:
    kind = "remote" if is_remote(values) else "local"
    for index, each in enumerate(values if isinstance(values, list) else [values]):
        tools = tuple(each["tools"]) if "tools" in each else None
        name, description, model = each["name"], each.get("description", ""), each.get("model", "")
        keys = (index,) if isinstance(values, list) else ()
        yield Subagent(name, description, path, each, prompt, kind, tools, model, keys)


def _refused(path: str, misfit: Misfit, place: tuple[int, int], values: Any, about: str) -> Diagnostic:
    field = ".".join(str(part) for part in misfit.path)
    message = misfit.message if misfit.unknown or not field else f"`{field}` {misfit.message}"
    return AGENT_HEADER.at(path, message, place=place, hint=_hint(misfit, values), about=about)


def _hint(misfit: Misfit, values: Any) -> str:
    if misfit.unknown:
        return _HINTS.get(str(misfit.path[-1]), "")
    if misfit.path[:1] == ("tools",):
        if len(misfit.path) == 2:
            hint: str = export_of("pisces.harnesses.gemini", "tools", "hint_for")(str(values["tools"][misfit.path[1]]))
            return hint
        return "write a list: one `- tool_name` a line"
    return ""


def _hidden(entry: os.DirEntry[str]) -> Diagnostics:
    if is_folder(entry):
        nested = [inner for inner in entries(entry.path) if inner.name.endswith(SUFFIX)]
        for inner in nested:
            about = inner.name[: -len(SUFFIX)]
            yield AGENT_HIDDEN.at(inner.path, f"`{entry.name}/{inner.name}` lies in a folder", about=about)
    elif entry.name.endswith(SUFFIX) and entry.is_symlink():
        about = entry.name[: -len(SUFFIX)]
        yield AGENT_HIDDEN.at(entry.path, f"`{entry.name}` is a link", about=about)
