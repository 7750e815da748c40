"""A Codex plugin: `.codex-plugin/plugin.json`; a path in the manifest replaces the fixed place. No agents.

Skills are called `plugin:skill`. Codex turns commands into skills of that name when it installs the plugin.
"""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = ".codex-plugin/plugin.json"


def _part(key: str, default: str, finder: str, options: Mapping[str, object], *, inline: str = "") -> Look:
    found = {"key": key, "default": default, "finder": finder, "options": options, "inline": inline}
    return Look("plugin_parts", "package:", {**found, "manifest": MANIFEST, "replaces": True})


FORMAT = PackageFormat(
    id="codex-plugin",
    label="Codex plugin",
    manifest=MANIFEST,
    rank=52,
    harness="codex",
    looks={
        "commands": (
            _part(
                "commands",
                "commands",
                "markdown_commands",
                {"prefix": "{package}:", "dialect": "codex", "lenient": True},
            ),
        ),
        "skills": (
            _part(
                "skills",
                "skills",
                "skill_folders",
                {"prefix": "{package}:", "needs": ("description",), "depth": 6, "hidden": False, "lenient": True},
            ),
        ),
        "hooks": (_part("hooks", "hooks/hooks.json", "grouped_hooks", {"dialect": "codex"}, inline="hooks_in"),),
        "mcp-servers": (_part("mcpServers", ".mcp.json", "mcp_config", {"flat": True}, inline="servers_in"),),
    },
)
