"""Where Claude Code keeps its things, without reading any of them, so that its harness costs little to load."""

from __future__ import annotations

import os
import sys

from pisces.discovery.worktree import main_checkout
from pisces.places import Places

USER_DIR = "~/.claude"
USER_DIR_VARIABLE = "CLAUDE_CONFIG_DIR"
PLUGINS_VARIABLE = "CLAUDE_CODE_PLUGIN_CACHE_DIR"  # despite its name, the folder that holds everything about plugins
# Of the machine's administrator.
MANAGED_FOLDER = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "win32": r"C:\Program Files\ClaudeCode",
}.get(sys.platform, "/etc/claude-code")


def user_folder(places: Places) -> str:
    return places.absolute(places.env.get(USER_DIR_VARIABLE) or USER_DIR)


def plugin_records(places: Places) -> str:
    """The file that lists the plugins that are installed."""
    return os.path.join(_plugins_folder(places), "installed_plugins.json")


def marketplace_records(places: Places) -> str:
    """The file that lists the marketplaces that were added."""
    return os.path.join(_plugins_folder(places), "known_marketplaces.json")


def skills_folders(places: Places) -> tuple[str, str]:
    """Of the user and of the project; a folder with a manifest in one of them is a plugin."""
    return os.path.join(user_folder(places), "skills"), os.path.join(places.cwd, ".claude", "skills")


def state_file(places: Places) -> str:
    """Where Claude Code keeps servers of the user and of single projects: beside its folder, unless that was moved."""
    moved = places.env.get(USER_DIR_VARIABLE, "")
    return os.path.join(places.absolute(moved) if moved else places.home, ".claude.json")


def repository_root(places: Places) -> str:
    """The root of the repository that the current directory is in; itself where it is in none."""
    *_, top = places.ancestors()
    return top if os.path.lexists(os.path.join(top, ".git")) else places.cwd


def local_folders(places: Places) -> tuple[str, ...]:
    """Where a `.claude/settings.local.json` counts, strongest first: at the root of the repository and here.

    In a linked worktree the root is that of the main checkout. A `.git` without what Git puts there is none.
    """
    here, root = places.cwd, repository_root(places)
    git = os.path.join(root, ".git")
    complete = all(os.path.lexists(os.path.join(git, name)) for name in ("HEAD", "objects", "refs"))
    top = root if complete else main_checkout(root)
    return (top, here) if top and top not in (here, places.home) and os.name != "nt" else (here,)


def _plugins_folder(places: Places) -> str:
    moved = places.env.get(PLUGINS_VARIABLE, "")
    return places.absolute(moved) if moved else os.path.join(user_folder(places), "plugins")
