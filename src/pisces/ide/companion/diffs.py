"""Diffs that wait for a decision: shown by the editor, settled there or in the terminal, once.

A diff belongs to the session that opened it and ends with it. Only the client writes the file, never the companion.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Any

from pisces.ide.companion.editor_thread import EditorThread
from pisces.ide.companion.http import notification_frame
from pisces.ide.companion.options import Editor
from pisces.ide.companion.sessions import CompanionSession
from pisces.value import Value

Send = Callable[[bytes, CompanionSession], None]

ACCEPTED = "ide/diffAccepted"
REJECTED = "ide/diffRejected"


class EditorDiff(Value):
    path: str
    content: str
    session: CompanionSession


class EditorDiffs:
    """`settle` and `forget` may be called from any thread."""

    def __init__(self, editor: Editor, thread: EditorThread, send: Send) -> None:
        self._editor = editor
        self._thread = thread
        self._send = send
        self._open: dict[str, EditorDiff] = {}
        self._lock = threading.RLock()

    async def open(self, session: CompanionSession, path: str, content: str) -> None:
        """Shows a diff in place of an older one of the same file."""
        show = self._editor.open_diff
        assert show is not None, "offered only where the editor shows diffs"
        diff = EditorDiff(path, content, session)
        with self._lock:
            self._open[path] = diff
        try:
            await self._thread.call(lambda: show(path, content))
        except (asyncio.CancelledError, TimeoutError):  # the client is gone, or the editor may still show it
            if self._dropped(diff):
                self._thread.queue(lambda: self._close_view(path))
            raise
        except BaseException:
            self._dropped(diff)
            raise

    async def close(self, session: CompanionSession, path: str) -> str | None:
        """Closes a diff and returns its text; None if this session has no such diff."""
        with self._lock:
            diff = self._open.get(path)
            if diff is None or diff.session is not session:
                return None
            del self._open[path]
        left = await self._thread.call(lambda: self._close_view(path))
        return diff.content if left is None else str(left)

    def settle(self, path: str, method: str, content: str | None = None) -> bool:
        """Sends the user's decision to the client; False if no such diff is open."""
        diff = self.forget(path)
        if diff is None:
            return False
        params: dict[str, Any] = {"filePath": diff.path}
        if method == ACCEPTED:
            params["content"] = diff.content if content is None else content
        self._send(notification_frame(method, params), diff.session)
        return True

    def forget(self, path: str) -> EditorDiff | None:
        """Removes and returns the open diff of a file, by any spelling of its path."""
        with self._lock:
            found = self._open.pop(path, None)
            if found is None:
                real = _real(path)
                same = next((each for each in self._open if _real(each) == real), "")
                found = self._open.pop(same, None)
            return found

    def clear(self) -> None:
        with self._lock:
            self._open.clear()

    def session_ended(self, session: CompanionSession) -> None:
        """Closes the diffs of the session."""
        with self._lock:
            paths = [path for path, diff in self._open.items() if diff.session is session]
            for path in paths:
                del self._open[path]
        for path in paths:
            self._thread.queue(lambda path=path: self._close_view(path))  # type: ignore[misc]

    def _dropped(self, diff: EditorDiff) -> bool:
        """Removes the diff; False if it was replaced or removed before."""
        with self._lock:
            if self._open.get(diff.path) is not diff:
                return False
            del self._open[diff.path]
            return True

    def _close_view(self, path: str) -> str | None:
        return self._editor.close_diff(path) if self._editor.close_diff else None


def _real(path: str) -> str:
    try:
        return os.path.normcase(os.path.realpath(path))
    except ValueError:  # a client or plugin sent what cannot be a path
        return path
