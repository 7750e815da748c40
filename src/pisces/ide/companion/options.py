"""What an editor says once about itself, and the numbers that hardly anybody changes."""

from __future__ import annotations

from pisces.ide.private_files import PRIVATE
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Window(Value):
    """One window of an editor. `pids` are the processes by which terminals find it: by default this one."""

    workspace: tuple[str, ...] = ()
    name: str = "pisces"
    display_name: str = ""
    pids: tuple[int, ...] = ()


class Editor(Value):
    """What the companion asks of the editor, always in one thread of its own and one call at a time.

    `open_diff(path, new_content)` shows a diff; what it raises is told to the client.
    `close_diff(path)` takes it away and returns the text as the user left it, None where it was not touched.
    `clients_changed(count)` is for a status line. Without `open_diff` no diffs are offered.
    """

    open_diff: Callable[[str, str], object] | None = None
    close_diff: Callable[[str], str | None] | None = None
    clients_changed: Callable[[int], object] | None = None


class CompanionOptions(Value):
    """Times are in seconds. `containers` lets in clients that dial `host.docker.internal`."""

    containers: bool = False
    private: tuple[str, ...] = PRIVATE
    debounce: float = 0.05
    keep_alive: float = 60.0
    editor_answers_within: float = 10.0
    head_within: float = 10.0
    body_within: float = 60.0
    session_timeout: float = 60.0  # without a stream, so that a client may come back to it
    most_connections: int = 512
    most_body: int = 32 * 1024 * 1024  # a diff of 10 MB, with every second character escaped
    most_waiting: int = 32 * 1024 * 1024  # for a client that does not read
