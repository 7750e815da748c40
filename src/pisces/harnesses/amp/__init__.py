"""Amp: workspace settings before the user's, plugins too; but of two skills with one name the user's counts.

Settings are those of the nearest `.amp` folder up to the repository's root. Guidance is one file a folder, from here
up to the home folder, beside the user's own; files in subfolders count when something there is read. Hooks, commands
and subagents exist only as code, in plugins. Skills that settings point to (`amp.skills.path`) and those in Claude
Code's plugin cache are not listed. Facts: Amp's documentation as others quote it, 2026-09 and 2026-10.
"""

from __future__ import annotations

import sys

from pisces.discovery import options as find
from pisces.discovery.harness import FinderOptions, Harness, Look
from pisces.places import Places

SETTINGS = ("settings.json", "settings.jsonc")
MANAGED_FOLDER = {
    "darwin": "/Library/Application Support/ampcode",
    "win32": r"C:\ProgramData\ampcode",
}.get(sys.platform, "/etc/ampcode")
_OWN_SKILLS = ("home:.config/agents/skills", "home:.agents/skills", "user:skills")


class Amp(Harness):
    """XDG_CONFIG_HOME moves the folder that holds the user's folder."""

    def user_path(self, places: Places) -> str:
        return places.absolute((places.env.get("XDG_CONFIG_HOME") or "~/.config") + "/amp")


def _of_settings(then: FinderOptions) -> tuple[Look, ...]:
    nearest = find.Upward(tuple(f".amp/{name}" for name in SETTINGS), then, first=True)
    return Look(nearest), *(Look(then, f"user:{name}") for name in SETTINGS)


def _of_skills(then: FinderOptions) -> tuple[Look, ...]:
    return (
        *(Look(then, at) for at in _OWN_SKILLS),
        Look(find.Upward((".agents/skills", ".claude/skills"), then)),
        Look(then, "home:.claude/skills"),
    )


def _servers() -> tuple[Look, ...]:
    in_settings = find.McpConfig(keys=("amp.mcpServers",), syntax="lenient")
    in_skills = find.SkillServers("mcp.json", find.McpConfig(flat=True))
    return *_of_settings(in_settings), *_of_skills(in_skills)


def _modules() -> tuple[Look, ...]:
    modules = find.Modules((".ts", ".js"), indexes=("index.ts", "index.js"), manifests=())
    return Look(modules, "project:plugins"), Look(modules, "user:plugins")


def _documents() -> tuple[Look, ...]:
    names = ("AGENTS.md", "AGENT.md", "CLAUDE.md")
    return (
        Look(find.ContextWalk(("AGENTS.md",)), "user:"),
        Look(find.ContextWalk(("AGENTS.md",)), "home:.config"),
        Look(find.ContextWalk(names, walk=True, home=True, first=True)),
    )


HARNESS = Amp(
    id="amp",
    label="Amp",
    priority=22,
    user_dir="~/.config/amp",
    project_dir=".amp",
    programs=("amp",),
    context_names=("AGENT.md",),
    home_files=(".config/AGENTS.md",),
    states="pisces.harnesses.amp.states",
    verified="documentation, 2026-11",
    looks={
        "modules": _modules,
        "skills": lambda: _of_skills(find.SkillFolders()),
        "mcp-servers": _servers,
        "context-files": _documents,
        "settings": lambda: (
            Look(find.Managed(MANAGED_FOLDER, "managed-settings.json", find.SettingsFiles("lenient"))),
            *_of_settings(find.SettingsFiles("lenient")),
        ),
    },
)
