"""A Cursor plugin: `.cursor-plugin/plugin.json`, and components at fixed places or where the manifest says instead."""

from __future__ import annotations

from pisces.discovery.harness import FinderOptions, Look
from pisces.discovery.options import FlatHooks, MarkdownAgents, MarkdownCommands, McpConfig, SkillFolders
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import PluginParts
from pisces.harnesses.cursor import EVENTS, MANIFEST, RULES


def _part(key: str, default: str, then: FinderOptions) -> tuple[Look]:
    return (Look(PluginParts(MANIFEST, key, default, then, replaces=True, plain=True), "package:"),)


FORMAT = PackageFormat(
    id="cursor-plugin",
    label="Cursor plugin",
    manifest=MANIFEST,
    rank=54,
    harness="cursor",
    looks={
        "commands": lambda: _part("commands", "commands", MarkdownCommands(dialect="cursor", lenient=True)),
        "skills": lambda: _part("skills", "skills", SkillFolders(lenient=True)),
        "subagents": lambda: _part("agents", "agents", MarkdownAgents(needs=(), lenient=True)),
        "hooks": lambda: _part("hooks", "hooks/hooks.json", FlatHooks(EVENTS, dialect="cursor")),
        "mcp-servers": lambda: _part("mcpServers", "mcp.json", McpConfig(flat=True)),
        "context-files": lambda: _part("rules", "rules", RULES),
    },
)
