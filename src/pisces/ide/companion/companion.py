"""A companion for any editor with Python inside: a server in a thread, and the discovery file that names it.

with Companion(Window(("/home/me/project",), "myeditor", "My Editor"), Editor(show, close)) as companion:
    companion.open_files.focus("/home/me/project/main.py", Cursor(3, 1))
"""

from __future__ import annotations

import asyncio
import atexit
import os
import secrets
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

from pisces.diagnostics import Diagnostic, PiscesError
from pisces.ide.companion.context_feed import ContextFeed
from pisces.ide.companion.diffs import ACCEPTED, REJECTED, EditorDiffs
from pisces.ide.companion.editor_thread import EditorThread
from pisces.ide.companion.open_files import OpenFiles
from pisces.ide.companion.options import CompanionOptions, Editor, Window
from pisces.ide.companion.server import Server
from pisces.ide.companion.sessions import CompanionSession, Sessions
from pisces.ide.discovery_file import STALE, DiscoveryFile, file_path, removed, stale_files, written
from pisces.ide.endpoint import PORT_VARIABLE, TOKEN_VARIABLE, WORKSPACE_VARIABLE
from pisces.shapes.ide_context import IdeContext

_READY_WITHIN = 10.0
_STOPPED_WITHIN = 5.0
_CLOSE_SECONDS = 0.2  # for clients to read the end of their streams


class Companion:
    """Every method may be called from any thread. `port` and `token` are set once it has started."""

    def __init__(
        self,
        window: Window,
        editor: Editor | None = None,
        options: CompanionOptions | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.window = window if window.pids else window.replace(pids=(os.getpid(),))
        self.token = ""
        self.port = 0
        self.problems: list[Diagnostic] = []
        self.open_files = OpenFiles(self._context_changed)
        self._editor = editor or Editor()
        self._options = options or CompanionOptions()
        self._system_env = os.environ if env is None else env
        self._is_trusted: bool | None = None
        self._start_stop_lock = threading.RLock()
        self._lock = threading.RLock()  # guards what starting and stopping change and the loop's thread reads
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._owner = 0
        self._files: tuple[DiscoveryFile, ...] = ()
        self._feed = ContextFeed(self._options, lambda frame: self._sessions.offer(frame))
        self._editor_thread = EditorThread(self._options.editor_answers_within)
        self._diffs = EditorDiffs(self._editor, self._editor_thread, self._send)
        self._sessions = Sessions(self._options, self._feed.frame, self._diffs.session_ended)
        self._sessions.listeners_changed = self._listeners_changed

    def start(self) -> Self:
        """Returns when clients can connect. Problems that did not prevent that are in `problems`."""
        with self._start_stop_lock, self._lock:
            if self._thread:
                return self
            self.token, self.port = secrets.token_hex(32), 0
            self._owner = os.getpid()
            ready = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(ready,), name="pisces-companion", daemon=True)
            self._editor_thread.start()
            self._thread.start()
            if not ready.wait(_READY_WITHIN) or not self.port:
                self._thread = None
                self._editor_thread.stop()
                raise OSError("the companion cannot listen on 127.0.0.1")
            self._remove_stale()
            self._write_files()
            atexit.register(self.stop)
        return self

    def stop(self) -> None:
        """Removes the file, ends all streams and returns when the port is closed. May be called twice."""
        if os.getpid() != self._owner:  # a forked child does not own the companion
            return
        with self._start_stop_lock:
            self._stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_error: object) -> None:
        self.stop()

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the discovery files."""
        return tuple(file.path for file in self._files)

    @property
    def env(self) -> dict[str, str]:
        """The variables to set in the editor's terminals."""
        return {
            PORT_VARIABLE: str(self.port),
            WORKSPACE_VARIABLE: os.pathsep.join(self.window.workspace),
            TOKEN_VARIABLE: self.token,
        }

    def update(self, context: IdeContext) -> None:
        """Replaces the whole context. Editors that report single changes use `open_files` instead."""
        self._is_trusted = context.is_trusted
        self.open_files.replace(context.open_files)

    def trust(self, is_trusted: bool | None) -> None:  # a value, not a choice of behaviour
        self._is_trusted = is_trusted
        self._context_changed()

    def move_to(self, *workspace: str) -> None:
        """Sets the open folders and writes the discovery file again, under the same name."""
        self.window = self.window.replace(workspace=workspace)
        with self._lock:
            if self._thread:
                self._write_files()
        self._feed.repeat()

    def accept(self, path: str, content: str | None = None) -> bool:
        """The user accepted the diff, with this text. False if it was settled or closed before."""
        return self._diffs.settle(path, ACCEPTED, content)

    def reject(self, path: str) -> bool:
        return self._diffs.settle(path, REJECTED)

    def abandon(self, path: str) -> bool:
        """The editor cannot show this diff: the terminal decides alone."""
        return self._diffs.forget(path) is not None

    def _stop(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
            files, self._files = self._files, ()
        for file in files:
            removed(file.path)
        atexit.unregister(self.stop)
        if thread and self._loop:
            with suppress(RuntimeError):  # the loop is closed already
                self._loop.call_soon_threadsafe(self._quit.set)
            if thread is not threading.current_thread():
                thread.join(_STOPPED_WITHIN)
            self._editor_thread.stop()

    def _run(self, ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(ready))
        except OSError:
            if self.port:  # without one, `start` raises
                raise
        finally:
            ready.set()

    async def _serve(self, ready: threading.Event) -> None:
        self._quit = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        diffs = self._diffs if self._editor.open_diff else None
        server = Server(self.token, self._options, self._sessions, diffs)
        listening = await server.start()
        self.port = server.port
        self._feed.run_in(self._loop)
        watch = [asyncio.create_task(server.keep_alive()), asyncio.create_task(self._restore_files())]
        ready.set()
        await self._quit.wait()
        self._feed.run_in(None)
        for task in watch:
            task.cancel()
        listening.close()
        await server.close_connections(_CLOSE_SECONDS)
        self._sessions.clear()
        self._diffs.clear()

    async def _restore_files(self) -> None:
        """Writes a file again that the system has removed from its temporary folder."""
        while True:
            await asyncio.sleep(self._options.keep_alive)
            with self._lock:
                if self._thread and not all(os.path.exists(path) for path in self.files):
                    self._write_files()

    def _write_files(self) -> None:
        """A file that cannot be written is only a problem: terminals of the editor have the variables."""
        made = []
        for pid in self.window.pids:
            try:
                made.append(written(self._file(pid)))
            except PiscesError as error:
                self.problems.append(error.diagnostic)
        self._files = tuple(made)

    def _file(self, pid: int) -> DiscoveryFile:
        window = self.window
        path = file_path(self._system_env, pid, self.port)
        workspace = os.pathsep.join(window.workspace)
        display_name = window.display_name or window.name
        return DiscoveryFile(self.port, workspace, self.token, window.name, display_name, pid, path)

    def _remove_stale(self) -> None:
        for file in stale_files(self._system_env, self.window.pids):
            removed(file.path)
            self.problems.append(STALE.at(file.path, f"was left behind by process {file.pid} and is removed"))

    def _context_changed(self) -> None:
        self._feed.change(IdeContext(self.open_files.listed, self._is_trusted))

    def _send(self, frame: bytes, session: CompanionSession) -> None:
        if self._loop:
            with suppress(RuntimeError):  # the loop is closed, so no client is left
                self._loop.call_soon_threadsafe(self._sessions.send, frame, session)

    def _listeners_changed(self, count: int) -> None:
        changed = self._editor.clients_changed
        if changed:
            self._editor_thread.queue(lambda: changed(count))
