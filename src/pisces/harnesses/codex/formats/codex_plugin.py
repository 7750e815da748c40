"""A Codex plugin: `.codex-plugin/plugin.json`; a path in the manifest replaces the fixed place. No agents.

A path that leads nowhere is passed over. One of a wrong form counts as not written, but not for commands.

Skills are called `plugin:skill`. Codex converts commands to skills of that name when it installs the plugin.
"""

from __future__ import annotations

from pisces.discovery.harness import FinderOptions, Look
from pisces.discovery.options import GroupedHooks, MarkdownCommands, McpConfig, SkillFolders
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import PluginParts
from pisces.harnesses.codex import MANIFEST

_PREFIX = "{package}:"
_COMMANDS = MarkdownCommands(dialect="codex", prefix=_PREFIX, lenient=True)
_SKILLS = SkillFolders(needs=("description",), depth=6, hidden=False, prefix=_PREFIX, lenient=True)


def _part(key: str, default: str, then: FinderOptions) -> tuple[Look]:
    parts = PluginParts(MANIFEST, key, default, then, replaces=True, gaps=True, falls_back=key != "commands")
    return (Look(parts, "package:"),)


FORMAT = PackageFormat(
    id="codex-plugin",
    label="Codex plugin",
    manifest=MANIFEST,
    rank=52,
    harness="codex",
    looks={
        "commands": lambda: _part("commands", "commands", _COMMANDS),
        "skills": lambda: _part("skills", "skills", _SKILLS),
        "hooks": lambda: _part("hooks", "hooks/hooks.json", GroupedHooks(dialect="codex")),
        "mcp-servers": lambda: _part("mcpServers", ".mcp.json", McpConfig(flat=True, blank=True)),
    },
)
