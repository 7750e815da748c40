"""A Claude Code plugin: `.claude-plugin/plugin.json`, and components at fixed places or where the manifest says.

Names carry the plugin's: `/plugin:command`, skill and subagent `plugin:name`, server `plugin:plugin:server`. A skill is
named by its folder, and is a command too; `skills/SKILL.md` is the only skill of its plugin. Subfolders of `commands`
and `agents` become part of the name, and every one of them counts. Claude Code takes a folder without a manifest too:
it counts as a plugin here where its files say that it was meant as one.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import Finder, Look, all_harnesses
from pisces.discovery.options import GroupedHooks, MarkdownAgents, MarkdownCommands, McpConfig, SkillFolders
from pisces.discovery.package_format import PackageFormat, ReadPackage, read_manifest
from pisces.discovery.package_options import PluginParts
from pisces.files import Unreadable, entries, is_folder, read_text
from pisces.formats.json import parse_marked
from pisces.harnesses.claude import MANIFEST, SkillCommands
from pisces.places import Places
from pisces.shapes.package import Package

_PREFIX = "{package}:"
_COMMANDS = MarkdownCommands(
    dialect="claude", prefix=_PREFIX, lenient=True, first_line=True, skills=True, any_case=True, skipped=()
)
_SKILLS = SkillFolders(
    needs=(), name_from="folder", root=True, prefix=_PREFIX, plain=True, lenient=True, first_line=True
)
_SKILL_COMMANDS = SkillCommands(needs=(), name_from="folder", root=True, prefix=_PREFIX, lenient=True, first_line=True)
_AGENTS = MarkdownAgents(needs=(), prefix=_PREFIX, lenient=True, recursive=True, nested=True, any_case=True, skipped=())
_HOOKS = GroupedHooks(dialect="claude", needs_text=True)
_SERVERS = McpConfig(flat=True, needs_type=True, switches=False, blank=True, prefix="plugin:{package}:")
_HOOK_FILE = "hooks/hooks.json"
# Two of these make a folder without a manifest a plugin; one is too little, since other folders have them too.
_ENOUGH = 2


def _fits(folder: str) -> bool:
    if os.path.lexists(os.path.join(folder, *MANIFEST.split("/"))):
        return True
    return _looks_like_plugin(folder) and not _is_known(folder)


def _looks_like_plugin(folder: str) -> bool:
    if os.path.isfile(os.path.join(folder, ".lsp.json")) or _has_hooks(folder):
        return True
    kinds = (
        _has_markdown(os.path.join(folder, "commands")),
        _has_markdown(os.path.join(folder, "agents")),
        any(os.path.isfile(os.path.join(each.path, "SKILL.md")) for each in entries(os.path.join(folder, "skills"))),
        os.path.isfile(os.path.join(folder, ".mcp.json")),
    )
    return any(kinds[:2]) and sum(kinds) >= _ENOUGH


def _is_known(folder: str) -> bool:
    """Whether the folder has the manifest of some harness, or lists plugins instead of being one."""
    manifests = [name for harness in all_harnesses() for name in (*harness.manifests, *harness.marks)]
    others = (*manifests, ".claude-plugin", "package.json", "pyproject.toml", "SKILL.md")
    return any(os.path.lexists(os.path.join(folder, *name.split("/"))) for name in others)


def _has_hooks(folder: str) -> bool:
    try:
        text = read_text(os.path.join(folder, *_HOOK_FILE.split("/")))
    except Unreadable:
        return False
    if '"version"' in text:  # Cursor's and Copilot's
        return False
    return any(f'"{event}"' in text for event in ("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop")) or (
        "CLAUDE_PLUGIN_ROOT" in text or ('"SessionStart"' in text and '"type"' in text)
    )


def _has_markdown(folder: str) -> bool:
    """Files such as `x.agent.md` are Copilot's."""
    return any(
        each.name.endswith(".md") and each.name.count(".") == 1 and each.name.lower() != "readme.md"
        for each in entries(folder)
        if not is_folder(each)
    )


def _read(folder: str, places: Places) -> ReadPackage:
    if os.path.lexists(FORMAT.manifest_path(folder)):
        return read_manifest(folder, FORMAT, parse_marked)
    name = os.path.basename(os.path.abspath(places.absolute(folder)))
    return ReadPackage(Package(name, folder, {}, FORMAT.id), True)


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
        "hooks": lambda: (Look(PluginParts(MANIFEST, "hooks", _HOOK_FILE, _HOOKS), "package:"),),
        "mcp-servers": lambda: (Look(PluginParts(MANIFEST, "mcpServers", ".mcp.json", _SERVERS), "package:"),),
        "settings": lambda: (Look(Finder("pisces.harnesses.claude.finders.user_config"), "package:"),),
    },
    fits_folder=_fits,
    reader=_read,
    optional=True,
)
