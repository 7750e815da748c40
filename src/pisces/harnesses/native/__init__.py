"""pisces itself: project before user, hidden folders not counted (seed 000)."""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _both(finder: str, inside: str, options: Mapping[str, Any]) -> tuple[Look, Look]:
    return Look(finder, f"project:{inside}", options), Look(finder, f"user:{inside}", options)


_PACKAGES = {
    "manifest": "gemini-extension.json",
    "format": "gemini",
    "message": "Failed to parse",
    "hidden": False,
    "name_or": True,
}
_INDEX = "user:packages/index.json"
_INSTALLED = Look("native.installed_parts", _INDEX)
_MARKDOWN = {"lenient": True, "first_line": True}
_SKILLS = {"needs": ("description",), "hidden": False, "lenient": True}
_DOCUMENTS = {"names": ("AGENTS.md", "SYSTEM.md")}

HARNESS = Harness(
    id="native",
    label="pisces",
    priority=100,
    user_dir="~/.pisces/agent",
    project_dir=".pisces",
    user_dir_variable="PI_CODING_AGENT_DIR",
    looks={
        "packages": (*_both("manifests", "extensions", _PACKAGES), Look("native.installed_packages", _INDEX)),
        "modules": (*_both("modules", "extensions", {"gitignore": True}), _INSTALLED),
        "commands": (
            Look("toml_commands", "project:commands"),
            Look("markdown_commands", "project:commands", _MARKDOWN),
            Look("toml_commands", "user:commands"),
            Look("markdown_commands", "user:commands", _MARKDOWN),
            _INSTALLED,
        ),
        "skills": (*_both("skill_folders", "skills", _SKILLS), _INSTALLED),
        "subagents": (*_both("markdown_agents", "agents", {"lenient": True}), _INSTALLED),
        "mcp-servers": (
            *_both("mcp_config", "mcp.json", {"lenient": True}),
            Look("mcp_config", "project:settings.json", {"syntax": "jsonc"}),
            _INSTALLED,
        ),
        "hooks": (*_both("gemini.hooks", "hooks/hooks.json", {}), _INSTALLED),
        "policies": (_INSTALLED,),
        "context-files": (
            Look("context_walk", "user:", _DOCUMENTS),
            Look("context_walk", "project:", _DOCUMENTS),
            _INSTALLED,
        ),
        "settings": (
            Look("settings_files", "project:settings.json", {"syntax": "jsonc"}),
            Look("settings_files", "user:config.yml", {"syntax": "yaml"}),
            _INSTALLED,
        ),
        "themes": (*_both("theme_files", "themes", {}), _INSTALLED),
    },
)
