"""A package as a Codex plugin: skills, hooks and servers. Commands are skills here, so that each of them arrives.

Codex turns commands into skills itself, but only short ones with a description and without a placeholder, and says
nothing of the others. Subagents are no part of plugins: they are written beside the rest, for the user to copy.
"""

from __future__ import annotations

from pisces.converting.assembling import assembled, other_files, rest_fates, whole_copy
from pisces.converting.fate import DROPPED, LOST_COMPONENT, lost
from pisces.converting.leftovers import manifest_fates
from pisces.converting.writer import Writer, Written
from pisces.harnesses.codex.writing.agents import written_agents
from pisces.harnesses.codex.writing.hooks import written_hooks
from pisces.harnesses.codex.writing.manifest import CARRIED, written_manifest
from pisces.harnesses.codex.writing.servers import written_servers
from pisces.harnesses.codex.writing.skills import written_skills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.plugin import Plugin
    from pisces.converting.writer import WriteOptions

LABEL = "Codex"
_PARTS = (written_manifest, written_skills, written_agents, written_hooks, written_servers)
_FOLDERS = ("commands/", "skills/", ".codex-plugin/", ".claude-plugin/", ".cursor-plugin/")
_FILES = ("plugin.json", "hooks/hooks.json", ".mcp.json", ".app.json")


def write(plugin: Plugin, options: WriteOptions) -> Written:
    if plugin.format == WRITER.format:
        return whole_copy(plugin)
    parts = [part(plugin, options) for part in _PARTS]
    why = "Codex asks users of a plugin for nothing: they set the variable themselves"
    settings = (lost(DROPPED, LOST_COMPONENT, each, why).replace(fix=_fix(each.variable)) for each in plugin.settings)
    fates = (*manifest_fates(plugin, CARRIED, LABEL), *settings, *rest_fates(plugin, LABEL))
    return assembled((*parts, other_files(plugin, _is_component, LABEL), Written((), fates)))


def _fix(variable: str) -> str:
    return f"say in the readme that `{variable}` has to be set" if variable else ""


def _is_component(path: str) -> bool:
    return path.startswith(_FOLDERS) or path in _FILES


WRITER = Writer("codex", LABEL, "codex-plugin", write)
