"""From the editor's many small changes to few updates: the newest state, at most one in each 50 ms.

The first change starts the clock and later ones do not restart it, so somebody who types without pause is heard too.
"""

from __future__ import annotations

import os
import threading

from pisces.ide.companion.reply import event_frame
from pisces.ide.private_files import is_private
from pisces.shapes.ide_context import MOST_FILES, MOST_SELECTED, Cursor, IdeContext, as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

    from pisces.ide.companion.options import CompanionOptions
    from pisces.shapes.ide_context import OpenFile

METHOD = "ide/contextUpdate"


class ContextFeed:
    """`change` may be called from any thread; everything else happens in the loop's."""

    def __init__(self, options: CompanionOptions, publish: Callable[[bytes], None]) -> None:
        self._options = options
        self._publish = publish
        self._newest = IdeContext()
        self._last = b""
        self._lock = threading.RLock()
        self._loop: AbstractEventLoop | None = None
        self._is_due = False

    def run_in(self, loop: AbstractEventLoop | None) -> None:
        with self._lock:
            self._loop = loop
            self._is_due = False

    def change(self, context: IdeContext) -> None:
        with self._lock:
            self._newest = context
            self._call_clock()

    def repeat(self) -> None:
        """Tells the context again, though it is the same."""
        with self._lock:
            self._last = b""
            self._call_clock()

    def frame(self) -> bytes:
        """The context as it is now: files may have gone since."""
        return event_frame(
            {"jsonrpc": "2.0", "method": METHOD, "params": as_json(sendable(self._newest, self._options))}
        )

    def _call_clock(self) -> None:
        if self._loop and not self._is_due:
            self._is_due = True
            self._loop.call_soon_threadsafe(self._start_clock)

    def _start_clock(self) -> None:
        if self._loop:
            self._loop.call_later(self._options.debounce, self._tell)

    def _tell(self) -> None:
        with self._lock:
            self._is_due = False
        frame = self.frame()
        if frame != self._last:
            self._last = frame
            self._publish(frame)


def sendable(context: IdeContext, options: CompanionOptions) -> IdeContext:
    """Newest first, ten at most, files that exist and hold no secrets; only the newest may be the active one."""
    newest_first = sorted(context.open_files, key=_timestamp, reverse=True)
    newest = newest_first[0] if newest_first else None
    files: list[OpenFile] = []
    for file in newest_first:
        if len(files) == MOST_FILES:
            break
        if _is_tellable(file, options):
            files.append(_active(file) if file is newest and file.is_active else _inactive(file))
    return context.replace(open_files=tuple(files))


def cut(text: str, most: int = MOST_SELECTED) -> str:
    """At most so many UTF-16 units, and no half character at the end."""
    if len(text) * 2 <= most:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    return units[: most * 2].decode("utf-16-le", "ignore") if len(units) > most * 2 else text


def _is_tellable(file: OpenFile, options: CompanionOptions) -> bool:
    return os.path.isabs(file.path) and not is_private(file.path, options.private) and os.path.isfile(file.path)


def _active(file: OpenFile) -> OpenFile:
    cursor = file.cursor and Cursor(max(1, file.cursor.line), max(1, file.cursor.character))
    return file.replace(cursor=cursor, selected_text=cut(file.selected_text))


def _inactive(file: OpenFile) -> OpenFile:
    return file.replace(is_active=False, cursor=None, selected_text="")


def _timestamp(file: OpenFile) -> float:
    return file.timestamp
