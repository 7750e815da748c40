"""Claude Code: what it loads from the user's folder, the project, the machine's administrator and enabled plugins.

The order of each kind is Claude Code's own (version 2.1.325):
    skills         managed, user, project from the current directory up to the repository's root, plugins
    commands       as skills, and behind a skill of the same name; a skill is a command too: `/skill-name args`
    subagents      by name; of one name managed, project (nearest first), user, plugins; the header's name counts
    MCP servers    local (`~/.claude.json`, this project), project (`.mcp.json`), user, plugins
    hooks          all of them run: managed, local, project, user, plugins
    settings       managed, local, project, user; strict JSON, a byte order mark allowed
    context files  read from the general to the special: managed, user, then from the top of the file system down
The user's folder is `~/.claude`, movable by CLAUDE_CONFIG_DIR. A skill is named by its folder, its header only says how
it is shown, in a plugin too; only where a plugin, or a folder that its manifest names, is itself one skill, the
header's name counts (seen in 2.1.325).
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import FinderOptions, Harness, Look
from pisces.harnesses.claude.folders import MANAGED_FOLDER, USER_DIR, USER_DIR_VARIABLE

MANIFEST = ".claude-plugin/plugin.json"
CONTEXT_FILE = "CLAUDE.md"


class WithSettings(FinderOptions):
    """For the finders here that read settings files; `managed` is the folder of the machine's administrator."""

    FINDER: str
    managed: str = MANAGED_FOLDER


class SkillCommands(find.SkillFolders):
    """The same options as for skills: their commands are named alike."""

    FINDER = "pisces.harnesses.claude.finders.skill_commands"


_PLUGINS = Look(WithSettings("pisces.harnesses.claude.finders.plugins"))


def _managed(inside: str, then: FinderOptions) -> Look:
    return Look(find.Managed(MANAGED_FOLDER, inside, then))


def _project(inside: str, then: FinderOptions) -> Look:
    return Look(find.Upward((inside,), then), "cwd:")


def skill_looks(options: type[find.SkillFolders]) -> tuple[Look, ...]:
    """Where skills outside of plugins are looked for."""
    skills = options(
        needs=(), name_from="folder", first_line=True, lenient=True, not_with=MANIFEST, reserved=("synced",)
    )
    return _managed(".claude/skills", skills), Look(skills, "user:skills"), _project(".claude/skills", skills)


def _skills() -> tuple[Look, ...]:
    return *skill_looks(find.SkillFolders), _PLUGINS


def _documents() -> tuple[Look, ...]:
    return (
        _managed("", find.ContextWalk((CONTEXT_FILE,))),
        Look(find.ContextWalk((CONTEXT_FILE, "rules/*")), "user:"),
        Look(WithSettings("pisces.harnesses.claude.finders.context"), "cwd:"),
    )


HARNESS = Harness(
    id="claude",
    label="Claude Code",
    priority=80,
    user_dir=USER_DIR,
    user_dir_variable=USER_DIR_VARIABLE,
    project_dir=".claude",
    programs=("claude",),
    context_names=(CONTEXT_FILE,),
    manifests=(MANIFEST,),
    own_files=(
        ".mcp.json",
        "CLAUDE.local.md",
    ),
    home_files=(".claude.json",),
    states="pisces.harnesses.claude.states",
    skills_are_commands=True,
    verified="2.1.325, by its init event, `plugin validate` and `mcp get`, 2026-11",
    was_run=("packages", "commands", "skills", "subagents", "mcp-servers", "hooks", "context-files"),
    looks={
        "packages": lambda: (Look(WithSettings("pisces.harnesses.claude.finders.installed_plugins")),),
        "commands": lambda: (Look(WithSettings("pisces.harnesses.claude.finders.commands")),),
        "skills": _skills,
        "subagents": lambda: (Look(WithSettings("pisces.harnesses.claude.finders.subagents")),),
        "mcp-servers": lambda: (Look(WithSettings("pisces.harnesses.claude.finders.servers")), _PLUGINS),
        "hooks": lambda: (Look(WithSettings("pisces.harnesses.claude.finders.settings_hooks")), _PLUGINS),
        "context-files": _documents,
        "settings": lambda: (Look(WithSettings("pisces.harnesses.claude.finders.settings")), _PLUGINS),
    },
)
