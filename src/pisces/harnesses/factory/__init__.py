"""Factory's Droid: managed, then the repository's root, folders below it, the user; for servers the other way round.

For servers the user comes first, then the nearer folder. Hooks of all levels run; of one level the first of
`hooks.json`, `hooks/hooks.json` and the settings counts. Guidance files and rules of all levels apply. Plugins are
those on record for the project or the user, unless settings switch them off; their parts keep their own names. Facts:
Factory's documentation of 2026-07, and public notes about droid 0.161 to 0.171 for where plugins are recorded.
"""

from __future__ import annotations

import sys

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look

MANIFEST = ".factory-plugin/plugin.json"
EVENTS = frozenset(
    """
    PreToolUse PostToolUse Notification UserPromptSubmit Stop SubagentStop PreCompact SessionStart SessionEnd
    """.split()
)
COMMANDS = Finder("pisces.harnesses.factory.finders.commands")
HOOKS = Finder("pisces.harnesses.factory.finders.hooks")
SKILLS = find.SkillFolders(needs=(), also="skill.mdx", lenient=True)
AGENTS = find.MarkdownAgents(needs=("name",), lenient=True)
MANAGED_FOLDER = {
    "darwin": "/Library/Application Support/Factory",
    "win32": r"C:\Program Files\Factory",
}.get(sys.platform, "/etc/factory")
SETTINGS = ("settings.local.json", "settings.json")
_FROM_PACKAGES = Look(find.OWN_PACKAGES)


def _managed(then: FinderOptions) -> Look:
    return Look(find.Managed(MANAGED_FOLDER, "settings.json", then))


def _levels(inside: str, then: FinderOptions) -> tuple[Look, Look]:
    return Look(find.Upward((f".factory/{inside}",), then, outermost=True)), Look(then, f"user:{inside}")


def _skills() -> tuple[Look, ...]:
    return *_levels("skills", SKILLS), Look(SKILLS, "cwd:.agent/skills"), _FROM_PACKAGES


def _servers() -> tuple[Look, ...]:
    servers = find.McpConfig(syntax="lenient")
    return Look(servers, "user:mcp.json"), Look(find.Upward((".factory/mcp.json",), servers)), _FROM_PACKAGES


def _documents() -> tuple[Look, ...]:
    names = ("AGENTS.md", "CLAUDE.md")
    return (
        Look(find.ContextWalk(("AGENTS.md", "rules/*")), "user:"),
        Look(find.ContextWalk((*names, ".factory/rules/*"), walk=True)),
    )


def _settings() -> tuple[Look, ...]:
    settings = find.SettingsFiles("lenient")
    inside = tuple(f".factory/{name}" for name in SETTINGS)
    return (
        _managed(settings),
        Look(find.Upward(inside, settings, outermost=True)),
        *(Look(settings, f"user:{name}") for name in SETTINGS),
    )


def _packages() -> tuple[Look, ...]:
    plugins, record = Finder("pisces.harnesses.factory.finders.plugins"), "plugins/installed_plugins.json"
    return Look(plugins, f"project:{record}"), Look(plugins, f"user:{record}")


HARNESS = Harness(
    id="factory",
    label="Factory Droid",
    priority=20,
    user_dir="~/.factory",
    project_dir=".factory",
    programs=("droid",),
    manifests=(MANIFEST,),
    states="pisces.harnesses.factory.states",
    verified="documentation, 2026-11",
    looks={
        "packages": _packages,
        "commands": lambda: (*_levels("commands", COMMANDS), _FROM_PACKAGES),
        "skills": _skills,
        "subagents": lambda: (*_levels("droids", AGENTS), _FROM_PACKAGES),
        "mcp-servers": _servers,
        "hooks": lambda: (
            _managed(find.GroupedHooks(events=EVENTS, syntax="lenient")),
            Look(find.Upward((".factory",), HOOKS, outermost=True)),
            Look(HOOKS, "user:"),
            _FROM_PACKAGES,
        ),
        "context-files": _documents,
        "settings": _settings,
    },
)
