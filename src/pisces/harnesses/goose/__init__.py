"""Goose: the project before the user; recipes first, then its own folders, Claude Code's and `.agents`.

Hint files of the user and from the repository's root down to here all count. Recipes are listed as subagents, because
the agent can hand a task to one. Servers are the entries `stdio`, `sse` and `streamable_http` of the user's
`extensions`; a project has none of its own. Facts: Goose's source 1.30.0. `CONTEXT_FILE_NAMES`, `GOOSE_RECIPE_PATH`
and hints in subfolders are not followed.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, Harness, Look
from pisces.places import Places

_RECIPES = Finder("pisces.harnesses.goose.finders.recipes")
_HINTS = ".goosehints"


class Goose(Harness):
    """GOOSE_PATH_ROOT moves all its folders, XDG_CONFIG_HOME the one that holds the user's folder."""

    def user_path(self, places: Places) -> str:
        root = places.env.get("GOOSE_PATH_ROOT")
        return places.absolute(
            f"{root}/config" if root else (places.env.get("XDG_CONFIG_HOME") or "~/.config") + "/goose"
        )


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders(depth=12)
    of_project = ("project:skills", "cwd:.claude/skills", "cwd:.agents/skills")
    of_user = ("home:.agents/skills", "user:skills", "home:.claude/skills", "home:.config/agents/skills")
    return tuple(Look(skills, at) for at in (*of_project, *of_user))


def _agents() -> tuple[Look, ...]:
    agents = find.MarkdownAgents(needs=("name",))
    recipes = ("project:recipes", "cwd:.agents/recipes", "user:recipes", "home:.agents/recipes")
    of_project = ("project:agents", "cwd:.claude/agents", "cwd:.agents/agents")
    of_user = ("home:.agents/agents", "user:agents", "home:.claude/agents")
    return (
        Look(_RECIPES, "cwd:"),
        *(Look(_RECIPES, at) for at in recipes),
        *(Look(agents, at) for at in (*of_project, *of_user)),
    )


def _documents() -> tuple[Look, ...]:
    names = (_HINTS, "AGENTS.md")
    return Look(find.ContextWalk(names), "user:"), Look(find.ContextWalk(names, walk=True, repository=True))


HARNESS = Goose(
    id="goose",
    label="Goose",
    priority=16,
    user_dir="~/.config/goose",
    project_dir=".goose",
    programs=("goose",),
    context_names=(_HINTS,),
    home_files=(".agents/recipes",),
    own_files=(".agents/recipes",),
    verified="its source 1.30.0, 2026-11",
    looks={
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": lambda: (Look(Finder("pisces.harnesses.goose.finders.servers"), "user:config.yaml"),),
        "context-files": _documents,
        "settings": lambda: (
            Look(find.SettingsFiles("yaml"), "user:config.yaml"),
            Look(find.SettingsFiles("yaml"), "user:permission.yaml"),
        ),
    },
)
