"""An immutable value that walks past everybody who may have a say. A handler returns a changed copy, or None.

Everything inside an event is immutable too: dicts and lists become their frozen kinds, at any depth. Each event
class owns its rules: when it is settled, so that nobody else is asked, and what a handler that fails means.

A copy that a handler makes and does not return changes nothing. So the methods that make one note it, and `emit` tells
the author: see `Notes`.
"""

from __future__ import annotations

from _contextvars import ContextVar  # `contextvars` without its import of `collections.abc`

from pisces.value import Value, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Notes(list["tuple[Event | None, str, bool]"]):
    """What a handler did: each copy that it made, by which method, and whether that stops something."""

    __slots__ = ()


class GuardNotes(Notes):
    """Those of a guard also have the names of coroutines that it never awaited, without a copy."""

    __slots__ = ()


class RunningCall:
    """Code of a module that runs now. `notes` are those of the handler in which it happens, if it does in one."""

    notes: Notes | None = None


running_call: ContextVar[RunningCall | None] = ContextVar("pisces_running_call", default=None)


class Event(Value):
    """`NAME` is its name in hooks and in modules of pi and omp: that of the class, as in `tool_call` for `ToolCall`,
    unless the class has another. `SECONDS` is the time limit of one handler.
    """

    NAME = ""
    SECONDS = 30.0

    def __init_subclass__(cls) -> None:
        if "NAME" not in cls.__dict__:
            cls.NAME = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__)[1:]

    if not TYPE_CHECKING:

        def __init__(self, *given, **named):
            super().__init__(*map(frozen, given), **{field: frozen(value) for field, value in named.items()})

    @property
    def is_settled(self) -> bool:
        return False

    def after_failure(self, reason: str) -> Self:  # noqa: ARG002  # guards use it
        """The event after a handler failed: unchanged, unless the event asks for permission."""
        return self

    def detached(self) -> Self:
        """The event as one handler gets it. An event that decides what runs gives each a copy of its own."""
        return self

    def noted(self, method: str, *, stops: bool = False) -> Self:
        """This copy, which a handler has to return. `stops` if it keeps something from happening."""
        call = running_call.get()
        if call is not None and call.notes is not None:
            call.notes.append((self, method, stops))
        return self


class Cancellable(Event):
    """Something is about to happen that a handler may stop.

    Subclasses must declare `cancelled` and `reason` as their last fields.
    """

    NAME = ""

    if TYPE_CHECKING:  # properties, because an annotation would be a field

        @property
        def cancelled(self) -> bool: ...
        @property
        def reason(self) -> str: ...

    @property
    def is_settled(self) -> bool:
        return self.cancelled

    def cancel(self, reason: str = "") -> Self:
        return self.replace(cancelled=True, reason=reason).noted("cancel", stops=True)


class Blockable(Event):
    """Something that a handler may block with a reason. A handler that fails blocks nothing.

    Subclasses must declare `blocked` and `reason`.
    """

    NAME = ""

    if TYPE_CHECKING:  # properties, because an annotation would be a field

        @property
        def blocked(self) -> bool: ...
        @property
        def reason(self) -> str: ...

    @property
    def is_settled(self) -> bool:
        return self.blocked

    def block(self, reason: str) -> Self:
        return self.replace(blocked=True, reason=reason).noted("block", stops=True)


class Guarded(Blockable):
    """Handlers decide whether it goes ahead, so one that fails blocks it."""

    NAME = ""

    def after_failure(self, reason: str) -> Self:
        return self.replace(blocked=True, reason=reason)  # not noted: no handler made this copy
