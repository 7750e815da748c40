"""pisces itself: project before user, hidden folders not counted (seed 000)."""

from __future__ import annotations

from pisces.discovery.harness import Finder, Harness, Look, project_then_user
from pisces.discovery.options import (
    TOML_COMMANDS,
    ContextWalk,
    EventHooks,
    Manifests,
    MarkdownAgents,
    MarkdownCommands,
    McpConfig,
    Modules,
    SettingsFiles,
    SkillFolders,
    ThemeFiles,
)

_INDEX = "user:packages/index.json"
_INSTALLED = Look(Finder("pisces.harnesses.native.finders.installed_parts"), _INDEX)


def _packages() -> tuple[Look, ...]:
    extensions = Manifests("gemini-extension.json", "gemini", message="Failed to parse", hidden=False, name_or=True)
    return (
        *project_then_user(extensions, "extensions"),
        Look(Finder("pisces.harnesses.native.finders.installed_packages"), _INDEX),
    )


def _commands() -> tuple[Look, ...]:
    markdown = MarkdownCommands(lenient=True, first_line=True)
    return (
        Look(TOML_COMMANDS, "project:commands"),
        Look(markdown, "project:commands"),
        Look(TOML_COMMANDS, "user:commands"),
        Look(markdown, "user:commands"),
        _INSTALLED,
    )


def _documents() -> tuple[Look, ...]:
    documents = ContextWalk(("AGENTS.md", "SYSTEM.md"))
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
        "modules": lambda: (*project_then_user(Modules(gitignore=True), "extensions"), _INSTALLED),
        "commands": _commands,
        "skills": lambda: (
            *project_then_user(SkillFolders(needs=("description",), hidden=False, lenient=True), "skills"),
            _INSTALLED,
        ),
        "subagents": lambda: (*project_then_user(MarkdownAgents(lenient=True), "agents"), _INSTALLED),
        "mcp-servers": lambda: (
            *project_then_user(McpConfig(syntax="lenient"), "mcp.json"),
            Look(McpConfig(syntax="jsonc"), "project:settings.json"),
            _INSTALLED,
        ),
        "hooks": lambda: (*project_then_user(EventHooks("gemini"), "hooks/hooks.json"), _INSTALLED),
        "policies": lambda: (_INSTALLED,),
        "context-files": _documents,
        "settings": lambda: (
            Look(SettingsFiles(syntax="jsonc"), "project:settings.json"),
            Look(SettingsFiles(syntax="yaml"), "user:config.yml"),
            _INSTALLED,
        ),
        "themes": lambda: (*project_then_user(ThemeFiles(), "themes"), _INSTALLED),
    },
)
