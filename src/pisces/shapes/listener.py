"""A function that is called with every event of one class."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.shapes.event import Event


class Listener(Value):
    """`call` takes the event and returns a changed copy, or None, or a coroutine of either.

    `module` is the path of the module that registered it. Higher priorities are called first. `seconds` replaces the
    time limit of the event; 0 keeps it.
    """

    event: type[Event]
    call: Callable[[Any], Any]
    module: str
    priority: int = 0
    seconds: float = 0
