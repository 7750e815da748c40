"""Cursor: project before user, and Cursor's own folders before those of Claude Code and Codex that it reads as well.

Rules, AGENTS.md and hooks of all levels apply together; project hooks come first. Plugins are those in the user's
`plugins/local`: installed ones live inside the editor.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, Harness, Look, project_then_user

MANIFEST = ".cursor-plugin/plugin.json"
EVENTS = frozenset(
    """
    sessionStart sessionEnd beforeSubmitPrompt preToolUse postToolUse postToolUseFailure beforeShellExecution
    afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit subagentStart subagentStop
    preCompact stop afterAgentResponse afterAgentThought beforeTabFileRead afterTabFileEdit workspaceOpen
    """.split()
)
RULES = Finder("pisces.harnesses.cursor.finders.rules")
_PLUGINS = Look(find.PackageFolders("cursor-plugin"), "user:plugins/local")


def _skills() -> tuple[Look, ...]:
    skills, of_others = find.SkillFolders(lenient=True), (".agents/skills", ".claude/skills", ".codex/skills")
    return (
        Look(skills, "project:skills"),
        *(Look(skills, f"cwd:{folder}") for folder in of_others),
        Look(skills, "user:skills"),
        *(Look(skills, f"home:{folder}") for folder in of_others),
        _PLUGINS,
    )


def _agents() -> tuple[Look, ...]:
    agents, of_others = find.MarkdownAgents(needs=(), lenient=True), (".claude/agents", ".codex/agents")
    return (
        Look(agents, "project:agents"),
        *(Look(agents, f"cwd:{folder}") for folder in of_others),
        Look(agents, "user:agents"),
        *(Look(agents, f"home:{folder}") for folder in of_others),
        _PLUGINS,
    )


HARNESS = Harness(
    id="cursor",
    label="Cursor",
    priority=50,
    user_dir="~/.cursor",
    project_dir=".cursor",
    context_names=(".cursorrules",),
    manifests=(MANIFEST,),
    states="pisces.harnesses.cursor.states",
    verified="documentation, 2026-11",
    looks={
        "packages": lambda: (_PLUGINS,),
        "commands": lambda: (
            *project_then_user(find.MarkdownCommands(recursive=False, lenient=True), "commands"),
            _PLUGINS,
        ),
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": lambda: (*project_then_user(find.McpConfig(syntax="lenient"), "mcp.json"), _PLUGINS),
        "hooks": lambda: (*project_then_user(find.FlatHooks(EVENTS), "hooks.json"), _PLUGINS),
        "context-files": lambda: (
            Look(find.Upward((".cursor/rules",), RULES)),
            _PLUGINS,
            Look(find.ContextWalk(("AGENTS.md",), walk=True)),
            Look(find.ContextWalk((".cursorrules",)), "cwd:"),
        ),
        "settings": lambda: (
            Look(find.SettingsFiles("lenient"), "project:cli.json"),
            Look(find.SettingsFiles("lenient"), "user:cli-config.json"),
        ),
    },
)
