"""pisces itself: project before user, hidden folders not counted (seed 000)."""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, Harness, Look, project_then_user

_INDEX = "user:packages/index.json"
_INSTALLED = Look(Finder("pisces.harnesses.native.finders.installed_parts"), _INDEX)


def _packages() -> tuple[Look, ...]:
    extensions = find.Manifests(
        "gemini-extension.json", "gemini", message="Failed to parse", hidden=False, name_or=True
    )
    return (
        *project_then_user(extensions, "extensions"),
        Look(Finder("pisces.harnesses.native.finders.installed_packages"), _INDEX),
    )


def _commands() -> tuple[Look, ...]:
    markdown = find.MarkdownCommands(lenient=True, first_line=True)
    return (
        Look(find.TOML_COMMANDS, "project:commands"),
        Look(markdown, "project:commands"),
        Look(find.TOML_COMMANDS, "user:commands"),
        Look(markdown, "user:commands"),
        _INSTALLED,
    )


def _documents() -> tuple[Look, ...]:
    documents = find.ContextWalk(("AGENTS.md", "SYSTEM.md"))
    return Look(documents, "user:"), Look(documents, "project:"), _INSTALLED


HARNESS = Harness(
    id="native",
    label="pisces",
    priority=100,
    user_dir="~/.pisces/agent",
    project_dir=".pisces",
    user_dir_variable="PI_CODING_AGENT_DIR",
    verified="by its own tests",
    looks={
        "packages": _packages,
        "modules": lambda: (*project_then_user(find.Modules(gitignore=True), "extensions"), _INSTALLED),
        "commands": _commands,
        "skills": lambda: (
            *project_then_user(find.SkillFolders(needs=("description",), hidden=False, lenient=True), "skills"),
            _INSTALLED,
        ),
        "subagents": lambda: (*project_then_user(find.MarkdownAgents(lenient=True), "agents"), _INSTALLED),
        "mcp-servers": lambda: (
            *project_then_user(find.McpConfig(syntax="lenient"), "mcp.json"),
            Look(find.McpConfig(syntax="jsonc"), "project:settings.json"),
            _INSTALLED,
        ),
        "hooks": lambda: (*project_then_user(find.EventHooks("gemini"), "hooks/hooks.json"), _INSTALLED),
        "policies": lambda: (_INSTALLED,),
        "context-files": _documents,
        "settings": lambda: (
            Look(find.SettingsFiles(syntax="jsonc"), "project:settings.json"),
            Look(find.SettingsFiles(syntax="yaml"), "user:config.yml"),
            _INSTALLED,
        ),
        "themes": lambda: (*project_then_user(find.ThemeFiles(), "themes"), _INSTALLED),
    },
)
