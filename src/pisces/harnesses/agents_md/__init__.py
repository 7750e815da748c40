"""What belongs to no single harness: AGENTS.md and its like, and the shared folders `.agents` and `.agent`.

Context files are read from the current directory up to the repository's root, nearest first, since the nearest file
wins by the AGENTS.md convention. Skills and commands of a project come before those of the user.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Harness, Look

_NAMES = ("AGENTS.override.md", "AGENTS.md", ".agents/AGENTS.md", ".agent/AGENTS.md", "CLAUDE.md", "GEMINI.md")
_SKILLS = find.SkillFolders(needs=("description",), hidden=False, lenient=True)
_COMMANDS = find.MarkdownCommands(dialect="claude", recursive=False, lenient=True, first_line=True)

HARNESS = Harness(
    id="agents-md",
    label="AGENTS.md",
    priority=10,
    context_names=("AGENTS.md",),
    is_program=False,
    verified="as the conventions of AGENTS.md and Agent Skills say, 2026",
    looks={
        "context-files": lambda: (
            Look(find.ContextWalk(_NAMES, walk=True, nearest=True), "cwd:"),
            Look(find.ContextWalk((".agents/AGENTS.md", ".agent/AGENTS.md")), "home:"),
        ),
        "skills": lambda: (
            Look(find.Upward((".agents/skills", ".agent/skills"), _SKILLS), "cwd:"),
            Look(_SKILLS, "home:.agents/skills"),
            Look(_SKILLS, "home:.agent/skills"),
        ),
        "commands": lambda: (
            Look(find.Upward((".agents/commands", ".agent/commands"), _COMMANDS), "cwd:"),
            Look(_COMMANDS, "home:.agents/commands"),
            Look(_COMMANDS, "home:.agent/commands"),
        ),
    },
)
