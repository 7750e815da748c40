"""A session begins, ends, is switched, forked, or walks to another place in its tree."""

from __future__ import annotations

from pisces.shapes.event import Blockable, Cancellable, Event
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.shapes.note import Note


class SessionStart(Event):
    """`cause` is startup, reload, new, resume, fork or compact."""

    cause: str = "startup"
    previous_session: str = ""
    notes: Sequence[Note] = ()


class SessionShutdown(Event):
    SECONDS = 2.0

    cause: str = "quit"
    target_session: str = ""


class SessionBeforeSwitch(Cancellable):
    cause: str = "new"
    target_session: str = ""
    cancelled: bool = False
    reason: str = ""


class SessionSwitch(Event):
    cause: str = "new"
    previous_session: str = ""


class SessionBeforeFork(Cancellable):
    """pi says fork, omp says branch."""

    entry_id: str = ""
    position: str = "at"
    skip_restore: bool = False
    cancelled: bool = False
    reason: str = ""


class SessionFork(Event):
    previous_session: str = ""


class SessionBeforeTree(Cancellable):
    preparation: Mapping[str, Any] = EMPTY
    summary: Any = None
    cancelled: bool = False
    reason: str = ""


class SessionTree(Event):
    new_leaf: str = ""
    old_leaf: str = ""
    summary_entry: Any = None
    from_module: bool = False


class SessionStop(Blockable):
    """The agent is about to stop: a handler may block that with a reason, or have it go on.

    `last_message` is what the model said at the end, to `prompt`.
    """

    messages: Sequence[Any] = ()
    turn_id: str = ""
    session_id: str = ""
    stop_hook_active: bool = False
    blocked: bool = False
    goes_on: bool = False
    reason: str = ""
    last_message: str = ""
    prompt: str = ""
    notes: Sequence[Note] = ()


class SessionRenamed(Event):
    NAME = "session_info_changed"

    name: str = ""


class SessionDirectory(Event):
    """Where sessions are stored: the last handler that names a folder decides."""

    cwd: str = ""
    folder: str = ""


class Setup(Event):
    """A workspace is prepared before its first session. `cause` is init or maintenance."""

    cause: str = "init"


class StopFailed(Event):
    """The agent ended because a request failed. `kind` is the kind of error, such as rate_limit."""

    NAME = "stop_failure"

    kind: str = ""
    error: str = ""
    last_message: str = ""


class Interrupted(Event):
    """The user stopped the agent."""

    NAME = "interrupt"

    turn_id: str = ""
