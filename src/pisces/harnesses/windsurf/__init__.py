"""Windsurf, called Devin Desktop since June 2026, and the command line `devin`: project before user, `.devin` first.

Both agents are here: Cascade with `.windsurf` and `~/.codeium/windsurf`, and Devin Local with `.devin` and
`~/.config/devin`, which reads rules and skills of the other. Rules and hooks of all levels apply; of hooks the system's
run first, then the user's, then the workspace's. Rules in folders below the current one are not looked for.
"""

from __future__ import annotations

import sys

from pisces.discovery import options as find
from pisces.discovery.harness import FinderOptions, Harness, Look

_SYSTEM = {"darwin": "/Library/Application Support/Windsurf", "win32": r"C:\ProgramData\Windsurf"}
_SYSTEM_FOLDER = _SYSTEM.get(sys.platform, "/etc/windsurf")
_DEVIN = "home:.config/devin"
_EVENTS = frozenset(
    """
    PreToolUse PostToolUse PermissionRequest UserPromptSubmit Stop SessionStart SessionEnd PostCompaction
    """.split()
)
# The old file of Cascade, and what Devin reads of other tools.
_SINGLE_FILES = (".windsurfrules", ".windsurf/global_rules.md", ".cursorrules", ".cursor/rules/*")
_BELOW = find.ContextWalk(("*",))


def _system(inside: str, then: FinderOptions) -> Look:
    return Look(find.Managed(_SYSTEM_FOLDER, inside, then))


def _commands() -> tuple[Look, ...]:
    workflows = find.MarkdownCommands(recursive=False, lenient=True)
    return (
        Look(find.Upward((".devin/workflows", ".windsurf/workflows"), workflows)),
        Look(workflows, "user:global_workflows"),
    )


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders(lenient=True)
    in_project = (".devin/skills", ".windsurf/skills", ".agents/skills")
    places = (*(f"cwd:{folder}" for folder in in_project), f"{_DEVIN}/skills", "user:skills", "home:.agents/skills")
    return tuple(Look(skills, at) for at in places)


def _agents() -> tuple[Look, ...]:
    """An agent is a folder with an AGENT.md: without that suffix, its place is the folder's name and nothing else."""
    agents = find.MarkdownAgents(
        needs=(), name_from="file", separator="", recursive=True, suffixes=("AGENT.md",), lenient=True
    )
    return Look(agents, "cwd:.devin/agents"), Look(agents, f"{_DEVIN}/agents")


def _servers() -> tuple[Look, ...]:
    """Servers in `config.json` are those of versions before July 2026. `~/.codeium` is the JetBrains plugin's."""
    names = ("mcp_config.local.json", "mcp_config.json", "config.local.json", "config.json")
    places = (
        *(f"cwd:.devin/{name}" for name in names),
        *(f"{_DEVIN}/{name}" for name in ("mcp_config.json", "config.json")),
        "user:mcp_config.json",
        "home:.codeium/mcp_config.json",
    )
    return tuple(Look(find.McpConfig(syntax="lenient"), at) for at in places)


def _hooks() -> tuple[Look, ...]:
    of_cascade = find.FlatHooks(commands=("command", "powershell"))
    of_devin = find.GroupedHooks(events=_EVENTS, syntax="lenient")
    return (
        _system("hooks.json", of_cascade),
        Look(of_cascade, "user:hooks.json"),
        Look(of_cascade, "home:.codeium/hooks.json"),
        Look(of_devin, f"{_DEVIN}/config.json"),
        Look(of_cascade, "project:hooks.json"),
        Look(of_devin.replace(keys=()), "cwd:.devin/hooks.v1.json"),
        Look(of_devin, "cwd:.devin/config.json"),
        Look(of_devin, "cwd:.devin/config.local.json"),
    )


def _documents() -> tuple[Look, ...]:
    return (
        _system("rules", _BELOW),
        Look(find.ContextWalk(("memories/global_rules.md",)), "user:"),
        Look(find.ContextWalk(("AGENTS.md", "AGENT.md")), _DEVIN),
        Look(find.ContextWalk(("rules/*", "global_rules.md")), "home:.devin"),
        Look(find.Upward((".devin/rules", ".windsurf/rules"), _BELOW)),
        Look(find.ContextWalk(_SINGLE_FILES), "cwd:"),
        Look(find.ContextWalk(("AGENTS.md", "AGENT.md", "CLAUDE.md"), walk=True)),
    )


def _settings() -> tuple[Look, ...]:
    places = ("cwd:.devin/config.local.json", "cwd:.devin/config.json", f"{_DEVIN}/config.json")
    return tuple(Look(find.SettingsFiles("lenient"), at) for at in places)


HARNESS = Harness(
    id="windsurf",
    label="Windsurf",
    priority=9,
    user_dir="~/.codeium/windsurf",
    project_dir=".windsurf",
    programs=("windsurf", "devin"),
    context_names=(".windsurfrules", "global_rules.md"),
    home_files=(".config/devin", ".devin", ".codeium/mcp_config.json", ".codeium/hooks.json"),
    own_files=(".devin",),
    states="pisces.harnesses.windsurf.states",
    verified="documentation, 2026-11",
    looks={
        "commands": _commands,
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": _servers,
        "hooks": _hooks,
        "context-files": _documents,
        "settings": _settings,
    },
)
