"""A plugin of the Copilot CLI: components at fixed places or where the manifest says instead.

The manifest is `.plugin/plugin.json`, else `plugin.json`, else `.github/plugin/plugin.json`. A `plugin.json` that names
the schema of Agent Plugins is an Agent Plugin; one without a schema is Copilot's where it names components or where
files that Agent Plugins do not have stand beside it.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderOptions, Look
from pisces.discovery.options import MarkdownCommands, McpConfig, SkillFolders
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import PluginParts
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.harnesses.copilot import AGENTS, HOOKS, MANIFEST, OTHER_MANIFESTS

COMPONENTS = ("agents", "skills", "commands", "hooks", "mcpServers", "lspServers")
_ROOT = "plugin.json"
_BESIDE = (
    *("agents", "commands", "hooks.json", "hooks", ".mcp.json", ".github/mcp.json"),
    *(".lsp.json", "lsp.json", ".github/lsp.json", "SKILL.md"),
)
_PREFIX = "{package}:"
_AGENTS = AGENTS.replace(suffixes=(".agent.md",), prefix=_PREFIX)
_COMMANDS = MarkdownCommands(dialect="claude", prefix=_PREFIX, lenient=True)
_SERVERS = McpConfig(flat=True, syntax="lenient", blank=True)


def _fits(folder: str) -> bool:
    if any(os.path.lexists(os.path.join(folder, *name.split("/"))) for name in (MANIFEST, OTHER_MANIFESTS[1])):
        return True
    path = os.path.join(folder, _ROOT)
    if not os.path.lexists(path):
        return False
    try:
        manifest = parse(read_text(path))
    except (Unreadable, Malformed):
        return False
    if not isinstance(manifest, dict) or "$schema" in manifest or "name" not in manifest:
        return False
    beside = any(os.path.lexists(os.path.join(folder, *name.split("/"))) for name in _BESIDE)
    return beside or any(key in manifest for key in COMPONENTS)


def _part(key: str, default: str, then: FinderOptions, *others: str) -> tuple[Look]:
    parts = PluginParts(
        MANIFEST,
        key,
        default,
        then,
        replaces=True,
        plain=True,
        other_manifests=OTHER_MANIFESTS,
        other_defaults=others,
    )
    return (Look(parts, "package:"),)


def _skills() -> tuple[Look]:
    (look,) = _part("skills", "skills", SkillFolders(lenient=True, prefix=_PREFIX))
    return (look.replace(options=look.options.replace(lone="SKILL.md")),)


FORMAT = PackageFormat(
    id="copilot-plugin",
    label="Copilot plugin",
    manifest=MANIFEST,
    other_manifests=OTHER_MANIFESTS,
    rank=56,
    harness="copilot",
    looks={
        "commands": lambda: _part("commands", "commands", _COMMANDS),
        "skills": _skills,
        "subagents": lambda: _part("agents", "agents", _AGENTS),
        "hooks": lambda: _part("hooks", "hooks.json", HOOKS.replace(dialect="copilot"), "hooks/hooks.json"),
        "mcp-servers": lambda: _part("mcpServers", ".mcp.json", _SERVERS, ".github/mcp.json"),
    },
    fits_folder=_fits,
)
