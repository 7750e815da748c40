"""The conversation is made shorter."""

from __future__ import annotations

from pisces.shapes.event import Cancellable, Event
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.shapes.note import Note


class SessionBeforeCompact(Cancellable):
    """A handler may cancel, or bring the compaction itself. `trigger` is manual or auto."""

    preparation: Mapping[str, Any] = EMPTY
    entries: Sequence[Any] = ()
    instructions: str = ""
    compaction: Any = None
    trigger: str = "manual"
    notes: Sequence[Note] = ()
    cancelled: bool = False
    reason: str = ""


class SessionCompacting(Event):
    """What the summary should keep: more context, another prompt."""

    NAME = "session.compacting"

    session_id: str = ""
    messages: Sequence[Any] = ()
    context: Sequence[str] = ()
    prompt: str = ""


class SessionCompact(Event):
    entry: Any = None
    from_module: bool = False
    trigger: str = "manual"
    summary: str = ""


class AutoCompactionStart(Event):
    cause: str = ""


class AutoCompactionEnd(Event):
    result: Any = None
    aborted: bool = False
