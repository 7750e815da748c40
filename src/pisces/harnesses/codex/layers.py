"""Codex's layers of configuration: the folders from here up to the project's root, then the user's, and who is trusted.

A folder is trusted if `[projects."<folder>"]` of the user's config.toml says so; where it says nothing, the project's
root is asked, then the main checkout of a linked worktree. Without a root, which is a folder with one of
`project_root_markers`, the current directory is the project. Context files ask for the current directory and for its
repository alone, which is the main checkout in a linked worktree (Codex 0.166.0).
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import TOML, ConfigFile, config_at
from pisces.discovery.state import UNTRUSTED, State, switched
from pisces.discovery.worktree import is_repository, main_checkout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Harness, Run
    from pisces.places import Places

CONFIG = "config.toml"
_MARKERS = (".git",)
_POLICIES = ("on-request", "never", "on-failure")
_SANDBOXES = ("read-only", "workspace-write", "danger-full-access")


class Layers:
    """What the user's config.toml says about projects, read once."""

    def __init__(self, harness: Harness, places: Places, run: Run) -> None:
        self.places, self.run = places, run
        self.user_path = os.path.join(harness.user_path(places), CONFIG)
        self.user = self.config(self.user_path)
        self.folders = self._folders()
        self.main = main_checkout(self.folders[-1])

    def config(self, path: str) -> ConfigFile | None:
        file = config_at(path, TOML, self.run)
        return file if isinstance(file, ConfigFile) and isinstance(file.value, dict) else None

    @property
    def has_flaw(self) -> bool:
        """Whether Codex does not start with the user's config.toml, because of itself or of what limits commands."""
        if self.user is None:
            return config_at(self.user_path, TOML, self.run) is not None
        policy, sandbox = (self.user.value.get(key) for key in ("approval_policy", "sandbox_mode"))
        is_known = policy is None or policy in _POLICIES or (isinstance(policy, dict) and list(policy) == ["granular"])
        return not is_known or (sandbox is not None and sandbox not in _SANDBOXES)

    def held(self, folder: str) -> State | None:
        """Why the configuration and the hooks in a project's folder do not count; None where they do."""
        level, marked = self._marked(folder, self.folders[-1], self.main)
        if level == "trusted" or marked:
            return marked
        change = f'answer the trust question of Codex here, or add `[projects."{self.folders[-1]}"]` with `trust_level`'
        return State(UNTRUSTED, "nobody trusts this folder in Codex yet", self.user_path, 0, change, only_here=True)

    def checked_out(self, folder: str) -> str:
        """The folder of the main checkout that stands for one of a linked worktree; itself in any other."""
        return (
            os.path.normpath(os.path.join(self.main, os.path.relpath(folder, self.folders[-1])))
            if self.main
            else folder
        )

    def distrusted(self) -> State | None:
        """The line by which the user distrusts the current directory or its repository, which is all that is asked."""
        here = self.places.cwd
        while not is_repository(here) and os.path.dirname(here) != here:
            here = os.path.dirname(here)
        return self._marked(self.places.cwd, main_checkout(here) or here)[1]

    def _marked(self, *folders: str) -> tuple[object, State | None]:
        """The trust level that is written for the first of some folders, and the state if it is no trust."""
        for each in filter(None, folders):
            keys = ("projects", each, "trust_level")
            level = self.user.part(keys) if self.user else None
            if level == "trusted":
                return level, None
            if level is not None and self.user:
                change = 'set `trust_level = "trusted"` there'
                return level, switched(UNTRUSTED, f"the folder is marked `{level}`", self.user, keys, change)
        return None, None

    def _folders(self) -> list[str]:
        markers = self.user.part(("project_root_markers",)) if self.user else None
        names = [each for each in markers if isinstance(each, str)] if isinstance(markers, list) else _MARKERS
        folders, here = [], self.places.cwd
        while True:
            folders.append(here)
            if any(_is_marked(here, name) for name in names):
                return folders
            parent = os.path.dirname(here)
            if parent == here:
                return folders[:1]
            here = parent


def _is_marked(folder: str, name: str) -> bool:
    return is_repository(folder) if name == ".git" else os.path.lexists(os.path.join(folder, name))
