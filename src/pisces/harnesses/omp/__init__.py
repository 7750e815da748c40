"""oh-my-pi: project before user, first seen wins; of SYSTEM.md, RULES.md and AGENTS.md the nearest `.omp` counts.

PI_CONFIG_DIR renames the user's `.omp`; the project's keeps its name. PI_CODING_AGENT_DIR is left to pisces itself.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, Harness, Look, project_then_user
from pisces.places import Places


class OhMyPi(Harness):
    """The user's folder is `agent` below `~/.omp`, whatever PI_CONFIG_DIR calls that."""

    def user_path(self, places: Places) -> str:
        return places.absolute(f"~/{places.env.get('PI_CONFIG_DIR') or '.omp'}/agent")


def _packages() -> tuple[Look, ...]:
    extensions = find.Manifests(
        "gemini-extension.json", "gemini", message="Failed to parse", hidden=False, name_or=True
    )
    return project_then_user(extensions, "extensions")


def _modules() -> tuple[Look, ...]:
    suffixes, indexes = (".ts", ".js"), ("index.ts", "index.js")
    manifests = (("package.json", ("omp",)), ("package.json", ("pi",)))
    modules = find.Modules(suffixes, indexes, manifests, fallback=False, patterns=False, types=True)
    return project_then_user(modules, "extensions")


def _commands() -> tuple[Look, ...]:
    commands = find.MarkdownCommands(recursive=False, first_line=True, lenient=True)
    return *project_then_user(commands, "commands"), *project_then_user(commands, "prompts")


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders(needs=("description",), hidden=False, lenient=True)
    return Look(find.Upward((".omp/skills",), skills)), Look(skills, "user:skills")


def _documents() -> tuple[Look, ...]:
    names = ("RULES.md", "AGENTS.md")
    return (
        Look(find.FirstFound(("SYSTEM.md",), upward=True)),
        Look(find.FirstFound(names, places=("user",))),
        Look(find.FirstFound(names, places=("project",), upward=True)),
        *project_then_user(find.ContextWalk(("rules/*",), suffixes=(".md", ".mdc")), ""),
    )


HARNESS = OhMyPi(
    id="omp",
    label="oh-my-pi",
    priority=90,
    user_dir="~/.omp/agent",
    project_dir=".omp",
    user_dir_variable="PI_CONFIG_DIR",
    programs=("omp",),
    states="pisces.harnesses.omp.states",
    verified="by running 18.2.3 (modules); switches as its source says",
    was_run=("modules",),
    looks={
        "packages": _packages,
        "modules": _modules,
        "commands": _commands,
        "skills": _skills,
        "subagents": lambda: project_then_user(find.MarkdownAgents(lenient=True), "agents"),
        "mcp-servers": lambda: (
            Look(find.McpConfig(), "project:mcp.json"),
            Look(find.McpConfig(), "project:.mcp.json"),
            Look(find.McpConfig(), "user:mcp.json"),
            Look(find.McpConfig(), "user:.mcp.json"),
        ),
        "hooks": lambda: project_then_user(Finder("pisces.harnesses.omp.finders.hooks"), "hooks"),
        "context-files": _documents,
        "settings": lambda: (
            Look(find.SettingsFiles("yaml"), "project:config.yml"),
            Look(find.SettingsFiles(), "project:settings.json"),
            Look(find.SettingsFiles("yaml"), "user:config.yml"),
            Look(find.SettingsFiles(), "user:settings.json"),
        ),
        "themes": lambda: (Look(find.ThemeFiles(), "user:themes"),),
    },
)
