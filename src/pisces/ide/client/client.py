"""The client of the editor's companion: finds it, stays connected, and has the editor's context.

It reconnects whenever a connection ends, and reads the discovery files again each time, because the port may be new.
Every wait for the editor is bounded, and without a companion there is no wait.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Self

from pisces.formats.malformed import Malformed
from pisces.ide.choosing import Choice, choice_here
from pisces.ide.client.connection import Attempt, ClientConnection, Consent, connected
from pisces.ide.client.diff import ClientDiff, ClientDiffs
from pisces.ide.process_tree import ProcessTree, process_tree
from pisces.ide.shared_context import PRIVATE, is_private, normalised
from pisces.places import Places
from pisces.shapes.ide_context import IdeContext, context_from_json
from pisces.value import Value

CONNECTING = "connecting"
CONNECTED = "connected"
DISCONNECTED = "disconnected"

FIRST_CONTEXT_SECONDS = 1.5  # the most that a one-shot run waits
_MOST_FILES = 1000  # in one update; editors are asked to send ten
_PAUSES = (0.1, 0.2, 0.4, 0.8, 1.6, 3.0)  # seconds before each retry; the last one repeats


class Status(Value):
    """`reason` says why the client is not connected. `attempts` are the endpoints that failed in the last round."""

    state: str = CONNECTING
    reason: str = ""
    choice: Choice = Choice()
    attempts: tuple[Attempt, ...] = ()


class IdeClient:
    """`async with IdeClient(places) as ide: await ide.first_context()`. `problem` is about the last update, if invalid.

    Callers that have the process tree pass it: on some systems reading it takes a second. `consent` is called before
    each session with a port: an editor may answer only its newest client.
    """

    def __init__(
        self,
        places: Places,
        private: tuple[str, ...] = PRIVATE,
        tree: ProcessTree | None = None,
        consent: Consent | None = None,
    ) -> None:
        self.status = Status()
        self.context: IdeContext | None = None
        self.hidden = 0  # number of open files that are private
        self.problem = ""
        self.connection: ClientConnection | None = None
        self._places = places
        self._private = private
        self._tree = tree
        self._consent = consent
        self._diffs = ClientDiffs()
        self._changes = 0
        self._changed = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._stay_connected())
        self._running.add_done_callback(lambda _: self._wake())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._diffs.close_all()
        if self._running:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running

    async def first_context(self, seconds: float = FIRST_CONTEXT_SECONDS) -> IdeContext | None:
        """Waits for the first context; None if there is no companion or after the timeout."""
        seen = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self._is_settled():
                    seen = await self.change(seen)
        return self.context

    async def change(self, seen: int) -> int:
        """Waits for a change after number `seen` (0 at first). Returns the number of the last change."""
        while self._changes <= seen:
            await self._changed.wait()
        if self._running and self._running.done():
            self._running.result()  # raises if the task failed, which is a bug
        return self._changes

    async def open_diff(self, path: str, proposed: str) -> ClientDiff:
        """Shows a diff in the editor, if there is one. `diff.answer()` is from the editor or the terminal."""
        return await self._diffs.open(path, proposed, lambda: self.connection)

    def _is_settled(self) -> bool:
        if self.status.state == CONNECTED and self.connection is not None:
            return self.context is not None or not self.connection.transport.has_stream
        return self.status.state == DISCONNECTED

    async def _stay_connected(self) -> None:
        tree = self._tree
        if tree is None:
            tree = await asyncio.to_thread(process_tree, self._places.env)
        failures = 0
        while True:
            failures = 0 if await self._once(tree) else failures + 1
            await asyncio.sleep(_PAUSES[min(failures, len(_PAUSES) - 1)])

    async def _once(self, tree: ProcessTree) -> bool:
        """One connection until it is lost. Returns whether there was one."""
        choice = choice_here(self._places, tree)
        connection, failed = await connected(choice, self._places.env, self._notified, self._consent)
        if connection is None:
            reason = choice.problem or f"the companion cannot be reached: {'; '.join(map(str, failed))}"
            self._set_status(Status(DISCONNECTED, reason, choice, tuple(failed)))
            return False
        self.connection = connection
        self._set_status(Status(CONNECTED, "", choice, tuple(failed)))
        connection.listen()
        try:
            reason = await asyncio.shield(connection.lost)
        finally:
            self.connection, self.context, self.hidden = None, None, 0
            await connection.close()
        self._set_status(Status(DISCONNECTED, f"the connection was lost: {connection.endpoint} {reason}", choice))
        return True

    def _notified(self, method: str, params: Any) -> None:
        if method == "ide/contextUpdate":
            self._update(params)
        elif method.startswith("ide/diff"):
            self._diffs.notified(method, params)

    def _update(self, params: Any) -> None:
        """An invalid update is reported in `problem`; the last valid context stays."""
        try:
            _check_length(params)
            context = context_from_json(params)
        except (ValueError, OverflowError) as error:
            self.problem = f"the editor sent a context that cannot be read: {error}"
        else:
            self.hidden = sum(is_private(file.path, self._private) for file in context.open_files)
            self.context, self.problem = normalised(context, self._private), ""
        self._wake()

    def _set_status(self, status: Status) -> None:
        self.status = status
        self._wake()

    def _wake(self) -> None:
        self._changes += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _check_length(params: Any) -> None:
    """Checked before the files are read: a huge list would take minutes."""
    state = params.get("workspaceState") if isinstance(params, dict) else None
    files = state.get("openFiles") if isinstance(state, dict) else None
    if isinstance(files, list) and len(files) > _MOST_FILES:
        raise Malformed(f"it names {len(files):,} files, and {_MOST_FILES:,} are read at most")
