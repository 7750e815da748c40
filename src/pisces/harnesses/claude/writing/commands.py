"""Commands as Markdown files. A skill of the same name would hide one, so that it gets another name."""

from __future__ import annotations

import re

from pisces.converting.assembling import left_fields
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost, mapped
from pisces.converting.names import UniqueNames, slug
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.claude.writing.texts import placeholder_fates, prompt_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginCommand

_KNOWN = ("name", "description", "argument-hint", "prompt", "content")
_SEGMENT = re.compile(r"[^A-Za-z0-9_.-]+")
_SKILL = "skill"  # a file of this name turns the whole folder into one skill


def written_commands(plugin: Plugin, _options: WriteOptions) -> Written:
    files: dict[str, OutputFile] = {}
    fates: list[Fate] = []
    names = UniqueNames((_SKILL, *(each.folder.rpartition("/")[2] or each.name for each in plugin.skills)))
    for command in plugin.commands:
        wanted = _path(command.name, plugin.name)
        path = names.unique(wanted)
        if path != wanted:
            why = f"in Claude Code a skill or another command has the name `{wanted}`: it is `{path}`"
            fates.append(lost(APPROXIMATED, CHANGED_MEANING, command, why, field="name"))
        output = f"commands/{path}.md"
        files[output] = OutputFile(output, markdown_text(_header(command), prompt_of(command.prompt)).encode())
        fates += placeholder_fates(command, command.prompt)
        fates += left_fields(command, _KNOWN, "Claude Code")
        fates.append(mapped(command, output))
    return Written(tuple(files.values()), tuple(fates))


def _header(command: PluginCommand) -> dict[str, Any]:
    values = {"description": command.description, "argument-hint": command.argument_hint}
    return {key: value for key, value in values.items() if value}


def _path(name: str, package: str) -> str:
    """What users type, as folders. The name of the package is in front of it anyway."""
    segments = [_SEGMENT.sub("-", each).strip(".-") for each in re.split("[:/]", name)]
    inner = [each for each in segments if each] or ["unnamed"]
    return "/".join(inner[1:] if len(inner) > 1 and inner[0] in (package, slug(package)) else inner)
