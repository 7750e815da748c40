"""An immutable value that walks past everybody who may have a say. A handler returns a changed copy, or None.

Each event class owns its rules: when it is settled, so that nobody else is asked, and what a handler that breaks means.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Event(Value):
    """`NAME` is what pi and omp call it; `SECONDS` is how long one handler may take."""

    NAME = ""
    SECONDS = 30.0

    @property
    def is_settled(self) -> bool:
        return False

    def after_failure(self, reason: str) -> Self:  # noqa: ARG002  # guards use it
        """What becomes of the event when a handler breaks: it goes on, unless the event is a guard's."""
        return self


class Cancellable(Event):
    """Something is about to happen that a handler may stop. Whoever is one ends its fields with these two."""

    if TYPE_CHECKING:
        cancelled: bool
        reason: str

    @property
    def is_settled(self) -> bool:
        return self.cancelled

    def cancel(self, reason: str = "") -> Self:
        return self.replace(cancelled=True, reason=reason)
