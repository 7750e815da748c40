"""GitHub Copilot, its command line and VS Code: nearer folders first, then the user's; instructions and hooks add up.

Of two skills, agents or servers with one name the first found counts. Agents are known by their file's name. Where
the two differ, the command line speaks first: `.vscode/mcp.json`, prompt files and chat modes are VS Code's alone.
What plugins bring comes last, except for servers, where it comes first.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look

MANIFEST = ".plugin/plugin.json"
OTHER_MANIFESTS = ("plugin.json", ".github/plugin/plugin.json")  # and that of Claude Code, which is read as such
EVENTS = frozenset(
    """
    agentStop errorOccurred notification permissionRequest postToolUse postToolUseFailure preCompact preToolUse
    sessionEnd sessionStart subagentStart subagentStop userPromptSubmitted userPromptTransformed
    Stop ErrorOccurred Notification PermissionRequest PostToolUse PostToolUseFailure PreCompact PreToolUse
    SessionEnd SessionStart SubagentStart SubagentStop UserPromptSubmit UserPromptSubmitted UserPromptTransformed
    """.split()
)
PROMPTS = find.MarkdownCommands(suffixes=(".prompt.md",), name_field="name", lenient=True)
AGENTS = find.MarkdownAgents(needs=("description",), name_from="file", suffixes=(".agent.md", ".md"), lenient=True)
MODES = find.MarkdownAgents(needs=(), name_from="file", suffixes=(".chatmode.md",), lenient=True)
HOOKS = find.FlatHooks(EVENTS, ("bash", "command", "powershell"), groups=True)
_FROM_PACKAGES = Look(find.OWN_PACKAGES)
_INSTRUCTIONS = "copilot-instructions.md"


def _upward(inside: tuple[str, ...], then: FinderOptions) -> Look:
    return Look(find.Upward(inside, then, repository=True))


def _commands() -> tuple[Look, ...]:
    of_claude = Look(find.MarkdownCommands(lenient=True), "cwd:.claude/commands")
    return Look(PROMPTS, "project:prompts"), of_claude, _FROM_PACKAGES


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders(lenient=True)
    return (
        _upward((".github/skills", ".agents/skills", ".claude/skills"), skills),
        Look(skills, "user:skills"),
        Look(skills, "home:.agents/skills"),
        _FROM_PACKAGES,
    )


def _agents() -> tuple[Look, ...]:
    return (
        _upward((".github/agents", ".claude/agents"), AGENTS),
        Look(AGENTS, "user:agents"),
        Look(MODES, "project:chatmodes"),
        _FROM_PACKAGES,
    )


def _servers() -> tuple[Look, ...]:
    servers = find.McpConfig(flat=True, syntax="lenient")
    return (
        _FROM_PACKAGES,
        _upward((".mcp.json", ".github/mcp.json"), servers),
        Look(find.McpConfig(keys=("servers",), syntax="lenient"), "cwd:.vscode/mcp.json"),
        Look(servers, "user:mcp-config.json"),
    )


def _hooks() -> tuple[Look, ...]:
    in_settings = HOOKS.replace(syntax="lenient")
    return (
        Look(HOOKS, "user:hooks"),
        Look(in_settings, "user:settings.json"),
        _upward((".github/hooks",), HOOKS),
        Look(in_settings, "project:copilot/settings.json"),
        Look(in_settings, "project:copilot/settings.local.json"),
        _FROM_PACKAGES,
    )


def _documents() -> tuple[Look, ...]:
    suffixes = (".instructions.md",)
    of_repository = (f".github/{_INSTRUCTIONS}", ".github/instructions/*")
    of_others = ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md")
    return (
        Look(find.ContextWalk((_INSTRUCTIONS, "instructions/*"), suffixes), "user:"),
        Look(find.ContextWalk(of_repository, suffixes, walk=True, repository=True)),
        Look(find.ContextWalk(of_others, walk=True, repository=True)),
    )


def _settings() -> tuple[Look, ...]:
    places = ("project:copilot/settings.local.json", "project:copilot/settings.json", "user:settings.json")
    return tuple(Look(find.SettingsFiles("lenient"), at) for at in places)


HARNESS = Harness(
    id="copilot",
    label="GitHub Copilot",
    priority=30,
    user_dir="~/.copilot",
    project_dir=".github",
    user_dir_variable="COPILOT_HOME",
    programs=("copilot",),
    context_names=(_INSTRUCTIONS,),
    manifests=(MANIFEST, ".github/plugin/plugin.json"),
    marks=(".github/plugin",),
    own_files=(".vscode/mcp.json",),
    states="pisces.harnesses.copilot.states",
    verified="documentation, 2026-11",
    looks={
        "packages": lambda: (Look(Finder("pisces.harnesses.copilot.finders.plugins"), "user:config.json"),),
        "commands": _commands,
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": _servers,
        "hooks": _hooks,
        "context-files": _documents,
        "settings": _settings,
    },
)
