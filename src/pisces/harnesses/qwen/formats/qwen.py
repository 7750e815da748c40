"""A Qwen Code extension: `qwen-extension.json` and folders with fixed names beside it; commands in both formats."""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.options import TOML_COMMANDS, GroupedHooks, MarkdownAgents, MarkdownCommands, SkillFolders
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import ManifestContext, ManifestServers, ManifestSettings, PluginParts
from pisces.harnesses.qwen import CONTEXT_FILE, EVENTS, INSTALL_FILE, MANIFEST

_HOOKS = PluginParts(
    MANIFEST, "hooks", "hooks/hooks.json", GroupedHooks(dialect="qwen", events=EVENTS), replaces=True, plain=True
)

FORMAT = PackageFormat(
    id="qwen",
    label="Qwen Code extension",
    manifest=MANIFEST,
    rank=50,
    harness="qwen",
    note=INSTALL_FILE,
    looks={
        "commands": lambda: (
            Look(MarkdownCommands(dialect="qwen"), "package:commands"),
            Look(TOML_COMMANDS, "package:commands"),
        ),
        "skills": lambda: (Look(SkillFolders(), "package:skills"),),
        "subagents": lambda: (Look(MarkdownAgents(), "package:agents"),),
        "hooks": lambda: (Look(_HOOKS, "package:"),),
        "mcp-servers": lambda: (Look(ManifestServers(MANIFEST)),),
        "context-files": lambda: (Look(ManifestContext(CONTEXT_FILE)),),
        "settings": lambda: (Look(ManifestSettings(MANIFEST)),),
    },
)
