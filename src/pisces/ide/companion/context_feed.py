"""Debounces the editor's changes: sends the newest context, at most once in 50 ms.

Later changes do not restart the timer, so updates are also sent while the user types without pause.
"""

from __future__ import annotations

import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable

from pisces.ide.companion.http import notification_frame
from pisces.ide.companion.options import CompanionOptions
from pisces.ide.shared_context import sendable
from pisces.shapes.ide_context import IdeContext, as_json

METHOD = "ide/contextUpdate"


class ContextFeed:
    """`change` may be called from any thread; everything else runs in the loop's thread."""

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
            self._schedule()

    def repeat(self) -> None:
        """Sends the context again, even if unchanged."""
        with self._lock:
            self._last = b""
            self._schedule()

    def frame(self) -> bytes:
        """The context now: files may have been removed since the last change."""
        return notification_frame(METHOD, as_json(sendable(self._newest, self._options.private)))

    def _schedule(self) -> None:
        if self._loop and not self._is_due:
            self._is_due = True
            self._loop.call_soon_threadsafe(self._start_timer)

    def _start_timer(self) -> None:
        if self._loop:
            self._loop.call_later(self._options.debounce, self._send_newest)

    def _send_newest(self) -> None:
        with self._lock:
            self._is_due = False
        frame = self.frame()
        if frame != self._last:
            self._last = frame
            self._publish(frame)
