"""Kiro, its editor and its command line: project before user; steering, hooks and AGENTS.md of all levels apply.

Agents are Markdown files of the editor and of version 3, or JSON files of the command line. Hooks of version 1 are JSON
files with a list; `*.kiro.hook` files and hooks inside agents are those of the generations before. Powers are not read.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, Harness, Look, project_then_user


def _agents() -> tuple[Look, ...]:
    in_markdown = find.MarkdownAgents(needs=(), lenient=True)
    in_json = Finder("pisces.harnesses.kiro.finders.json_agents")
    return (
        Look(in_markdown, "project:agents"),
        Look(in_json, "project:agents"),
        Look(in_markdown, "user:agents"),
        Look(in_json, "user:agents"),
    )


def _hooks() -> tuple[Look, ...]:
    hooks, in_agents = Finder("pisces.harnesses.kiro.finders.hooks"), find.FlatHooks()
    return (*project_then_user(hooks, "hooks"), *project_then_user(in_agents, "agents"))


def _documents() -> tuple[Look, ...]:
    steering = find.ContextWalk(("steering/*",))
    return Look(steering, "user:"), Look(steering, "project:"), Look(find.ContextWalk(("AGENTS.md",)), "cwd:")


def _settings() -> tuple[Look, ...]:
    permissions = find.SettingsFiles("yaml")
    return Look(find.SettingsFiles(), "user:settings/cli.json"), Look(permissions, "user:settings/permissions.yaml")


HARNESS = Harness(
    id="kiro",
    label="Kiro",
    priority=6,
    user_dir="~/.kiro",
    project_dir=".kiro",
    programs=("kiro-cli", "kiro"),
    states="pisces.harnesses.kiro.states",
    verified="documentation, 2026-11",
    looks={
        "commands": lambda: project_then_user(find.MarkdownCommands(recursive=False, lenient=True), "prompts"),
        "skills": lambda: project_then_user(find.SkillFolders(lenient=True), "skills"),
        "subagents": _agents,
        "mcp-servers": lambda: project_then_user(find.McpConfig(syntax="lenient"), "settings/mcp.json"),
        "hooks": _hooks,
        "context-files": _documents,
        "settings": _settings,
    },
)
