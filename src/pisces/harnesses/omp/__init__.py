"""oh-my-pi: project before user, first seen wins; of SYSTEM.md, RULES.md and AGENTS.md the nearest `.omp` counts.

PI_CONFIG_DIR renames the user's `.omp`; the project's keeps its name. PI_CODING_AGENT_DIR is left to pisces itself.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

_MODULES = {
    "suffixes": (".ts", ".js"),
    "indexes": ("index.ts", "index.js"),
    "manifests": (("package.json", ("omp",)), ("package.json", ("pi",))),
    "fallback": False,
    "patterns": False,
    "types": True,
}
_PACKAGES = {
    "manifest": "gemini-extension.json",
    "format": "gemini",
    "message": "Failed to parse",
    "hidden": False,
    "name_or": True,
}
_COMMANDS = {"recursive": False, "first_line": True, "lenient": True}
_SKILLS = {"needs": ("description",), "hidden": False, "lenient": True}
_AGENTS = {"lenient": True}
_YAML = {"syntax": "yaml"}


class OhMyPi(Harness):
    """The user's folder is `agent` below `~/.omp`, whatever PI_CONFIG_DIR calls that."""

    def user_path(self, places: Places) -> str:
        return places.absolute(f"~/{places.env.get('PI_CONFIG_DIR') or '.omp'}/agent")


HARNESS = OhMyPi(
    id="omp",
    label="oh-my-pi",
    priority=90,
    user_dir="~/.omp/agent",
    project_dir=".omp",
    programs=("omp",),
    looks={
        "packages": (
            Look("manifests", "project:extensions", _PACKAGES),
            Look("manifests", "user:extensions", _PACKAGES),
        ),
        "modules": (Look("modules", "project:extensions", _MODULES), Look("modules", "user:extensions", _MODULES)),
        "commands": (
            Look("markdown_commands", "project:commands", _COMMANDS),
            Look("markdown_commands", "user:commands", _COMMANDS),
            Look("markdown_commands", "project:prompts", _COMMANDS),
            Look("markdown_commands", "user:prompts", _COMMANDS),
        ),
        "skills": (
            Look("upward", "", {"inside": ".omp/skills", "finder": "skill_folders", "options": _SKILLS}),
            Look("skill_folders", "user:skills", _SKILLS),
        ),
        "subagents": (
            Look("markdown_agents", "project:agents", _AGENTS),
            Look("markdown_agents", "user:agents", _AGENTS),
        ),
        "mcp-servers": (
            Look("mcp_config", "project:mcp.json"),
            Look("mcp_config", "project:.mcp.json"),
            Look("mcp_config", "user:mcp.json"),
            Look("mcp_config", "user:.mcp.json"),
        ),
        "hooks": (Look("omp.hooks", "project:hooks"), Look("omp.hooks", "user:hooks")),
        "context-files": (
            Look("first_found", "", {"names": ("SYSTEM.md",), "upward": True}),
            Look("first_found", "", {"names": ("RULES.md", "AGENTS.md"), "places": ("user",)}),
            Look("first_found", "", {"names": ("RULES.md", "AGENTS.md"), "places": ("project",), "upward": True}),
            Look("context_walk", "project:", {"names": ("rules/*",), "suffix": (".md", ".mdc")}),
            Look("context_walk", "user:", {"names": ("rules/*",), "suffix": (".md", ".mdc")}),
        ),
        "settings": (
            Look("settings_files", "project:config.yml", _YAML),
            Look("settings_files", "project:settings.json"),
            Look("settings_files", "user:config.yml", _YAML),
            Look("settings_files", "user:settings.json"),
        ),
        "themes": (Look("theme_files", "user:themes"),),
    },
)
