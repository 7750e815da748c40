"""Google Antigravity, its editor and its command line `agy`: project before user before plugins.

Customizations of a project lie in `.agents`, or in `.agent`, `_agents` or `_agent`; the user's in `~/.gemini/config`,
and those of the command line alone in `~/.gemini/antigravity-cli`. Rules and hooks of all levels apply. A hooks file or
a plugin's manifest with an error is dropped whole and in silence.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look

MANIFEST = "plugin.json"
HOOKS = Finder("pisces.harnesses.antigravity.finders.hooks")
SERVERS = Finder("pisces.harnesses.antigravity.finders.servers")
SKILLS = find.SkillFolders(lenient=True)
AGENTS = find.MarkdownAgents(recursive=True, lenient=True)  # `x.md`, or `x/agent.md`
_ROOTS = (".agents", ".agent", "_agents", "_agent")
# `.agents` and `.agent` are for everybody; these files and folders of them are its own.
_OWN_PARTS = ("workflows", "mcp_config.json", "hooks.json", "rules")
_OWN_FILES = (
    "_agents",
    "_agent",
    ".agent/plugins",
    ".agent/agents",
    *(f"{root}/{part}" for root in (".agents", ".agent") for part in _OWN_PARTS),
)
_CLI = "home:.gemini/antigravity-cli"
_PLUGINS = Finder("pisces.harnesses.antigravity.finders.plugins")


def _in_project(inside: str, then: FinderOptions) -> tuple[Look, ...]:
    return tuple(Look(then, f"cwd:{root}/{inside}") for root in _ROOTS)


def _plugins() -> tuple[Look, ...]:
    return (*_in_project("plugins", _PLUGINS), Look(_PLUGINS, f"{_CLI}/plugins"), Look(_PLUGINS, "user:plugins"))


def _commands() -> tuple[Look, ...]:
    workflows = find.MarkdownCommands(recursive=False, lenient=True)
    folders = (f"{_CLI}/global_workflows", "home:.gemini/antigravity/global_workflows")
    return (*_in_project("workflows", workflows), *(Look(workflows, folder) for folder in folders))


def _skills() -> tuple[Look, ...]:
    users = (Look(SKILLS, "user:skills"), Look(SKILLS, f"{_CLI}/skills"))
    return (*_in_project("skills", SKILLS), *users, *_plugins())


def _agents() -> tuple[Look, ...]:
    return (*_in_project("agents", AGENTS), Look(AGENTS, "user:agents"), *_plugins())


def _documents() -> tuple[Look, ...]:
    return (
        Look(find.ContextWalk(("GEMINI.md",)), "home:.gemini"),
        *_in_project("rules", find.ContextWalk(("*",))),
        Look(find.ContextWalk((".agents/AGENTS.md",)), "cwd:"),
        Look(find.ContextWalk(("AGENTS.md", "GEMINI.md"), walk=True)),
    )


HARNESS = Harness(
    id="antigravity",
    label="Antigravity",
    priority=5,
    user_dir="~/.gemini/config",
    programs=("agy", "antigravity"),
    manifests=(MANIFEST,),
    marks=("mcp_config.json",),
    home_files=(".gemini/antigravity-cli", ".gemini/antigravity"),
    own_files=_OWN_FILES,
    states="pisces.harnesses.antigravity.states",
    verified="documentation, 2026-11",
    looks={
        "packages": _plugins,
        "commands": _commands,
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": lambda: (
            *_in_project("mcp_config.json", SERVERS),
            Look(SERVERS, "user:mcp_config.json"),
            *_plugins(),
        ),
        "hooks": lambda: (*_in_project("hooks.json", HOOKS), Look(HOOKS, "user:hooks.json"), *_plugins()),
        "context-files": _documents,
        "settings": lambda: (Look(find.SettingsFiles("lenient"), f"{_CLI}/settings.json"),),
    },
)
