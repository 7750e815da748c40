"""A package as a Claude Code plugin. One file a component; this one puts them together."""

from __future__ import annotations

from pisces.converting.assembling import assembled, other_files, rest_fates, whole_copy
from pisces.converting.leftovers import manifest_fates
from pisces.converting.writer import Writer, Written
from pisces.harnesses.claude.writing.agents import written_agents
from pisces.harnesses.claude.writing.commands import written_commands
from pisces.harnesses.claude.writing.hooks import written_hooks, written_own_hooks
from pisces.harnesses.claude.writing.manifest import CARRIED, written_manifest
from pisces.harnesses.claude.writing.servers import written_servers
from pisces.harnesses.claude.writing.skills import written_skills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.plugin import Plugin
    from pisces.converting.writer import WriteOptions

LABEL = "Claude Code"
_PARTS = (written_manifest, written_agents, written_skills, written_commands, written_hooks, written_servers)
_FOLDERS = (
    "commands/",
    "agents/",
    "skills/",
    "output-styles/",
    "themes/",
    "monitors/",
    "workflows/",
    ".claude-plugin/",
)
_FILES = ("hooks/hooks.json", ".mcp.json", ".lsp.json", "settings.json", "SKILL.md")


def write(plugin: Plugin, options: WriteOptions) -> Written:
    if plugin.format == WRITER.format:
        return whole_copy(plugin)
    parts = [part(plugin, options) for part in _PARTS]
    rest = Written((), (*manifest_fates(plugin, CARRIED, LABEL), *rest_fates(plugin, LABEL)))
    return assembled((*parts, other_files(plugin, _is_component, LABEL), rest))


def _is_component(path: str) -> bool:
    return path.startswith((*_FOLDERS, ".claude-plugin/")) or path in _FILES


WRITER = Writer(
    "claude",
    LABEL,
    "claude-plugin",
    write,
    {"commands": written_commands, "agents": written_agents, "hooks": written_own_hooks},
)
