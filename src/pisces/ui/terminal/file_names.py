"""Names of the files of a workspace for `@`: our own walk in a thread, without what its ignore files leave out.

Nothing waits for it: what has been found so far is there at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from pisces.discovery.ignore_files import IgnoreFiles
from pisces.files import entries
from pisces.ui.terminal.fuzzy import FoldedNames, folded_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST = 200_000
_FRESH = 60.0  # seconds for which a walk is good
_FIRST = 2000  # names after which the first part is handed over


class WorkspaceNames:
    """`names` is what is known now; asking for it starts a walk where the last one is old."""

    def __init__(self, folder: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._names = folded_names(())
        self._walked = -_FRESH
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def names(self) -> FoldedNames:
        is_walking = self._thread is not None and self._thread.is_alive()
        if not is_walking and not self._stop.is_set() and self._clock() - self._walked >= _FRESH:
            self._walked = self._clock()
            self._thread = threading.Thread(target=self._walk, name="pisces: file names", daemon=True)
            self._thread.start()
        return self._names

    def settle(self, seconds: float) -> FoldedNames:
        """Waits for the walk that is under way."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._names

    def close(self) -> None:
        self._stop.set()

    def _walk(self) -> None:
        found: list[str] = []
        for name in workspace_files(self._folder):
            found.append(name)
            if len(found) == _FIRST and not self._names.names:
                self._names = folded_names(found)
            if len(found) >= MOST or self._stop.is_set():
                break
        self._names = folded_names(found)


def workspace_files(folder: str) -> Iterator[str]:
    """Relative paths with `/`, those near the top first. Folders end with one. Links to folders are not followed."""
    ignored = IgnoreFiles(folder)
    folders = deque([""])
    while folders:
        inside = folders.popleft()
        for entry in entries(os.path.join(folder, inside)):
            name = f"{inside}{entry.name}"
            is_folder = _is_folder(entry)
            if not entry.name.isprintable() or ignored.is_ignored(entry.path, folder=is_folder):
                continue
            if is_folder:
                folders.append(f"{name}/")
                yield f"{name}/"
            else:
                yield name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
