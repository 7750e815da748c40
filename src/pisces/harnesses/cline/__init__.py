"""Cline: of skills and workflows with one name the last read counts, which is the user's; agents of the project win.

Its command line, its SDK and its editor extensions share these folders. Rules, hooks and plugins of all levels apply.
`.clinerules` is the old name of `.cline` in a project, and may be a single file. `.cursorrules` and `.windsurfrules`
appear in the editor's rules panel, but no prompt contains them. Toggles of that panel are state of the editor.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look, project_then_user

_SUFFIXES = (".md", ".markdown", ".txt")
_DOCUMENTS = "home:Documents/Cline"


class SettingsPlace(FinderOptions):
    """A file among Cline's data, which have a variable that moves them all and one for each file."""

    FINDER = "pisces.harnesses.cline.finders.settings_place"

    name: str
    variable: str  # names the file itself
    then: FinderOptions


def _modules() -> tuple[Look, ...]:
    plugins = Finder("pisces.harnesses.cline.finders.plugins")
    return (*project_then_user(plugins, "plugins"), Look(plugins, f"{_DOCUMENTS}/Plugins"))


def _commands() -> tuple[Look, ...]:
    workflows = find.MarkdownCommands(recursive=False, suffixes=_SUFFIXES, name_field="name")
    return (
        *project_then_user(workflows, "workflows"),
        Look(workflows, f"{_DOCUMENTS}/Workflows"),
        Look(workflows, "cwd:.clinerules/workflows"),
    )


def _skills() -> tuple[Look, ...]:
    in_project = (".agents/skills", ".claude/skills", ".cline/skills", ".clinerules/skills")
    places = ("home:.agents/skills", "user:skills", *(f"cwd:{folder}" for folder in in_project))
    return tuple(Look(find.SkillFolders(needs=()), at) for at in places)


def _hooks() -> tuple[Look, ...]:
    hooks = Finder("pisces.harnesses.cline.finders.hooks")
    places = (f"{_DOCUMENTS}/Hooks", "user:hooks", "cwd:.clinerules/hooks", "project:hooks")
    return tuple(Look(hooks, at) for at in places)


def _documents() -> tuple[Look, ...]:
    rules = Finder("pisces.harnesses.cline.finders.rules")
    return (
        Look(find.ContextWalk(("AGENTS.md",)), "cwd:"),
        Look(rules, "cwd:.clinerules"),
        Look(rules, "project:rules"),
        Look(find.ContextWalk((".agents/AGENTS.md",)), "home:"),
        Look(rules, "user:rules"),
        Look(rules, f"{_DOCUMENTS}/Rules"),
    )


def _stored(name: str, variable: str, then: FinderOptions) -> tuple[Look]:
    return (Look(SettingsPlace(name, variable, then)),)


HARNESS = Harness(
    id="cline",
    label="Cline",
    priority=8,
    user_dir="~/.cline",
    project_dir=".cline",
    user_dir_variable="CLINE_DIR",
    programs=("cline",),
    context_names=(".clinerules",),
    home_files=("Documents/Cline",),
    states="pisces.harnesses.cline.states",
    verified="its source, SDK 0.0.78 and extension 4.1.13, 2026-11",
    looks={
        "modules": _modules,
        "commands": _commands,
        "skills": _skills,
        "subagents": lambda: project_then_user(find.MarkdownAgents(suffixes=(".yaml", ".yml"), lenient=True), "agents"),
        "mcp-servers": lambda: _stored("cline_mcp_settings.json", "CLINE_MCP_SETTINGS_PATH", find.McpConfig()),
        "hooks": _hooks,
        "context-files": _documents,
        "settings": lambda: _stored("global-settings.json", "CLINE_GLOBAL_SETTINGS_PATH", find.SettingsFiles()),
    },
)
