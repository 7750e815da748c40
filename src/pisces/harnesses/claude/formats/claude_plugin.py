"""A Claude Code plugin: `.claude-plugin/plugin.json`, and components at fixed places or where the manifest says.

Names carry the plugin's: `/plugin:command`, skill and subagent `plugin:name`, server `plugin:plugin:server`. A skill's
header names it before its folder does; subfolders of `commands` and `agents` become part of the name.
"""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat

_PARTS = "plugin_parts"
_NAMED = {"prefix": "{package}:", "lenient": True}

FORMAT = PackageFormat(
    id="claude-plugin",
    label="Claude Code plugin",
    manifest=".claude-plugin/plugin.json",
    rank=20,
    harness="claude",
    root_variable="CLAUDE_PLUGIN_ROOT",
    looks={
        "commands": (
            Look(
                _PARTS,
                "package:",
                {
                    "key": "commands",
                    "default": "commands",
                    "replaces": True,
                    "finder": "markdown_commands",
                    "options": {**_NAMED, "dialect": "claude", "first_line": True, "skills": True},
                },
            ),
        ),
        "skills": (
            Look(
                _PARTS,
                "package:",
                {
                    "key": "skills",
                    "default": "skills",
                    "lone": "SKILL.md",
                    "finder": "skill_folders",
                    "options": {**_NAMED, "needs": (), "first_line": True},
                },
            ),
        ),
        "subagents": (
            Look(
                _PARTS,
                "package:",
                {
                    "key": "agents",
                    "default": "agents",
                    "replaces": True,
                    "finder": "markdown_agents",
                    "options": {**_NAMED, "recursive": True, "nested": True},
                },
            ),
        ),
        "hooks": (
            Look(
                _PARTS,
                "package:",
                {"key": "hooks", "default": "hooks/hooks.json", "inline": "hooks_in", "finder": "grouped_hooks"},
            ),
        ),
        "mcp-servers": (
            Look(
                _PARTS,
                "package:",
                {
                    "key": "mcpServers",
                    "default": ".mcp.json",
                    "inline": "servers_in",
                    "finder": "mcp_config",
                    "options": {"flat": True, "needs_type": True, "switches": False, "prefix": "plugin:{package}:"},
                },
            ),
        ),
        "settings": (Look("claude.user_config", "package:"),),
    },
)
