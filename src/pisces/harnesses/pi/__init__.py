"""pi: project before user, and everything that is written by hand before packages; `.agents/skills` comes along.

AGENTS.md, or else CLAUDE.md, of the user and of every folder from the top down to here is used; of SYSTEM.md and
APPEND_SYSTEM.md only the project's or else the user's.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Harness, Look, project_then_user


def _modules() -> tuple[Look, ...]:
    suffixes, indexes = (".ts", ".js"), ("index.ts", "index.js")
    modules = find.Modules(suffixes, indexes, (("package.json", ("pi",)),), root=True, types=True)
    return project_then_user(modules, "extensions")


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders(needs=("description",), depth=12, loose=True, hidden=False)
    return (
        Look(skills, "project:skills"),
        Look(find.Upward((".agents/skills",), skills)),
        Look(skills, "user:skills"),
        Look(skills, "home:.agents/skills"),
    )


def _documents() -> tuple[Look, ...]:
    names = ("AGENTS.md", "CLAUDE.md")
    return (
        Look(find.FirstFound(("SYSTEM.md", "APPEND_SYSTEM.md"))),
        Look(find.ContextWalk(names, first=True), "user:"),
        Look(find.ContextWalk(names, first=True, walk=True, top=True)),
    )


HARNESS = Harness(
    id="pi",
    label="pi",
    priority=65,
    user_dir="~/.pi/agent",
    project_dir=".pi",
    programs=("pi",),
    states="pisces.harnesses.pi.states",
    verified="by running 0.73.1 (modules, prompts); the rest as its source says, 2026",
    was_run=("commands", "modules"),
    looks={
        "modules": _modules,
        "commands": lambda: project_then_user(find.MarkdownCommands(recursive=False, first_line=True), "prompts"),
        "skills": _skills,
        "context-files": _documents,
        "settings": lambda: project_then_user(find.SettingsFiles(), "settings.json"),
        "themes": lambda: project_then_user(find.ThemeFiles("name"), "themes"),
    },
)
