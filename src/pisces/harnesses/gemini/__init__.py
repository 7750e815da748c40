"""Gemini CLI: user before project for packages; workspace before user for what the user writes by hand."""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

_PACKAGES = {"manifest": "gemini-extension.json", "format": "gemini"}

_FROM_PACKAGES = Look("gemini.packages")
_SETTINGS = {"settings": True}
_COMMENTED = {"syntax": "jsonc"}

HARNESS = Harness(
    id="gemini",
    label="Gemini CLI",
    priority=60,
    user_dir="~/.gemini",
    project_dir=".gemini",
    programs=("gemini",),
    context_names=("GEMINI.md",),
    looks={
        "packages": (
            Look("manifests", "user:extensions", _PACKAGES),
            Look("manifests", "user:.pisces/outgoing", _PACKAGES),  # an update of ours that was cut short
            Look("gemini.enablement", "user:extensions/extension-enablement.json"),
            Look("manifests", "project:extensions", _PACKAGES),
        ),
        "commands": (Look("gemini.commands"),),
        "skills": (
            Look("gemini.skills", "cwd:.agents/skills"),
            Look("gemini.skills", "project:skills"),
            Look("gemini.skills", "home:.agents/skills"),
            Look("gemini.skills", "user:skills"),
            _FROM_PACKAGES,
        ),
        "subagents": (
            Look("gemini.agents", "project:agents"),
            Look("gemini.agents", "user:agents"),
            _FROM_PACKAGES,
        ),
        "hooks": (
            Look("gemini.hooks", "project:settings.json", _SETTINGS),
            Look("gemini.hooks", "user:settings.json", _SETTINGS),
            _FROM_PACKAGES,
        ),
        "policies": (
            Look("gemini.policies", "user:policies", {"tier": 4}),
            Look("gemini.policies", "project:policies", {"tier": 3}),
            _FROM_PACKAGES,
        ),
        "mcp-servers": (
            Look("mcp_config", "project:settings.json", _COMMENTED),
            Look("mcp_config", "user:settings.json", _COMMENTED),
            _FROM_PACKAGES,
        ),
        "context-files": (
            Look("context_walk", "user:", {"names": ("GEMINI.md",)}),
            _FROM_PACKAGES,
            Look("context_walk", "cwd:", {"names": ("GEMINI.md",), "walk": True}),
        ),
        "settings": (
            Look("settings_files", "project:settings.json", _COMMENTED),
            Look("settings_files", "user:settings.json", _COMMENTED),
            _FROM_PACKAGES,
        ),
        "themes": (_FROM_PACKAGES,),
    },
)
