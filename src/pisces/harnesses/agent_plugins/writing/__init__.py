"""A package as an Agent Plugin 1.0: skills and servers for every client.

Commands, subagents and hooks are no part of the standard. They are in the folder of our own namespace, in the words of
Claude Code, where pisces finds them and other clients do not look.
"""

from __future__ import annotations

from pisces.converting.assembling import assembled, other_files, rest_fates, whole_copy
from pisces.converting.fate import DROPPED, LOST_COMPONENT, lost
from pisces.converting.leftovers import manifest_fates
from pisces.converting.writer import Writer, Written
from pisces.harnesses.agent_plugins.namespaces import NAMESPACES
from pisces.harnesses.agent_plugins.writing.manifest import CARRIED, written_manifest
from pisces.harnesses.agent_plugins.writing.namespaced import written_namespace
from pisces.harnesses.agent_plugins.writing.servers import written_servers
from pisces.harnesses.agent_plugins.writing.skills import written_skills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin
    from pisces.converting.writer import WriteOptions

LABEL = "Agent Plugins"
_PARTS = (written_manifest, written_skills, written_servers, written_namespace)
_FOLDERS = ("skills/", *(f"{each}/" for each in NAMESPACES))
_FILES = ("plugin.json", "mcp.json")


def write(plugin: Plugin, options: WriteOptions) -> Written:
    if plugin.format == WRITER.format:
        return whole_copy(plugin)
    parts = [part(plugin, options) for part in _PARTS]
    fates = (*manifest_fates(plugin, CARRIED, LABEL), *_without_place(plugin), *rest_fates(plugin, LABEL))
    return assembled((*parts, other_files(plugin, _is_component, LABEL), Written((), fates)))


def _without_place(plugin: Plugin) -> Iterator[Fate]:
    for item in (*plugin.settings, *plugin.contexts):
        yield lost(DROPPED, LOST_COMPONENT, item, f"{LABEL} has no place for a {item.kind}")


def _is_component(path: str) -> bool:
    return path.startswith(_FOLDERS) or path in _FILES


WRITER = Writer("agent-plugin", LABEL, "agent-plugin", write)
