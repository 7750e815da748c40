"""Roo Code: project before user, `.roo` before `.agents`, and what is for one mode before what is for all.

Rules of both levels apply, the user's first. A mode is an agent. `.roorules` and `.clinerules` count only where no
folder `rules` has a file. The user's servers and modes lie in the storage of the editor or of the command line.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look, project_then_user

# Below home: VS Code on Linux, macOS and Windows, its server, and the command line `roo`.
_EDITORS = (".config/Code", "Library/Application Support/Code", "AppData/Roaming/Code", ".vscode-server/data")
_STORAGE = (
    *(f"home:{editor}/User/globalStorage/rooveterinaryinc.roo-cline/settings" for editor in _EDITORS),
    "home:.vscode-mock/global-storage/settings",
)


def _stored(then: FinderOptions, name: str) -> tuple[Look, ...]:
    return tuple(Look(then, f"{folder}/{name}") for folder in _STORAGE)


def _skills() -> tuple[Look, ...]:
    skills = Finder("pisces.harnesses.roo.finders.skills")
    places = ("project:", "cwd:.agents", "user:", "home:.agents")
    return tuple(Look(skills, at) for at in places)


def _modes() -> tuple[Look, ...]:
    modes = Finder("pisces.harnesses.roo.finders.modes")
    return Look(modes, "cwd:.roomodes"), *_stored(modes, "custom_modes.yaml")


def _documents() -> tuple[Look, ...]:
    return (
        Look(Finder("pisces.harnesses.roo.finders.rules")),
        Look(find.ContextWalk(("AGENTS.md", "AGENT.md"), first=True), "cwd:"),
        Look(find.ContextWalk(("AGENTS.local.md",))),
    )


HARNESS = Harness(
    id="roo",
    label="Roo Code",
    priority=7,
    user_dir="~/.roo",
    project_dir=".roo",
    programs=("roo",),
    context_names=(".roorules", "AGENT.md", "AGENTS.local.md"),
    home_files=tuple(folder.removeprefix("home:") for folder in _STORAGE),
    own_files=(".roomodes",),
    verified="its source 3.52.1, 2026-11",
    looks={
        "commands": lambda: project_then_user(find.MarkdownCommands(recursive=False, lenient=True), "commands"),
        "skills": _skills,
        "subagents": _modes,
        "mcp-servers": lambda: (
            Look(find.McpConfig(), "project:mcp.json"),
            *_stored(find.McpConfig(), "mcp_settings.json"),
        ),
        "context-files": _documents,
        "settings": lambda: (Look(find.SettingsFiles(), "user:cli-settings.json"),),
    },
)
