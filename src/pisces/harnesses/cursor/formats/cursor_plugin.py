"""A Cursor plugin: `.cursor-plugin/plugin.json`, and components at fixed places or where the manifest says instead."""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat
from pisces.harnesses.cursor import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = ".cursor-plugin/plugin.json"


def _part(key: str, default: str, finder: str, options: Mapping[str, object], *, inline: str = "") -> Look:
    found = {"key": key, "default": default, "finder": finder, "options": options, "inline": inline}
    return Look("plugin_parts", "package:", {**found, "manifest": MANIFEST, "replaces": True, "plain": True})


FORMAT = PackageFormat(
    id="cursor-plugin",
    label="Cursor plugin",
    manifest=MANIFEST,
    rank=54,
    harness="cursor",
    looks={
        "commands": (_part("commands", "commands", "markdown_commands", {"dialect": "cursor", "lenient": True}),),
        "skills": (_part("skills", "skills", "skill_folders", {"lenient": True}),),
        "subagents": (_part("agents", "agents", "markdown_agents", {"needs": (), "lenient": True}),),
        "hooks": (
            _part(
                "hooks", "hooks/hooks.json", "flat_hooks", {"events": EVENTS, "dialect": "cursor"}, inline="hooks_in"
            ),
        ),
        "mcp-servers": (_part("mcpServers", "mcp.json", "mcp_config", {"flat": True}, inline="servers_in"),),
        "context-files": (_part("rules", "rules", "cursor.rules", {}),),
    },
)
