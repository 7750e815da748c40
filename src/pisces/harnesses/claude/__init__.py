"""Claude Code: what it loads from the user's folder, the project, the machine's administrator and enabled plugins.

The order of each kind is Claude Code's own (its documentation of August 2026, version 2.1.240):
    skills         managed, user, project from the current directory up to the repository's root, plugins
    commands       as skills, and behind a skill of the same name
    subagents      managed, project (nearest first), user, plugins; the header's name counts, subfolders do not
    MCP servers    local (`~/.claude.json`, this project), project (`.mcp.json`), user, plugins
    hooks          all of them run: managed, local, project, user, plugins
    settings       managed, local, project, user; strict JSON
    context files  read from the general to the special: managed, user, then from the top of the file system down
The user's folder is `~/.claude`, movable by CLAUDE_CONFIG_DIR. A skill is named by its folder, its header only says how
it is shown; in a plugin the header's name counts.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look
from pisces.harnesses.claude.folders import MANAGED_FOLDERS, USER_DIR, USER_DIR_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SKILLS = {
    "needs": (),
    "name_from": "folder",
    "first_line": True,
    "lenient": True,
    "not_with": ".claude-plugin/plugin.json",
    "reserved": ("synced",),
}
_AGENTS = {"recursive": True, "no_colon": True, "lenient": True}
_MEMORY = ("CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/*", "CLAUDE.local.md")
_PLUGINS = Look("claude.plugins")


def _managed(inside: str, finder: str, options: Mapping[str, object]) -> Look:
    return Look("managed", "", {"folders": MANAGED_FOLDERS, "inside": inside, "finder": finder, "options": options})


def _project(inside: str, finder: str, options: Mapping[str, object]) -> Look:
    return Look("upward", "cwd:", {"inside": inside, "finder": finder, "options": options})


HARNESS = Harness(
    id="claude",
    label="Claude Code",
    priority=80,
    user_dir=USER_DIR,
    user_dir_variable=USER_DIR_VARIABLE,
    project_dir=".claude",
    programs=("claude",),
    context_names=("CLAUDE.md",),
    looks={
        "packages": (Look("claude.installed_plugins"),),
        "commands": (Look("claude.commands"),),
        "skills": (
            _managed(".claude/skills", "skill_folders", _SKILLS),
            Look("skill_folders", "user:skills", _SKILLS),
            _project(".claude/skills", "skill_folders", _SKILLS),
            _PLUGINS,
        ),
        "subagents": (
            _managed(".claude/agents", "markdown_agents", _AGENTS),
            _project(".claude/agents", "markdown_agents", _AGENTS),
            Look("markdown_agents", "user:agents", _AGENTS),
            _PLUGINS,
        ),
        "mcp-servers": (Look("claude.servers"), _PLUGINS),
        "hooks": (Look("claude.settings_hooks"), _PLUGINS),
        "context-files": (
            _managed("", "context_walk", {"names": ("CLAUDE.md",)}),
            Look("context_walk", "user:", {"names": ("CLAUDE.md", "rules/*")}),
            Look("context_walk", "cwd:", {"names": _MEMORY, "walk": True, "top": True}),
        ),
        "settings": (Look("claude.settings"), _PLUGINS),
    },
)
