"""A package as a Gemini CLI extension. One file a component; this one puts them together."""

from __future__ import annotations

from pisces.converting.writer import OutputFile, WriteOptions, Writer, Written
from pisces.harnesses.gemini.writing.agents import written_agents
from pisces.harnesses.gemini.writing.commands import written_commands
from pisces.harnesses.gemini.writing.files import copied_files
from pisces.harnesses.gemini.writing.hooks import written_hooks
from pisces.harnesses.gemini.writing.manifest import written_manifest
from pisces.harnesses.gemini.writing.names import ID, LABEL
from pisces.harnesses.gemini.writing.plan import plan_of
from pisces.harnesses.gemini.writing.skills import written_skills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.converting.plugin import Plugin
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

    Part = Callable[[ExtensionPlan], Written]

# Each part writes its own files and answers for its own items.
_PARTS: tuple[Part, ...] = (written_manifest, written_agents, written_skills, written_commands, written_hooks)


def write(plugin: Plugin, options: WriteOptions) -> Written:
    plan = plan_of(plugin, options)
    parts = [part(plan) for part in _PARTS]
    files: dict[str, OutputFile] = {}
    for each in (*(file for part in parts for file in part.files), *copied_files(plan)):
        files.setdefault(each.path, each)
    ordered = tuple(files[path] for path in sorted(files))
    servers = {name: entry for part in parts for name, entry in part.servers.items()}
    return Written(ordered, tuple(fate for part in parts for fate in part.fates), servers)


WRITER = Writer(ID, LABEL, "gemini", write)
