"""pi: project before user, and everything that is written by hand before packages; `.agents/skills` comes along.

AGENTS.md, or else CLAUDE.md, of the user and of every folder from the top down to here is used; of SYSTEM.md and
APPEND_SYSTEM.md only the project's or else the user's.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

_MODULES = {
    "suffixes": (".ts", ".js"),
    "indexes": ("index.ts", "index.js"),
    "manifests": (("package.json", ("pi",)),),
    "root": True,
    "types": True,
}
_PROMPTS = {"recursive": False, "first_line": True}
_SKILLS = {"needs": ("description",), "depth": 12, "loose": True, "hidden": False}
_THEMES = {"name_field": "name"}
_DOCUMENTS = {"names": ("AGENTS.md", "CLAUDE.md"), "first": True}

HARNESS = Harness(
    id="pi",
    label="pi",
    priority=65,
    user_dir="~/.pi/agent",
    project_dir=".pi",
    programs=("pi",),
    looks={
        "modules": (Look("modules", "project:extensions", _MODULES), Look("modules", "user:extensions", _MODULES)),
        "commands": (
            Look("markdown_commands", "project:prompts", _PROMPTS),
            Look("markdown_commands", "user:prompts", _PROMPTS),
        ),
        "skills": (
            Look("skill_folders", "project:skills", _SKILLS),
            Look("upward", "", {"inside": ".agents/skills", "finder": "skill_folders", "options": _SKILLS}),
            Look("skill_folders", "user:skills", _SKILLS),
            Look("skill_folders", "home:.agents/skills", _SKILLS),
        ),
        "context-files": (
            Look("first_found", "", {"names": ("SYSTEM.md", "APPEND_SYSTEM.md")}),
            Look("context_walk", "user:", _DOCUMENTS),
            Look("context_walk", "", {**_DOCUMENTS, "walk": True, "top": True}),
        ),
        "settings": (Look("settings_files", "project:settings.json"), Look("settings_files", "user:settings.json")),
        "themes": (Look("theme_files", "project:themes", _THEMES), Look("theme_files", "user:themes", _THEMES)),
    },
)
