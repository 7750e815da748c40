"""The list of open files, for editors that report single changes: focused, selected, closed, renamed.

The newest comes first. Only the focused file has a cursor and a selection. Which ten are sent is decided when they are
sent: files that do not exist, and private ones, take no place.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pisces.ide.shared_context import inactive
from pisces.shapes.ide_context import Cursor, OpenFile

_MOST_LISTED = 1000


class OpenFiles:
    """May be used from any thread. Calls `changed` after every change."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.listed: tuple[OpenFile, ...] = ()
        self._changed = changed
        self._lock = threading.RLock()
        self._last = 0

    def focus(self, path: str, cursor: Cursor | None = None, selected_text: str = "") -> None:
        """The user has focused this file."""
        with self._lock:
            others = (inactive(each) for each in self._without(path))
            self._put(OpenFile(path, self._now(), True, cursor, selected_text), *others)

    def open(self, path: str) -> None:
        """A file was opened without focus."""
        with self._lock:
            if all(each.path != path for each in self.listed):
                active = [each for each in self.listed if each.is_active]
                rest = [each for each in self.listed if not each.is_active]
                file = OpenFile(path, self._now())
                self._put(*(each.replace(timestamp=self._now()) for each in active), file, *rest)

    def select(self, cursor: Cursor | None = None, selected_text: str = "") -> None:
        """The cursor or the selection moved in the focused file."""
        with self._lock:
            if self.listed and self.listed[0].is_active:
                first = self.listed[0].replace(cursor=cursor, selected_text=selected_text)
                self._put(first, *self.listed[1:])

    def close(self, path: str) -> None:
        with self._lock:
            self._put(*self._without(path))

    def rename(self, path: str, to: str) -> None:
        with self._lock:
            self._put(*(each.replace(path=to) if each.path == path else each for each in self._without(to)))

    def replace(self, files: tuple[OpenFile, ...]) -> None:
        """Replaces the whole list, for an editor that has its own."""
        with self._lock:
            self._put(*sorted(files, key=lambda each: each.timestamp, reverse=True))

    def _without(self, path: str) -> tuple[OpenFile, ...]:
        return tuple(each for each in self.listed if each.path != path)

    def _put(self, *files: OpenFile) -> None:
        self.listed = files[:_MOST_LISTED]
        self._changed()

    def _now(self) -> int:
        """Strictly increasing, so that the order is unambiguous."""
        self._last = max(self._last + 1, int(time.time() * 1000))
        return self._last
