"""OpenAI Codex: nearer configuration wins, so folders from here up to the repository's root come before the user's.

A project's configuration and hooks count only where the user's config.toml trusts the folder, its skills everywhere.

Skills of the repository come before those of the user and none replaces another; hooks of all levels run. Plugins
count where the user's config.toml enables them, after everything written by hand. Custom prompts are those of
versions before mid 2026, which took them from the user's folder only.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look

MANIFEST = ".codex-plugin/plugin.json"
EVENTS = frozenset(
    """
    PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart SessionEnd UserPromptSubmit
    SubagentStart SubagentStop Stop
    """.split()
)
_FROM_PACKAGES = Look(find.OWN_PACKAGES)


class NamespacedSkills(find.SkillFolders):
    FINDER = "pisces.harnesses.codex.finders.skills"


def _upward(inside: str, then: FinderOptions) -> Look:
    return Look(find.Upward((inside,), then, repository=True))


def _commands() -> tuple[Look, ...]:
    prompts = find.MarkdownCommands(recursive=False, prefix="prompts:", lenient=True)
    return Look(prompts, "user:prompts"), _FROM_PACKAGES


def _skills() -> tuple[Look, ...]:
    skills = NamespacedSkills(needs=("description",), depth=6, hidden=False, lenient=True)
    return (
        _upward(".codex/skills", skills),
        _upward(".agents/skills", skills),
        Look(skills, "user:skills"),
        Look(skills, "home:.agents/skills"),
        _FROM_PACKAGES,
        Look(skills, "user:skills/.system"),
    )


def _agents() -> tuple[Look, ...]:
    agents = Finder("pisces.harnesses.codex.finders.agents")
    of_projects = find.Upward((".codex/config.toml", ".codex/agents"), agents, repository=True)
    return Look(of_projects), Look(agents, "user:config.toml"), Look(agents, "user:agents")


def _servers() -> tuple[Look, ...]:
    return Look(Finder("pisces.harnesses.codex.finders.servers")), _FROM_PACKAGES


def _hooks() -> tuple[Look, ...]:
    hooks = find.GroupedHooks(events=EVENTS)
    in_config = find.GroupedHooks(events=EVENTS, syntax="toml")
    return (
        Look(hooks, "user:hooks.json"),
        Look(in_config, "user:config.toml"),
        Look(Finder("pisces.harnesses.codex.finders.hooks")),
        _FROM_PACKAGES,
    )


def _documents() -> tuple[Look, ...]:
    names = ("AGENTS.override.md", "AGENTS.md")
    return (
        Look(find.ContextWalk(names, first=True), "user:"),
        Look(find.ContextWalk(names, first=True, walk=True, repository=True)),
    )


HARNESS = Harness(
    id="codex",
    label="OpenAI Codex",
    priority=70,
    user_dir="~/.codex",
    project_dir=".codex",
    user_dir_variable="CODEX_HOME",
    programs=("codex",),
    manifests=(MANIFEST,),
    side_by_side=("skills",),
    states="pisces.harnesses.codex.states",
    private_states=("packages",),  # so that a listing of packages reads no configuration
    verified="by running 0.166.0 (servers, skills, hooks, trust); agents and plugins as its source says, 2026",
    was_run=("packages", "commands", "skills", "mcp-servers", "hooks", "context-files"),
    looks={
        "packages": lambda: (Look(Finder("pisces.harnesses.codex.finders.plugins"), "user:config.toml"),),
        "commands": _commands,
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": _servers,
        "hooks": _hooks,
        "context-files": _documents,
        "settings": lambda: (
            _upward(".codex/config.toml", find.SettingsFiles("toml")),
            Look(find.SettingsFiles("toml"), "user:config.toml"),
        ),
    },
)
