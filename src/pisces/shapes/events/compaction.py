"""The conversation is made shorter."""

from __future__ import annotations

from pisces.shapes.event import Cancellable, Event
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class SessionBeforeCompact(Cancellable):
    """A handler may cancel, or bring the compaction itself."""

    preparation: Mapping[str, Any] = EMPTY
    entries: Sequence[Any] = ()
    instructions: str = ""
    compaction: Any = None
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


class AutoCompactionStart(Event):
    cause: str = ""


class AutoCompactionEnd(Event):
    result: Any = None
    aborted: bool = False
