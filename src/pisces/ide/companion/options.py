"""What an editor declares about itself, and the options of a companion."""

from __future__ import annotations

from collections.abc import Callable

from pisces.ide.shared_context import PRIVATE
from pisces.value import Value


class Window(Value):
    """One window of an editor. Terminals find it by `pids`, by default this process."""

    workspace: tuple[str, ...] = ()
    name: str = "pisces"
    display_name: str = ""
    pids: tuple[int, ...] = ()


class Editor(Value):
    """The editor's callbacks, called one at a time in their own thread.

    `open_diff(path, new_content)` shows a diff; what it raises is reported to the client.
    `close_diff(path)` closes it and returns the text as the user left it, None if unchanged.
    `clients_changed(count)` is for a status line. Without `open_diff` no diffs are offered.
    """

    open_diff: Callable[[str, str], object] | None = None
    close_diff: Callable[[str], str | None] | None = None
    clients_changed: Callable[[int], object] | None = None


class CompanionOptions(Value):
    """Times are in seconds. `containers` accepts clients that connect to `host.docker.internal`."""

    containers: bool = False
    private: tuple[str, ...] = PRIVATE
    debounce: float = 0.05
    keep_alive: float = 60.0
    editor_answers_within: float = 10.0
    head_within: float = 10.0
    body_within: float = 60.0
    session_timeout: float = 60.0  # without a stream, so that a client may reconnect
    most_connections: int = 512
    most_body: int = 32 * 1024 * 1024  # enough for a diff of 10 MB with every second character escaped
    most_waiting: int = 32 * 1024 * 1024  # for a client that does not read
