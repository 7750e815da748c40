"""What went wrong in a test, and how much of that the test has looked at."""

from __future__ import annotations

from pisces.shapes.events import ModuleFailed


class Unexpected(AssertionError):
    """What is under test did not do what the test takes for granted."""


class Noted:
    """What was not looked at by the end fails the test."""

    def __init__(self) -> None:
        self.failures: list[ModuleFailed] = []
        self._seen = 0

    def looked(self) -> tuple[ModuleFailed, ...]:
        self._seen = len(self.failures)
        return tuple(self.failures)

    def demand_no_surprise(self, what: str) -> None:
        """Raises where something broke that nobody has looked at; `what` the test calls the thing it drives."""
        unseen = self.failures[self._seen :]
        if unseen:
            lines = "\n".join(_text(failure) for failure in unseen)
            raise Unexpected(f"{lines}\n(a test that expects this looks at `{what}.errors`)")


def _text(failure: ModuleFailed) -> str:
    place = f"{failure.module}: " if failure.module else ""
    return f"{place}{failure.event}: {failure.message}" + (f"\n{failure.trace}" if failure.trace else "")
