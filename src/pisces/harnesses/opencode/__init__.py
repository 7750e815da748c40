"""OpenCode: what it merges last wins, so its folders come before its files, and the project's files before the user's.

Skills in its own folders come before those of `.agents` and `.claude`, the project's before the user's; the details
of the order are those of the finder `places`. Themes have the opposite order: here, repository, user.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look
from pisces.places import Places

_ENTRIES = Finder("pisces.harnesses.opencode.finders.entries")


class ConfigPlaces(FinderOptions):
    FINDER = "pisces.harnesses.opencode.finders.places"

    inside: tuple[str, ...] = ()  # what to look at in each folder, several names being one place
    then: FinderOptions | None = None  # for the finder that looks there
    files: FinderOptions | None = None  # for the finder that looks at the configuration files too


class OpenCode(Harness):
    """XDG_CONFIG_HOME moves the folder that holds the user's folder."""

    def user_path(self, places: Places) -> str:
        return places.absolute((places.env.get("XDG_CONFIG_HOME") or "~/.config") + "/opencode")


class OwnSkills(find.SkillFolders):
    FINDER = "pisces.harnesses.opencode.finders.skills"


def _modules() -> tuple[Look, ...]:
    modules = find.Modules((".ts", ".js"), indexes=(), manifests=(), types=True, hidden=True)
    return (Look(ConfigPlaces(("plugins", "plugin"), modules)),)


def _commands() -> tuple[Look, ...]:
    commands = find.MarkdownCommands(separator="/", name_field="name", lenient=True)
    return (Look(ConfigPlaces(("commands", "command"), commands, _ENTRIES)),)


def _skills() -> tuple[Look, ...]:
    skills = OwnSkills(needs=("name",), depth=12, lenient=True)
    return (
        Look(ConfigPlaces(("skills", "skill"), skills.replace(hidden=False))),
        Look(find.Upward((".agents/skills", ".claude/skills"), skills, outermost=True)),
        Look(skills, "home:.agents/skills"),
        Look(skills, "home:.claude/skills"),
    )


def _agents() -> tuple[Look, ...]:
    agents = find.MarkdownAgents(needs=(), separator="/", recursive=True, lenient=True)
    return (
        Look(ConfigPlaces(("modes", "mode"), find.MarkdownAgents(needs=(), lenient=True))),
        Look(ConfigPlaces(("agents", "agent"), agents, _ENTRIES)),
    )


HARNESS = OpenCode(
    id="opencode",
    label="OpenCode",
    priority=55,
    user_dir="~/.config/opencode",
    project_dir=".opencode",
    user_dir_variable="XDG_CONFIG_HOME",
    programs=("opencode",),
    own_files=("opencode.json", "opencode.jsonc"),
    side_by_side=("modules",),
    states="pisces.harnesses.opencode.states",
    home_files=(".opencode",),
    verified="by running 1.18.33 (servers, skills, agents, commands); the rest as its source says, 2026",
    was_run=("commands", "skills", "subagents", "mcp-servers", "modules"),
    looks={
        "modules": _modules,
        "commands": _commands,
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": lambda: (Look(Finder("pisces.harnesses.opencode.finders.servers")),),
        "context-files": lambda: (Look(Finder("pisces.harnesses.opencode.finders.context")),),
        "settings": lambda: (Look(ConfigPlaces(files=find.SettingsFiles("lenient"))),),
        "themes": lambda: (
            Look(find.Upward((".opencode/themes",), find.ThemeFiles())),
            Look(find.ThemeFiles(), "user:themes"),
        ),
    },
)
