"""The layout: extensions where Gemini CLI looks, our own files in `~/.gemini/.pisces`, where it does not."""

from __future__ import annotations

import os

from pisces.discovery.enablement import ENABLEMENT_FILE
from pisces.harnesses.gemini import HARNESS, INSTALL_FILE
from pisces.harnesses.gemini.unfinished import OUTGOING, OWN_FOLDER
from pisces.packages.store.store import Store
from pisces.packages.store.tree import Tree, tree_of
from pisces.places import Places
from pisces.value import Value

ENV_FILE = ".env"
GIT_FOLDER = ".git"

# The store's own files in a package's folder: the note, the user's settings, and git's folder.
BESIDE = (INSTALL_FILE, ENV_FILE, GIT_FOLDER)
CHANGED_BY_USERS = (ENV_FILE, GIT_FOLDER)


class GeminiStore(Value):
    """`folder` is `~/.gemini`. A change passes through `incoming` and `outgoing`; `trash` is to be deleted."""

    folder: str

    @property
    def extensions(self) -> str:
        return os.path.join(self.folder, "extensions")

    @property
    def enablement_path(self) -> str:
        return os.path.join(self.extensions, ENABLEMENT_FILE)

    @property
    def own(self) -> str:
        return os.path.join(self.folder, OWN_FOLDER)

    @property
    def stages(self) -> Store:
        """For `stage`: a folder to fetch into, on the same file system."""
        return Store(os.path.join(self.own, "staging"))

    def extension(self, folder: str) -> str:
        return os.path.join(self.extensions, folder)

    def incoming(self, folder: str) -> str:
        return os.path.join(self.own, "incoming", folder)

    def outgoing(self, folder: str) -> str:
        return os.path.join(self.own, OUTGOING, folder)

    def trash(self, folder: str) -> str:
        return os.path.join(self.own, "trash", folder)

    def previous(self, name: str) -> str:
        return os.path.join(self.own, "previous", name)

    @property
    def records(self) -> str:
        return os.path.join(self.own, "records")

    def record_path(self, name: str) -> str:
        return os.path.join(self.records, f"{name}.json")

    @property
    def journal_path(self) -> str:
        return os.path.join(self.own, "journal.json")


def gemini_store(places: Places) -> GeminiStore:
    return GeminiStore(HARNESS.user_path(places))


def content_of(folder: str) -> Tree:
    """The package's own files, to which the user agreed: without the store's files."""
    return tree_of(folder, left_out=BESIDE)


def state_of(folder: str) -> str:
    """The hash of a folder's state: with the note, without files that users change."""
    return tree_of(folder, left_out=CHANGED_BY_USERS).hash
