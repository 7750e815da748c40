"""OpenCode: what it merges last wins, so its folders come before its files, and the project's files before the user's.

Skills in its own folders come before those of `.agents` and `.claude`, the project's before the user's; the details
of the order are those of `opencode_places`. Themes go the other way round: here, repository, user.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.places import Places

_LENIENT = {"lenient": True}
_SKILLS = {"needs": ("name",), "depth": 12, "lenient": True}


def _places(inside: tuple[str, ...], finder: str, options: Mapping[str, object], *, files: str = "") -> Look:
    return Look("opencode.places", "", {"inside": inside, "finder": finder, "options": options, "files": files})


class OpenCode(Harness):
    """XDG_CONFIG_HOME moves the folder that holds the user's folder."""

    def user_path(self, places: Places) -> str:
        return places.absolute((places.env.get("XDG_CONFIG_HOME") or "~/.config") + "/opencode")


HARNESS = OpenCode(
    id="opencode",
    label="OpenCode",
    priority=55,
    user_dir="~/.config/opencode",
    project_dir=".opencode",
    programs=("opencode",),
    looks={
        "modules": (
            _places(
                ("plugins", "plugin"),
                "modules",
                {"suffixes": (".ts", ".js"), "indexes": (), "manifests": (), "types": True, "hidden": True},
            ),
        ),
        "commands": (
            _places(
                ("commands", "command"),
                "markdown_commands",
                {"separator": "/", "name_field": "name", "lenient": True},
                files="opencode.entries",
            ),
        ),
        "skills": (
            _places(("skills", "skill"), "skill_folders", {**_SKILLS, "hidden": False}),
            Look(
                "upward",
                "",
                {
                    "inside": (".agents/skills", ".claude/skills"),
                    "finder": "skill_folders",
                    "options": _SKILLS,
                    "outermost": True,
                },
            ),
            Look("skill_folders", "home:.agents/skills", _SKILLS),
            Look("skill_folders", "home:.claude/skills", _SKILLS),
        ),
        "subagents": (
            _places(("modes", "mode"), "markdown_agents", {"needs": (), "quiet": True, "lenient": True}),
            _places(
                ("agents", "agent"),
                "markdown_agents",
                {"needs": (), "separator": "/", "recursive": True, "lenient": True},
                files="opencode.entries",
            ),
        ),
        "mcp-servers": (_places((), "mcp_config", {**_LENIENT, "keys": ("mcp",)}, files="mcp_config"),),
        "context-files": (Look("opencode.context"),),
        "settings": (_places((), "settings_files", _LENIENT, files="settings_files"),),
        "themes": (
            Look("upward", "", {"inside": ".opencode/themes", "finder": "theme_files"}),
            Look("theme_files", "user:themes"),
        ),
    },
)
