"""GitHub Copilot, its command line and VS Code: nearer folders first, then the user's; instructions and hooks add up.

Of two skills, agents or servers with one name the first found counts. Agents are known by their file's name. Where
the two differ, the command line speaks first: `.vscode/mcp.json`, prompt files and chat modes are VS Code's alone.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_EVENTS = frozenset(
    """
    agentStop errorOccurred notification permissionRequest postToolUse postToolUseFailure preCompact preToolUse
    sessionEnd sessionStart subagentStart subagentStop userPromptSubmitted userPromptTransformed
    Stop ErrorOccurred Notification PermissionRequest PostToolUse PostToolUseFailure PreCompact PreToolUse
    SessionEnd SessionStart SubagentStart SubagentStop UserPromptSubmit UserPromptSubmitted UserPromptTransformed
    """.split()
)
_AGENTS = {"needs": ("description",), "name_from": "file", "suffix": (".agent.md", ".md"), "lenient": True}
_MODES = {"needs": (), "name_from": "file", "suffix": ".chatmode.md", "lenient": True}
_PROMPTS = {"suffix": ".prompt.md", "name_field": "name", "lenient": True}
_SKILLS = {"lenient": True}
_SERVERS = {"flat": True, "lenient": True}
_HOOKS = {"events": _EVENTS, "commands": ("bash", "command", "powershell"), "groups": True}
_SETTINGS_HOOKS = {**_HOOKS, "syntax": "lenient"}
_INSTRUCTIONS = {
    "names": (".github/copilot-instructions.md", ".github/instructions/*"),
    "suffix": ".instructions.md",
    "walk": True,
    "repository": True,
}
_DOCUMENTS = {
    "names": ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md"),
    "walk": True,
    "repository": True,
}
_OWN_INSTRUCTIONS = {"names": ("copilot-instructions.md", "instructions/*"), "suffix": ".instructions.md"}


def _upward(finder: str, inside: tuple[str, ...], options: Mapping[str, object]) -> Look:
    return Look("upward", "", {"inside": inside, "finder": finder, "options": options, "repository": True})


HARNESS = Harness(
    id="copilot",
    label="GitHub Copilot",
    priority=30,
    user_dir="~/.copilot",
    project_dir=".github",
    user_dir_variable="COPILOT_HOME",
    programs=("copilot",),
    context_names=("copilot-instructions.md",),
    looks={
        "commands": (
            Look("markdown_commands", "project:prompts", _PROMPTS),
            Look("markdown_commands", "cwd:.claude/commands", {"lenient": True}),
        ),
        "skills": (
            _upward("skill_folders", (".github/skills", ".agents/skills", ".claude/skills"), _SKILLS),
            Look("skill_folders", "user:skills", _SKILLS),
            Look("skill_folders", "home:.agents/skills", _SKILLS),
        ),
        "subagents": (
            _upward("markdown_agents", (".github/agents", ".claude/agents"), _AGENTS),
            Look("markdown_agents", "user:agents", _AGENTS),
            Look("markdown_agents", "project:chatmodes", _MODES),
        ),
        "mcp-servers": (
            _upward("mcp_config", (".mcp.json", ".github/mcp.json"), _SERVERS),
            Look("mcp_config", "cwd:.vscode/mcp.json", {"keys": ("servers",), "lenient": True}),
            Look("mcp_config", "user:mcp-config.json", _SERVERS),
        ),
        "hooks": (
            Look("flat_hooks", "user:hooks", _HOOKS),
            Look("flat_hooks", "user:settings.json", _SETTINGS_HOOKS),
            _upward("flat_hooks", (".github/hooks",), _HOOKS),
            Look("flat_hooks", "project:copilot/settings.json", _SETTINGS_HOOKS),
            Look("flat_hooks", "project:copilot/settings.local.json", _SETTINGS_HOOKS),
        ),
        "context-files": (
            Look("context_walk", "user:", _OWN_INSTRUCTIONS),
            Look("context_walk", "", _INSTRUCTIONS),
            Look("context_walk", "", _DOCUMENTS),
        ),
        "settings": (
            Look("settings_files", "project:copilot/settings.local.json", {"lenient": True}),
            Look("settings_files", "project:copilot/settings.json", {"lenient": True}),
            Look("settings_files", "user:settings.json", {"lenient": True}),
        ),
    },
)
