"""OpenAI Codex: nearer configuration wins, so folders from here up to the repository's root come before the user's.

Skills of the repository come before those of the user and none replaces another; hooks of all levels run. Plugins
count where the user's config.toml enables them, after everything written by hand. Custom prompts are those of
versions before mid 2026, which took them from the user's folder only.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_EVENTS = frozenset(
    [
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PreCompact",
        "PostCompact",
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    ]
)
_TOML = {"syntax": "toml"}
_SKILLS = {"needs": ("description",), "depth": 6, "hidden": False, "lenient": True}
_SERVERS = {**_TOML, "keys": ("mcp_servers",)}
_HOOKS = {"dialect": "codex", "events": _EVENTS}
_DOCUMENTS = {"names": ("AGENTS.override.md", "AGENTS.md"), "first": True}


def _upward(finder: str, inside: str, options: Mapping[str, object]) -> Look:
    return Look("upward", "", {"inside": inside, "finder": finder, "options": options, "repository": True})


HARNESS = Harness(
    id="codex",
    label="OpenAI Codex",
    priority=70,
    user_dir="~/.codex",
    project_dir=".codex",
    user_dir_variable="CODEX_HOME",
    programs=("codex",),
    looks={
        "packages": (Look("codex.plugins", "user:config.toml"),),
        "commands": (
            Look("markdown_commands", "user:prompts", {"recursive": False, "prefix": "prompts:", "lenient": True}),
            Look("own_packages"),
        ),
        "skills": (
            _upward("skill_folders", ".codex/skills", _SKILLS),
            _upward("skill_folders", ".agents/skills", _SKILLS),
            Look("skill_folders", "user:skills", _SKILLS),
            Look("skill_folders", "home:.agents/skills", _SKILLS),
            Look("own_packages"),
            Look("skill_folders", "user:skills/.system", _SKILLS),
        ),
        "subagents": (_upward("codex.agents", ".codex/agents", {}), Look("codex.agents", "user:agents")),
        "mcp-servers": (
            _upward("mcp_config", ".codex/config.toml", _SERVERS),
            Look("mcp_config", "user:config.toml", _SERVERS),
            Look("own_packages"),
        ),
        "hooks": (
            Look("grouped_hooks", "user:hooks.json", _HOOKS),
            Look("grouped_hooks", "user:config.toml", {**_HOOKS, **_TOML}),
            _upward("grouped_hooks", ".codex/hooks.json", _HOOKS),
            _upward("grouped_hooks", ".codex/config.toml", {**_HOOKS, **_TOML}),
            Look("own_packages"),
        ),
        "context-files": (
            Look("context_walk", "user:", _DOCUMENTS),
            Look("context_walk", "", {**_DOCUMENTS, "walk": True, "repository": True}),
        ),
        "settings": (
            _upward("settings_files", ".codex/config.toml", _TOML),
            Look("settings_files", "user:config.toml", _TOML),
        ),
    },
)
