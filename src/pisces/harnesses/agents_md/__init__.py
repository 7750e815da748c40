"""What belongs to no single harness: AGENTS.md and its like, and the shared folders `.agents` and `.agent`.

Context files are read from the current directory up to the repository's root, nearest first, since the nearest file
wins by the AGENTS.md convention. Skills and commands of a project come before those of the user.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

_NAMES = ("AGENTS.override.md", "AGENTS.md", ".agents/AGENTS.md", ".agent/AGENTS.md", "CLAUDE.md", "GEMINI.md")
_SKILLS = {"needs": ("description",), "hidden": False, "lenient": True}
_COMMANDS = {"dialect": "claude", "recursive": False, "lenient": True, "first_line": True}

HARNESS = Harness(
    id="agents-md",
    label="AGENTS.md",
    priority=10,
    context_names=("AGENTS.md",),
    looks={
        "context-files": (
            Look("context_walk", "cwd:", {"names": _NAMES, "walk": True, "nearest": True}),
            Look("context_walk", "home:", {"names": (".agents/AGENTS.md", ".agent/AGENTS.md")}),
        ),
        "skills": (
            Look(
                "upward",
                "cwd:",
                {"inside": (".agents/skills", ".agent/skills"), "finder": "skill_folders", "options": _SKILLS},
            ),
            Look("skill_folders", "home:.agents/skills", _SKILLS),
            Look("skill_folders", "home:.agent/skills", _SKILLS),
        ),
        "commands": (
            Look(
                "upward",
                "cwd:",
                {
                    "inside": (".agents/commands", ".agent/commands"),
                    "finder": "markdown_commands",
                    "options": _COMMANDS,
                },
            ),
            Look("markdown_commands", "home:.agents/commands", _COMMANDS),
            Look("markdown_commands", "home:.agent/commands", _COMMANDS),
        ),
    },
)
