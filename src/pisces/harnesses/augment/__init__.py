"""Augment's Auggie: managed, local, project, user settings; of commands the user's come first, then Claude Code's.

Rules and guidelines of all places apply. Servers and hooks stand in the settings files; hooks of all of them run.
Skills are also those of Claude Code and `.agents`. Plugins are not listed: where they are installed is not documented.
Facts: Augment's documentation of the command line 1.x and its list of changes, 2026-06 and later.
"""

from __future__ import annotations

import sys

from pisces.discovery import options as find
from pisces.discovery.harness import FinderOptions, Harness, Look, project_then_user

_EVENTS = frozenset("PreToolUse PostToolUse Stop SessionStart SessionEnd PromptSubmit Notification".split())
_MANAGED = {"win32": r"C:\ProgramData\augment"}.get(sys.platform, "/etc/augment")
_GUIDELINES = ".augment-guidelines"


def _of_settings(then: FinderOptions) -> tuple[Look, ...]:
    places = ("project:settings.local.json", "project:settings.json", "user:settings.json")
    return Look(find.Managed(_MANAGED, "settings.json", then)), *(Look(then, at) for at in places)


def _commands() -> tuple[Look, ...]:
    commands = find.MarkdownCommands(lenient=True)
    places = ("user:commands", "project:commands", "home:.claude/commands", "cwd:.claude/commands")
    return tuple(Look(commands, at) for at in places)


def _skills() -> tuple[Look, ...]:
    skills, of_others = find.SkillFolders(), (".claude/skills", ".agents/skills")
    return (
        Look(skills, "project:skills"),
        *(Look(skills, f"cwd:{folder}") for folder in of_others),
        Look(skills, "user:skills"),
        *(Look(skills, f"home:{folder}") for folder in of_others),
    )


def _documents() -> tuple[Look, ...]:
    names = ("CLAUDE.md", "AGENTS.md", _GUIDELINES, ".augment/rules/*")
    return (
        Look(find.ContextWalk(names, (".md", ".mdx")), "cwd:"),
        Look(find.ContextWalk(("rules/*",), (".md", ".mdx")), "user:"),
    )


HARNESS = Harness(
    id="augment",
    label="Augment",
    priority=14,
    user_dir="~/.augment",
    project_dir=".augment",
    programs=("auggie",),
    context_names=(_GUIDELINES,),
    marks=(".augment-plugin",),
    states="pisces.harnesses.augment.states",
    verified="documentation, 2026-11",
    looks={
        "commands": _commands,
        "skills": _skills,
        "subagents": lambda: project_then_user(find.MarkdownAgents(needs=("name",), lenient=True), "agents"),
        "mcp-servers": lambda: _of_settings(find.McpConfig(syntax="lenient")),
        "hooks": lambda: _of_settings(find.GroupedHooks(events=_EVENTS, syntax="lenient")),
        "context-files": _documents,
        "settings": lambda: _of_settings(find.SettingsFiles("lenient")),
    },
)
