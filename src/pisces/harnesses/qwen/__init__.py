"""Qwen Code: project before user before extensions; `.mcp.json` stands between the project's and the user's settings.

Context files, rules and hooks of all levels apply. Extensions are the user's, unless disabled for this folder; a
clash renames an extension's command, and hides an extension's skill, agent or server.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

EVENTS = frozenset(
    """
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
    SessionStart Stop MessageDisplay SubagentStart SubagentStop PreCompact PostCompact SessionEnd SessionDelete
    PermissionRequest PermissionDenied StopFailure TodoCreated TodoCompleted InstructionsLoaded
    """.split()
)
_JSONC = {"syntax": "jsonc"}
_HOOKS = {**_JSONC, "dialect": "qwen", "events": EVENTS}
_DOCUMENTS = {"names": ("QWEN.md", "AGENTS.md")}

HARNESS = Harness(
    id="qwen",
    label="Qwen Code",
    priority=45,
    user_dir="~/.qwen",
    project_dir=".qwen",
    user_dir_variable="QWEN_HOME",
    programs=("qwen",),
    context_names=("QWEN.md",),
    looks={
        "packages": (Look("qwen.packages", "user:extensions"),),
        "commands": (Look("qwen.commands"),),
        "skills": (
            Look("skill_folders", "project:skills"),
            Look("skill_folders", "cwd:.agents/skills"),
            Look("skill_folders", "user:skills"),
            Look("skill_folders", "home:.agents/skills"),
            Look("own_packages"),
        ),
        "subagents": (
            Look("markdown_agents", "project:agents"),
            Look("markdown_agents", "user:agents"),
            Look("own_packages"),
        ),
        "mcp-servers": (
            Look("mcp_config", "project:settings.json", _JSONC),
            Look("mcp_config", "cwd:.mcp.json", _JSONC),
            Look("mcp_config", "user:settings.json", _JSONC),
            Look("own_packages"),
        ),
        "hooks": (
            Look("grouped_hooks", "project:settings.json", _HOOKS),
            Look("grouped_hooks", "user:settings.json", _HOOKS),
            Look("own_packages"),
        ),
        "context-files": (
            Look("context_walk", "user:", {"names": (*_DOCUMENTS["names"], "rules/*")}),
            Look("context_walk", "", {**_DOCUMENTS, "walk": True}),
            Look("context_walk", "", {"names": (".qwen/QWEN.local.md", ".qwen/rules/*"), "walk": True}),
            Look("own_packages"),
        ),
        "settings": (
            Look("settings_files", "project:settings.json", _JSONC),
            Look("settings_files", "user:settings.json", _JSONC),
            Look("own_packages"),
        ),
    },
)
