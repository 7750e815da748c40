"""Qwen Code: project before user before extensions; `.mcp.json` stands between the project's and the user's settings.

Context files, rules and hooks of all levels apply. Extensions are the user's, unless disabled for this folder; a
clash renames an extension's command, and hides an extension's skill, agent or server.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, Harness, Look, project_then_user

EVENTS = frozenset(
    """
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
    SessionStart Stop MessageDisplay SubagentStart SubagentStop PreCompact PostCompact SessionEnd SessionDelete
    PermissionRequest PermissionDenied StopFailure TodoCreated TodoCompleted InstructionsLoaded
    """.split()
)
MANIFEST = "qwen-extension.json"
INSTALL_FILE = ".qwen-extension-install.json"  # of a linked extension: where it is
CONTEXT_FILE = "QWEN.md"
_FROM_PACKAGES = Look(find.OWN_PACKAGES)


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders()
    return (
        Look(skills, "project:skills"),
        Look(skills, "cwd:.agents/skills"),
        Look(skills, "user:skills"),
        Look(skills, "home:.agents/skills"),
        _FROM_PACKAGES,
    )


def _servers() -> tuple[Look, ...]:
    places = ("project:settings.json", "cwd:.mcp.json", "user:settings.json")
    return *(Look(find.McpConfig(syntax="jsonc"), at) for at in places), _FROM_PACKAGES


def _documents() -> tuple[Look, ...]:
    names = (CONTEXT_FILE, "AGENTS.md")
    return (
        Look(find.ContextWalk((*names, "rules/*")), "user:"),
        Look(find.ContextWalk(names, walk=True)),
        Look(find.ContextWalk((".qwen/QWEN.local.md", ".qwen/rules/*"), walk=True)),
        _FROM_PACKAGES,
    )


HARNESS = Harness(
    id="qwen",
    label="Qwen Code",
    priority=45,
    user_dir="~/.qwen",
    project_dir=".qwen",
    user_dir_variable="QWEN_HOME",
    programs=("qwen",),
    context_names=(CONTEXT_FILE,),
    manifests=(MANIFEST,),
    states="pisces.harnesses.qwen.states",
    verified="as its source says, 2026",
    looks={
        "packages": lambda: (Look(Finder("pisces.harnesses.qwen.finders.packages"), "user:extensions"),),
        "commands": lambda: (Look(Finder("pisces.harnesses.qwen.finders.commands")),),
        "skills": _skills,
        "subagents": lambda: (*project_then_user(find.MarkdownAgents(), "agents"), _FROM_PACKAGES),
        "mcp-servers": _servers,
        "hooks": lambda: (
            *project_then_user(find.GroupedHooks(events=EVENTS, syntax="jsonc"), "settings.json"),
            _FROM_PACKAGES,
        ),
        "context-files": _documents,
        "settings": lambda: (*project_then_user(find.SettingsFiles("jsonc"), "settings.json"), _FROM_PACKAGES),
    },
)
