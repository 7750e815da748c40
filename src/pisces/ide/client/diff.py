"""A diff that waits for the user, who accepts or rejects it in the editor or in the terminal. The first answer counts.

Content None means "as proposed"; an empty text means that the user emptied the file.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

from pisces.ide.client.connection import ClientConnection
from pisces.ide.client.wire import Failed, Unreachable
from pisces.value import Value

EDITOR = "editor"
TERMINAL = "terminal"
_OPEN_SECONDS = 600.0  # an editor may first ask the user where to show it
_SHOWN_SECONDS = 5.0  # then the terminal asks, even if the editor has not answered
_CLOSE_SECONDS = 10.0
_LATE_SECONDS = 1.0  # for an editor that has not answered `openDiff`


class DiffOutcome(Value):
    """`content` is the text as the user edited it, None if it is as proposed."""

    is_accepted: bool
    content: str | None = None
    by: str = TERMINAL


class ClientDiff:
    """Is settled once. If the editor cannot show it, `failure` says why, and the terminal can still answer."""

    def __init__(self, path: str, proposed: str) -> None:
        self.path = path
        self.proposed = proposed
        self.is_shown = False
        self.failure = ""
        self.is_closing = False
        self.outcome: asyncio.Future[DiffOutcome] = asyncio.get_running_loop().create_future()
        self._connection: ClientConnection | None = None
        self._showing: asyncio.Task[None] | None = None

    async def answer(self) -> DiffOutcome:
        """The answer from the editor or the terminal."""
        return await asyncio.shield(self.outcome)

    async def show(self, connection: ClientConnection) -> None:
        """Returns when the editor has answered, or after a timeout: it may show the diff later."""
        self._connection = connection
        self._showing = asyncio.create_task(self._ask(connection))
        await asyncio.wait({self._showing}, timeout=_SHOWN_SECONDS)

    def stop_showing(self) -> bool:
        """Stops waiting for the editor. Returns False if it has answered."""
        return self._showing is not None and self._showing.cancel()

    async def _ask(self, connection: ClientConnection) -> None:
        try:
            arguments = {"filePath": self.path, "newContent": self.proposed}
            result = await connection.request("tools/call", {"name": "openDiff", "arguments": arguments}, _OPEN_SECONDS)
        except (Failed, Unreachable) as error:
            self.failure = str(error)
            return
        self.failure = _error_in(result)
        self.is_shown = not self.failure

    async def accept(self) -> DiffOutcome:
        """Accepts in the terminal, with the edits made in the editor so far."""
        content = await self.close()
        return self.settle(DiffOutcome(is_accepted=True, content=content))

    async def reject(self) -> DiffOutcome:
        await self.close()
        return self.settle(DiffOutcome(is_accepted=False))

    async def close(self) -> str | None:
        """Closes the view and returns its text; None if the editor has none."""
        if self.is_closing or self.outcome.done() or self._connection is None:
            return None
        is_late = self.stop_showing()
        if not self.is_shown and not is_late:
            return None
        self.is_closing = True
        call = {"name": "closeDiff", "arguments": {"filePath": self.path, "suppressNotification": True}}
        try:
            seconds = _LATE_SECONDS if is_late else _CLOSE_SECONDS
            return content_in(await self._connection.request("tools/call", call, seconds))
        except (Failed, Unreachable) as error:
            self.failure = str(error)
            return None

    def settle(self, outcome: DiffOutcome) -> DiffOutcome:
        """Sets the outcome once, and returns the one that counts."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)
        return self.outcome.result()


class ClientDiffs:
    """At most one diff is open at a time: not every editor can show two."""

    def __init__(self) -> None:
        self._open: dict[str, ClientDiff] = {}
        self._lock = asyncio.Lock()

    async def open(self, path: str, proposed: str, connection: Callable[[], ClientConnection | None]) -> ClientDiff:
        """Waits until the previous diff is settled."""
        await self._lock.acquire()
        diff = ClientDiff(path, proposed)
        diff.outcome.add_done_callback(lambda _: self._settled(diff))
        self._open[_key(path)] = diff
        try:
            to = connection()
            if to is None or not to.can_diff:
                diff.failure = "the editor shows no diffs" if to else "no editor is connected"
            else:
                await diff.show(to)
        except BaseException:
            diff.outcome.cancel()
            raise
        return diff

    def notified(self, method: str, params: Any) -> None:
        """An answer in the editor. Ignored for a path without an open diff, and if malformed."""
        path = params.get("filePath") if isinstance(params, dict) else None
        diff = self._open.get(_key(path)) if isinstance(path, str) else None
        if diff is None or diff.is_closing:  # some editors send a rejection when we close the view
            return
        content = params.get("content")
        if method == "ide/diffAccepted" and isinstance(content, str):
            diff.settle(DiffOutcome(is_accepted=True, content=content, by=EDITOR))
        elif method in ("ide/diffRejected", "ide/diffClosed"):
            diff.settle(DiffOutcome(is_accepted=False, by=EDITOR))

    async def close_all(self) -> None:
        """Rejects every open diff, so that no view stays open and no caller waits for ever."""
        for diff in list(self._open.values()):
            await diff.reject()

    def _settled(self, diff: ClientDiff) -> None:
        diff.stop_showing()
        self._open.pop(_key(diff.path), None)
        self._lock.release()


def content_in(result: Any) -> str | None:
    """The final text of a closed diff: one text block with a JSON object that has `content`, else None."""
    if _error_in(result):
        return None
    try:
        value = json.loads(_text_in(result))
    except (ValueError, RecursionError):
        return None
    content = value.get("content") if isinstance(value, dict) else None
    return content if isinstance(content, str) else None


def _error_in(result: Any) -> str:
    if not isinstance(result, dict) or not result.get("isError"):
        return ""
    return _text_in(result) or "the editor reported an error"


def _text_in(result: Any) -> str:
    blocks = result.get("content") if isinstance(result, dict) else None
    texts = [each.get("text") for each in blocks if isinstance(each, dict)] if isinstance(blocks, list) else []
    return next((text for text in texts if isinstance(text, str)), "")


def _key(path: str) -> str:
    return os.path.normcase(os.path.normpath(path)) if path else path
