"""A plugin of Droid: `.factory-plugin/plugin.json`, and components at fixed places under their own names.

A Claude Code plugin becomes one when it is installed: Droid then moves its manifest and its subagents.
"""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.options import McpConfig
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import PluginParts
from pisces.harnesses.factory import AGENTS, COMMANDS, HOOKS, MANIFEST, SKILLS

FORMAT = PackageFormat(
    id="factory-plugin",
    label="Droid plugin",
    manifest=MANIFEST,
    rank=56,
    harness="factory",
    root_variable="DROID_PLUGIN_ROOT",
    looks={
        "commands": lambda: (Look(COMMANDS, "package:commands"),),
        "skills": lambda: (Look(SKILLS, "package:skills"),),
        "subagents": lambda: (Look(AGENTS, "package:droids"),),
        "hooks": lambda: (Look(PluginParts(MANIFEST, "hooks", "hooks/hooks.json", HOOKS, plain=True), "package:"),),
        "mcp-servers": lambda: (Look(McpConfig(flat=True, syntax="lenient"), "package:mcp.json"),),
    },
)
