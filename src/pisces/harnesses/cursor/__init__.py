"""Cursor: project before user, and Cursor's own folders before those of Claude Code and Codex that it reads as well.

Rules, AGENTS.md and hooks of all levels apply together; project hooks come first. Plugins are those in the user's
`plugins/local`: installed ones live inside the editor.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

EVENTS = frozenset(
    [
        "sessionStart",
        "sessionEnd",
        "beforeSubmitPrompt",
        "preToolUse",
        "postToolUse",
        "postToolUseFailure",
        "beforeShellExecution",
        "afterShellExecution",
        "beforeMCPExecution",
        "afterMCPExecution",
        "beforeReadFile",
        "afterFileEdit",
        "subagentStart",
        "subagentStop",
        "preCompact",
        "stop",
        "afterAgentResponse",
        "afterAgentThought",
        "beforeTabFileRead",
        "afterTabFileEdit",
        "workspaceOpen",
    ]
)
_PLUGINS = Look("package_folders", "user:plugins/local", {"format": "cursor-plugin"})
_COMMANDS = {"recursive": False, "lenient": True}
_AGENTS = {"needs": (), "lenient": True}
_SKILLS = {"lenient": True}
_HOOKS = {"events": EVENTS}
_SERVERS = {"lenient": True}

HARNESS = Harness(
    id="cursor",
    label="Cursor",
    priority=50,
    user_dir="~/.cursor",
    project_dir=".cursor",
    context_names=(".cursorrules",),
    looks={
        "packages": (_PLUGINS,),
        "commands": (
            Look("markdown_commands", "project:commands", _COMMANDS),
            Look("markdown_commands", "user:commands", _COMMANDS),
            _PLUGINS,
        ),
        "skills": (
            Look("skill_folders", "project:skills", _SKILLS),
            Look("skill_folders", "cwd:.agents/skills", _SKILLS),
            Look("skill_folders", "cwd:.claude/skills", _SKILLS),
            Look("skill_folders", "cwd:.codex/skills", _SKILLS),
            Look("skill_folders", "user:skills", _SKILLS),
            Look("skill_folders", "home:.agents/skills", _SKILLS),
            Look("skill_folders", "home:.claude/skills", _SKILLS),
            Look("skill_folders", "home:.codex/skills", _SKILLS),
            _PLUGINS,
        ),
        "subagents": (
            Look("markdown_agents", "project:agents", _AGENTS),
            Look("markdown_agents", "cwd:.claude/agents", _AGENTS),
            Look("markdown_agents", "cwd:.codex/agents", _AGENTS),
            Look("markdown_agents", "user:agents", _AGENTS),
            Look("markdown_agents", "home:.claude/agents", _AGENTS),
            Look("markdown_agents", "home:.codex/agents", _AGENTS),
            _PLUGINS,
        ),
        "mcp-servers": (
            Look("mcp_config", "project:mcp.json", _SERVERS),
            Look("mcp_config", "user:mcp.json", _SERVERS),
            _PLUGINS,
        ),
        "hooks": (
            Look("flat_hooks", "project:hooks.json", _HOOKS),
            Look("flat_hooks", "user:hooks.json", _HOOKS),
            _PLUGINS,
        ),
        "context-files": (
            Look("upward", "", {"inside": ".cursor/rules", "finder": "cursor.rules"}),
            _PLUGINS,
            Look("context_walk", "", {"names": ("AGENTS.md",), "walk": True}),
            Look("context_walk", "cwd:", {"names": (".cursorrules",)}),
        ),
        "settings": (
            Look("settings_files", "project:cli.json", {"lenient": True}),
            Look("settings_files", "user:cli-config.json", {"lenient": True}),
        ),
    },
)
