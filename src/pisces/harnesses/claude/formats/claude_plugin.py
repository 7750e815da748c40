"""A Claude Code plugin: `.claude-plugin/plugin.json`, and components at fixed places or where the manifest says.

Names carry the plugin's: `/plugin:command`, skill and subagent `plugin:name`, server `plugin:plugin:server`. A skill is
named by its folder, and is a command too; subfolders of `commands` and `agents` become part of the name.
"""

from __future__ import annotations

from pisces.discovery.harness import Finder, Look
from pisces.discovery.options import GroupedHooks, MarkdownAgents, MarkdownCommands, McpConfig, SkillFolders
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import PluginParts
from pisces.harnesses.claude import MANIFEST, SkillCommands

_PREFIX = "{package}:"
_COMMANDS = MarkdownCommands(dialect="claude", prefix=_PREFIX, lenient=True, first_line=True, skills=True)
_SKILLS = SkillFolders(needs=(), name_from="folder", prefix=_PREFIX, lenient=True, first_line=True)
_SKILL_COMMANDS = SkillCommands(needs=(), name_from="folder", prefix=_PREFIX, lenient=True, first_line=True)
_AGENTS = MarkdownAgents(prefix=_PREFIX, lenient=True, recursive=True, nested=True)
_HOOKS = GroupedHooks(dialect="claude")
_SERVERS = McpConfig(flat=True, needs_type=True, switches=False, prefix="plugin:{package}:")

FORMAT = PackageFormat(
    id="claude-plugin",
    label="Claude Code plugin",
    manifest=MANIFEST,
    rank=20,
    harness="claude",
    root_variable="CLAUDE_PLUGIN_ROOT",
    skill_commands=lambda: (
        Look(PluginParts(MANIFEST, "skills", "skills", _SKILL_COMMANDS, lone="SKILL.md"), "package:"),
    ),
    looks={
        "commands": lambda: (
            Look(PluginParts(MANIFEST, "commands", "commands", _COMMANDS, replaces=True), "package:"),
        ),
        "skills": lambda: (Look(PluginParts(MANIFEST, "skills", "skills", _SKILLS, lone="SKILL.md"), "package:"),),
        "subagents": lambda: (Look(PluginParts(MANIFEST, "agents", "agents", _AGENTS, replaces=True), "package:"),),
        "hooks": lambda: (Look(PluginParts(MANIFEST, "hooks", "hooks/hooks.json", _HOOKS), "package:"),),
        "mcp-servers": lambda: (Look(PluginParts(MANIFEST, "mcpServers", ".mcp.json", _SERVERS), "package:"),),
        "settings": lambda: (Look(Finder("pisces.harnesses.claude.finders.user_config"), "package:"),),
    },
)
