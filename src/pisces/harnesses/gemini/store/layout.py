"""Where things lie: extensions where Gemini CLI looks, everything of ours in `~/.gemini/.pisces`, where it does not."""

from __future__ import annotations

import os

from pisces.discovery.enablement import ENABLEMENT_FILE
from pisces.harnesses.gemini.enabled import INSTALL_FILE
from pisces.harnesses.gemini.unfinished import OUTGOING, OWN_FOLDER
from pisces.packages.store.store import Store
from pisces.packages.store.tree import tree_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.store.tree import Tree
    from pisces.places import Places

ENV_FILE = ".env"
GIT_FOLDER = ".git"

# What the store keeps beside a package's own files: its note, the user's settings, and what git needs.
BESIDE = (INSTALL_FILE, ENV_FILE, GIT_FOLDER)
CHANGED_BY_USERS = (ENV_FILE, GIT_FOLDER)


class GeminiStore(Value):
    """`folder` is `~/.gemini`. A change passes through `incoming` and `outgoing`; `trash` is only waiting to go."""

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
        """For `stage`: a place to fetch into, on the same file system."""
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
    return GeminiStore(os.path.join(places.home, ".gemini"))


def content_of(folder: str) -> Tree:
    """The package's own files, as they were agreed to: without what the store keeps beside them."""
    return tree_of(folder, left_out=BESIDE)


def state_of(folder: str) -> str:
    """A hash that tells one state of a folder from another: with the note, without what users change by themselves."""
    return tree_of(folder, left_out=CHANGED_BY_USERS).hash
