"""OpenHands: the current folder before the repository's root, both before the user; `.agents` before `.openhands`.

Only these two folders of a project count, not those between them. Hooks come from one file: the project's, else the
user's. A Markdown file in a skills folder is a skill if it has triggers, inputs or paths, else always context. Any
folder among its plugins is a plugin, with or without a manifest. Facts: openhands-sdk 1.43.1, which as yet reads no
namespace of Agent Plugins, and the documentation of the command line for `mcp.json`.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look

MANIFEST = ".plugin/plugin.json"
_SKILLS = Finder("pisces.harnesses.openhands.finders.skills")
_PLUGINS = Finder("pisces.harnesses.openhands.finders.plugins")
_FROM_PACKAGES = Look(find.OWN_PACKAGES)
_SKILL_FOLDERS = (".agents/skills", ".openhands/skills", ".openhands/microagents")


def _everywhere(inside: tuple[str, ...], then: FinderOptions) -> tuple[Look, ...]:
    own = Look(find.Upward(inside, then, repository=True, ends=True))
    return own, *(Look(then, f"home:{folder}") for folder in inside)


def _packages() -> tuple[Look, ...]:
    folders = (".agents/plugins", ".openhands/plugins")
    return *_everywhere(folders, _PLUGINS), Look(_PLUGINS, "user:plugins/installed")


def _agents() -> tuple[Look, ...]:
    agents, folders = find.MarkdownAgents(needs=(), readme=False), (".agents/agents", ".openhands/agents")
    return (
        _FROM_PACKAGES,
        *(Look(agents, f"cwd:{folder}") for folder in folders),
        *(Look(agents, f"home:{folder}") for folder in folders),
    )


def _servers() -> tuple[Look, ...]:
    of_skills = find.SkillServers(".mcp.json")
    return Look(find.McpConfig(), "user:mcp.json"), *_everywhere(_SKILL_FOLDERS, of_skills), _FROM_PACKAGES


def _documents() -> tuple[Look, ...]:
    return (
        Look(Finder("pisces.harnesses.openhands.finders.context")),
        *_everywhere(_SKILL_FOLDERS, _SKILLS),
        Look(find.ContextWalk(("SOUL.md",)), "user:"),
    )


HARNESS = Harness(
    id="openhands",
    label="OpenHands",
    priority=24,
    user_dir="~/.openhands",
    project_dir=".openhands",
    programs=("openhands",),
    context_names=("SOUL.md",),
    manifests=(MANIFEST,),
    verified="its source 1.43.1, 2026-11",
    looks={
        "packages": _packages,
        "commands": lambda: (_FROM_PACKAGES,),
        "skills": lambda: (
            *_everywhere(_SKILL_FOLDERS, _SKILLS),
            Look(_SKILLS, "user:skills/installed"),
            _FROM_PACKAGES,
        ),
        "subagents": _agents,
        "mcp-servers": _servers,
        "hooks": lambda: (Look(Finder("pisces.harnesses.openhands.finders.hooks")), _FROM_PACKAGES),
        "context-files": _documents,
        "settings": lambda: (
            Look(find.SettingsFiles(), "user:agent_settings.json"),
            Look(find.SettingsFiles(), "user:cli_config.json"),
        ),
    },
)
