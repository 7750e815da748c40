"""A Qwen Code extension: `qwen-extension.json` and folders with fixed names beside it; commands in both formats."""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat
from pisces.harnesses.qwen import EVENTS

MANIFEST = "qwen-extension.json"
_OPTIONS = {"manifest": MANIFEST}
_HOOKS = {
    "key": "hooks",
    "default": "hooks/hooks.json",
    "manifest": MANIFEST,
    "plain": True,
    "replaces": True,
    "inline": "hooks_in",
    "finder": "grouped_hooks",
    "options": {"dialect": "qwen", "events": EVENTS},
}

FORMAT = PackageFormat(
    id="qwen",
    label="Qwen Code extension",
    manifest=MANIFEST,
    rank=50,
    harness="qwen",
    looks={
        "commands": (
            Look("markdown_commands", "package:commands", {"dialect": "qwen"}),
            Look("toml_commands", "package:commands"),
        ),
        "skills": (Look("skill_folders", "package:skills"),),
        "subagents": (Look("markdown_agents", "package:agents"),),
        "hooks": (Look("plugin_parts", "package:", _HOOKS),),
        "mcp-servers": (Look("manifest_servers", options=_OPTIONS),),
        "context-files": (Look("manifest_context", options={"default": "QWEN.md"}),),
        "settings": (Look("manifest_settings", options=_OPTIONS),),
    },
)
